// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracing/code/debug/debug_files.h"
#include "tracing/code/debug/source_functions.h"
#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/function_flow.h"
#include "tracing/code/machine/jump_tables.h"
#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// Which calls may come after which in one run of a function of a program or library. A function that was
/// inlined runs where its code is entered, until it is left.
///
///     exchange:  MPI_Isend … MPI_Waitall     after MPI_Waitall comes no MPI_Isend: that is another run
///     run:       loop { smooth … exchange }  after `exchange` may come `exchange`
class CallOrder {
  public:
    /// The file, and what was found in it, must live longer.
    CallOrder(Elf* elf, const CodeExtents& extents)
        : extents_(extents), code_(elf), pads_(elf), twice_(elf), data_(elf) {}

    struct Call {
        std::uint64_t returned = 0;            ///< the address that it returns to, as the file has it
        std::vector<InlinedFunction> inlined;  ///< in which it stands, outermost first
    };

    /// Whether it is one, in a function whose code can be read.
    bool isKnown(const Call& call) { return flowAround(call) != nullptr; }
    /// In one run of the function that is inlined `depth` times. True where it is not known.
    bool mayFollow(const Call& first, const Call& second, std::size_t depth);

  private:
    /// Null where the call is not known.
    const FunctionFlow* flowAround(const Call& call);

    const CodeExtents& extents_;
    MachineCode code_;
    LandingPads pads_;
    ReturningTwice twice_;
    ReadOnlyData data_;
    std::map<std::uint64_t, std::unique_ptr<FunctionFlow>> flows_;  ///< by where functions begin
    /// The one that was asked for last, by the first call and the depth.
    std::optional<std::pair<std::pair<std::uint64_t, std::size_t>, FunctionFlow::Reach>> recent_;
};

/// Names of the variables of programs and libraries that have a fixed place: global and static ones.
///
/// Thread safety: one thread.
class DataSymbols {
  public:
    /// The variable at an offset in what is loaded of a file, as people read it; empty where none is known.
    std::string find(const std::string& file, std::uint64_t offset);

  private:
    struct Variable {
        std::uint64_t end = 0;
        std::string name;
    };
    /// By where they begin in what is loaded.
    using Variables = std::map<std::uint64_t, Variable>;
    static Variables variablesOf(const std::string& file);

    std::map<std::string, Variables> files_;
};

/// What is known of an instruction; empty texts and 0 where nothing is.
struct CodePlace {
    /// As people read it, without what compilers add to the names of copies (`f` for `f.cold`). A function
    /// without name is `FILE+0x…`, with the address at which it begins.
    std::string function;
    std::string symbol;              ///< the linker's name; empty where it has none
    std::uint64_t intoFunction = 0;  ///< bytes; 0 for functions that were inlined
    bool isNamed = false;            ///< false: only where the function begins is known, or nothing
    bool isInlined = false;
    const void* inlinedAt = nullptr;  ///< another one for each place where the function was inlined
    /// The function is what a compiler made of the body of an OpenMP construct in it.
    bool isOutlinedBody = false;
    bool isSignalReturn = false;  ///< the function is what a signal's handler returns to
    std::string definedIn;        ///< the source file of the function
    std::uint32_t definedAt = 0;  ///< and the line
    std::string file;             ///< of the instruction
    std::uint32_t line = 0;       ///< in an outer function: of the call that leads to the inner one
    std::uint64_t address = 0;    ///< of the instruction, as tools such as objdump have it for the file
};

/// Files, and offsets in what is loaded of them.
using FileOffsets = std::set<std::pair<std::string, std::uint64_t>>;

/// Finds functions, files and lines of addresses of code in the symbols and debug information of their files.
/// Nothing is downloaded.
///
/// Thread safety: one thread.
class Symbols {
  public:
    explicit Symbols(DebugFiles debugFiles = {});
    ~Symbols();
    Symbols(Symbols&&) = delete;

    /// A function without a name that begins there is the body of an OpenMP construct (`isOutlinedBody`).
    void addBody(const std::string& object, std::uint64_t offset);

    /// The instruction at an offset in what is loaded of a file: its line, and the function that its code
    /// belongs to, into which others may have been inlined.
    CodePlace find(const std::string& object, std::uint64_t offset);

    /// The functions at an instruction, innermost first: those that were inlined, then the one that the code
    /// belongs to. Never empty. For a call, ask for an instruction of it, not for the one that it returns to.
    std::vector<CodePlace> inlinedAt(const std::string& object, std::uint64_t offset);

    /// What the table of lines says around a call that stands there.
    CallLines around(const std::string& object, std::uint64_t offset);

    /// Where the function begins that a call leads to, which may not be the one that runs when it passed its
    /// own return on (tail call). None unless the instruction says it, and the function is in the same file.
    std::optional<std::uint64_t> calledBy(const std::string& object, std::uint64_t offset);

    /// The call that an instruction is the last byte of; none where it is no call, or one in a function whose
    /// code cannot be read.
    std::optional<CallOrder::Call> callAt(const std::string& object, std::uint64_t offset);

    /// Whether one run of a function may make a call after another one (see `CallOrder`); both are of the
    /// file.
    bool mayFollow(const std::string& object, const CallOrder::Call& first, const CallOrder::Call& second,
                   std::size_t depth);

    /// Where the function begins that an instruction belongs to, as far as the unwind table tells.
    std::optional<std::uint64_t> beginOf(const std::string& object, std::uint64_t offset);

    /// An instruction of a file, at an offset in what is loaded of it.
    struct Line {
        std::uint64_t offset;
        std::uint8_t size;
        std::string text;
    };
    /// The instructions of the function that begins there; none where its end is not known, or its code
    /// cannot be read.
    std::vector<Line> instructionsFrom(const std::string& object, std::uint64_t begin);

    /// Whether that is the function with which a program begins (`_start`). Of a file that cannot be read any
    /// may be.
    bool isEntry(const std::string& object, std::uint64_t offset);

  private:
    class Object;
    Object& open(const std::string& path);

    DebugFiles debugFiles_;
    std::map<std::string, std::unique_ptr<Object>> objects_;
};

}  // namespace holos::code
