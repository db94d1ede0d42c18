// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tracing/code/symbols.h"
#include "tracing/recordings/archive/code_names/context_calls.h"
#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// A function, as it was called by those before, and where in it a thread was. Of calls that stand in one
/// line each has its own.
struct SampledContext {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    std::uint32_t region = 0;  ///< number in the trace
    std::uint32_t place = kNone;
    std::uint32_t parent = kNone;
};

/// What samples of the call stack met, as a tree of calls (OTF2's calling contexts). Equal places in equal
/// functions are one, whatever process was in them.
///
/// Thread safety: `contextOf` is safe; the rest is safe to read when all contexts are known.
class SampledCode {
  public:
    /// `regions`: how many the trace has besides; sampled functions have the numbers behind those.
    /// `bodies`: where functions may begin that are bodies of constructs.
    explicit SampledCode(std::uint32_t regions, const code::FileOffsets& bodies = {})
        : firstRegion_(regions) {
        for (const auto& [file, offset] : bodies) symbols_.addBody(file, offset);
    }

    /// The context of addresses of code in a process, the innermost first, by the first `files` of those that
    /// it had; `kNone` when there are none. The last may be the number of what stands in place of others
    /// (`path_numbers.h`).
    std::uint32_t contextOf(const RecordedProcess& process, std::span<const std::uint64_t> addresses,
                            std::size_t files);

    /// The context of a call path of a process (`RecordedProcess::callPaths`), without the code that starts
    /// programs and threads; `kNone` where nothing else is in it.
    std::uint32_t contextOf(const RecordedProcess& process, std::uint32_t path);

    /// The file of a process, and the offset in what is loaded of it, at which an address is, by the first
    /// `files` of those that it had; null where none is known.
    static const RecordedFile* fileAt(const RecordedProcess& process, std::uint64_t address,
                                      std::size_t files);

    /// The context of data that was used in another one, as a call path below it: a variable that has a fixed
    /// place; the heap with the calls that allocated the block; a stack and other memory as a whole.
    std::uint32_t dataBelow(std::uint32_t context, const RecordedProcess& process,
                            const SampledAccess& access);

    const std::vector<SampledContext>& contexts() const { return contexts_; }
    const std::vector<RecordedRegion>& regions() const { return regions_; }
    /// By context: which calls may come before it in one run of its function (see `ContextCalls`).
    std::vector<std::string> callOrders() { return calls_.orders(contexts_, symbols_); }
    /// Keeps those contexts and the calls that led to them, with the regions and places that they have,
    /// numbered in the order of that list; the new numbers, by the old ones. Nothing can be looked for
    /// afterwards.
    std::vector<std::uint32_t> renumber(std::span<const std::uint32_t> order);
    /// What would give names to the functions that have none, in a sentence; empty unless most have none.
    std::string howToName() const;
    /// Lines of source files.
    const std::vector<std::pair<std::string, std::uint32_t>>& places() const { return places_; }

  private:
    /// What tells calls of one line apart: the file and the offset, or where the function was inlined that is
    /// called.
    using CallPlace = std::pair<const void*, std::uint64_t>;
    struct Code {
        std::uint32_t region;
        std::uint32_t place;                         ///< its line
        std::uint32_t site = SampledContext::kNone;  ///< where there is no line: file and offset
        std::uint32_t inlined = 0;                   ///< how often the function was inlined there
        CallPlace call{};
    };
    /// A file, null where none is known, and the offset in it.
    struct FilePlace {
        const std::string* file;
        std::uint64_t offset;
    };
    /// Of an address, by the first `files` of those that the process had.
    static FilePlace placeOf(const RecordedProcess& process, std::uint64_t address, std::size_t files);
    /// Of a call of `RecordedProcess::callPaths`.
    static FilePlace placeOf(const RecordedProcess& process, std::uint32_t call);
    /// What is at an address.
    struct Instruction {
        std::vector<Code> functions;                   ///< outermost first
        std::uint32_t callee = SampledContext::kNone;  ///< of a call that says it: the function it leads to
        ContextCalls::Place place{};                   ///< of a call
    };
    /// Of an address in a process, by the first `files` of those that it had.
    const Instruction& codeOf(const RecordedProcess& process, std::uint64_t address, std::size_t files);
    /// Of a call of `RecordedProcess::callPaths`.
    const Instruction& codeOf(const RecordedProcess& process, std::uint32_t call);
    const Instruction& codeAt(const FilePlace& place);
    const Instruction& pythonCodeOf(const RecordedProcess& process, std::uint64_t call);
    /// The context of a call that led to the code `reached`, null for the recorder's: where the call says
    /// that it leads to another function, that one is in between, as it passed its own return on.
    std::uint32_t passedOn(std::uint32_t context, const Instruction& call, const Instruction* reached);
    std::uint32_t calleeAt(const std::string& file, std::uint64_t offset);
    /// Where there is no line it has the offset of the call.
    std::uint32_t callBelow(std::uint32_t parent, const Instruction& call);
    std::uint32_t below(std::uint32_t parent, std::uint32_t region, std::uint32_t place,
                        const CallPlace& call = {});
    std::uint32_t artificialRegion(const char* name);
    std::uint32_t artificial(const char* name);
    /// Whether a call of `RecordedProcess::callPaths` is one of the functions that run the beginnings and
    /// ends of libraries, and what the program has for its own end: the loader's, and some of the C library.
    bool runsEnds(const RecordedProcess& process, std::uint32_t call);
    /// Of the function that has no caller inlined around it; empty where it is not known.
    std::string symbolOf(const FilePlace& place);
    /// Of the function of the program that led to it by calls of the system alone.
    std::uint32_t contextAround(const RecordedProcess& process, std::uint32_t call);
    std::uint32_t followPath(const RecordedProcess& process, const std::vector<std::uint32_t>& calls,
                             std::uint32_t context);
    std::vector<Code> lookUp(const std::string& file, std::uint64_t offset);
    std::uint32_t lineOf(const code::CodePlace& place);
    std::uint32_t numberOfPlace(const std::string& file, std::uint32_t line);
    std::uint32_t regionOf(const code::CodePlace& found, const std::string& file);
    std::uint32_t numberOfRegion(RecordedRegion region);

    std::uint32_t firstRegion_;
    std::mutex mutex_;
    std::string dataName(const RecordedProcess& process, const SampledAccess& access);
    /// The calls of a context, as those that allocated data.
    std::uint32_t allocationBelow(std::uint32_t parent, std::uint32_t context);
    bool isAllocator(const SampledContext& context) const;

    code::Symbols symbols_;
    code::DataSymbols dataSymbols_;
    ContextCalls calls_;
    std::map<std::uint32_t, std::string> unnamedIn_;  ///< by position of a region without a name its file
    std::vector<SampledContext> contexts_;
    std::vector<RecordedRegion> regions_;
    std::vector<std::pair<std::string, std::uint32_t>> places_;
    Instruction leftOut_;  ///< in place of calls between others that were not kept
    /// By file and offset.
    std::map<std::string, std::unordered_map<std::uint64_t, Instruction>> codes_;
    std::map<std::pair<const RecordedProcess*, std::uint64_t>, Instruction> pythonCodes_;
    /// By process and number of a call path.
    std::map<const RecordedProcess*, std::unordered_map<std::uint32_t, std::uint32_t>> pathContexts_;
    /// Contexts with what passed its return on to the recorder.
    std::map<const RecordedProcess*, std::unordered_map<std::uint32_t, std::uint32_t>> eventContexts_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, CallPlace>, std::uint32_t>
        contextNumbers_;
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::uint32_t> regionNumbers_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> placeNumbers_;
};

/// What would give names to functions that have none: the files that most of them are in, and the usual ways
/// to get their names. `unnamed`: by file how many have none; `all`: how many functions there are. Empty
/// unless at least half of them, and more than a few, have no name.
std::string howToNameFunctions(const std::map<std::string, std::size_t>& unnamed, std::size_t all);

}  // namespace holos::archive
