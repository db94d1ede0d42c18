// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracing/code/debug/source_names.h"

namespace holos::code {

/// By which compiler code was made. What gcc optimised need not follow the source's order.
enum class Compiled : std::uint8_t { ByGcc, ByGccOptimised, ByOthers };

/// What the table of lines says around a call, of the file that the call stands in. Lines are 0 where nothing
/// is known.
struct CallLines {
    std::string file;
    Compiled by = Compiled::ByOthers;
    /// Where the last statement began before the call, in the order of the code.
    std::uint32_t statement = 0;
    std::uint32_t column = 0;      ///< of the statement; 0: not known
    std::uint32_t next = 0;        ///< of what stands behind the call
    std::uint32_t ofFunction = 0;  ///< of the function's first instruction
    std::uint32_t lastInFunction = 0;
};

/// A function of the source, as debug information has it.
struct SourceFunction {
    std::string name;    ///< as people read it; empty where it has none
    std::string symbol;  ///< the linker's, where debug information has it
    std::string file;    ///< where it is defined
    std::uint32_t line = 0;
    bool isOfFortran = false;
};

/// A function at an instruction, and where in it that is.
struct SourceFrame {
    const SourceFunction* function = nullptr;  ///< null where only the line is known
    std::uint64_t begin = 0;                   ///< of its code; 0 when it was inlined
    const void* inlinedAt = nullptr;           ///< another one for each place where it was inlined
    std::string file;
    std::uint32_t line = 0;
};

/// A function that was inlined, at one place.
struct InlinedFunction {
    const void* entry = nullptr;                                ///< another one for each place
    std::vector<std::pair<std::uint64_t, std::uint64_t>> code;  ///< where each part begins and ends
};

/// The functions and lines of DWARF debug information, versions 2 to 5. What is looked up once is kept: the
/// units of which addresses were asked, and the functions that were met.
class SourceFunctions {
  public:
    /// The information must live longer; null: there is none.
    explicit SourceFunctions(Dwarf* dwarf);
    ~SourceFunctions();
    SourceFunctions(SourceFunctions&&) = delete;

    /// At an address in the terms of the debug information. Innermost first: the functions that were inlined,
    /// each with the line that calls the one before; the last is the function that the code belongs to.
    std::vector<SourceFrame> at(Dwarf_Addr address);

    /// Around a call that stands at the address.
    CallLines around(Dwarf_Addr address);

    /// The functions that were inlined at an address, outermost first.
    std::vector<InlinedFunction> inlinedAt(Dwarf_Addr address);

  private:
    struct Range {
        Dwarf_Addr begin;
        Dwarf_Addr end;
        std::size_t unit;
    };
    class Unit;

    /// Null where there is none.
    Unit* unitAt(Dwarf_Addr address);
    const SourceFunction& describe(Dwarf_Die die, Unit& unit);
    std::string nameInScope(Dwarf_Die& function, Unit& unit);
    std::string typeName(Dwarf_Die type);
    std::string localTypeName(Dwarf_Die type);

    std::vector<std::unique_ptr<Unit>> units_;
    std::vector<Range> ranges_;
    std::unordered_map<const void*, SourceFunction> functions_;  ///< by their entries
    ScopeNames scopes_;
    TypeNames types_{[this](Dwarf_Die type) { return typeName(type); }};
    Unit* naming_ = nullptr;  ///< of the function that gets its name
};

}  // namespace holos::code
