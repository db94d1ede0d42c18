// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/sampled_code.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/function_name.h"
#include "base/number.h"
#include "base/text.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recordings/archive/code_names/program_interface.h"
#include "tracing/recordings/archive/code_names/region_names.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::archive {
namespace {

using code::isLoaderFile;
using code::isSystemFile;
using tracing::stacks::kFirstPath;
using tracing::stacks::kNoPath;
using tracing::stacks::python::isPython;

constexpr const char* kUnknown = "UNKNOWN CALLERS";
constexpr const char* kMore = "MORE CALLERS";

/// What stands in place of calls that are not known; null for a path that has some.
const char* rootOf(std::uint32_t path) {
    if (path == tracing::stacks::kUnknownCallers) return kUnknown;
    if (path == tracing::stacks::kMoreCallers) return kMore;
    return path == tracing::stacks::kMorePaths ? "MORE CALL PATHS" : nullptr;
}

/// Whether it stands for calls that the recorder did not keep.
bool isLeftOut(const RecordedCall& call) {
    return call.returnAddress == tracing::stacks::kCallsLeftOut;
}

/// The C library's and the compiler's functions between the end of a program or library and what that runs.
constexpr const char* kEnds[] = {"__run_exit_handlers", "__cxa_finalize", "__do_global_dtors_aux"};

/// Functions that pass every call on, and that no source has.
bool isThunk(const std::string& symbol) {
    constexpr const char* kThunks[] = {"_ZTh", "_ZTv", "_ZTc", "__x86_indirect_thunk", "__llvm_retpoline"};
    return std::ranges::any_of(kThunks,
                               [&](const char* beginning) { return symbol.rfind(beginning, 0) == 0; });
}

/// Variants of one function may differ in what is not shown: it does not matter which is met first.
void unite(RecordedRegion& known, const RecordedRegion& other) {
    known.symbol = std::min(known.symbol, other.symbol);
    if (other.paradigm == tracing::Paradigm::OpenMp) known.paradigm = other.paradigm;
}

/// Numbers anew what is asked for, in that order.
class Renumbering {
  public:
    explicit Renumbering(std::size_t count) : numbers_(count, SampledContext::kNone) {}

    std::uint32_t operator()(std::uint32_t old) {
        std::uint32_t& number = numbers_[old];
        if (number == SampledContext::kNone) {
            number = static_cast<std::uint32_t>(kept_.size());
            kept_.push_back(old);
        }
        return number;
    }
    bool has(std::uint32_t old) const { return numbers_[old] != SampledContext::kNone; }
    const std::vector<std::uint32_t>& numbers() const { return numbers_; }

    /// The values of the kept ones.
    template <class Value>
    std::vector<Value> keptOf(const std::vector<Value>& all) const {
        std::vector<Value> values;
        for (const std::uint32_t old : kept_) values.push_back(all[old]);
        return values;
    }

  private:
    std::vector<std::uint32_t> numbers_;  ///< the new ones
    std::vector<std::uint32_t> kept_;     ///< the old ones
};

template <class Key>
std::pair<std::uint32_t, bool> numberOf(std::map<Key, std::uint32_t>& numbers, Key key) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [at, isNew] = numbers.try_emplace(std::move(key), next);
    return {at->second, isNew};
}

}  // namespace

std::uint32_t SampledCode::below(std::uint32_t parent, std::uint32_t region, std::uint32_t place,
                                 const CallPlace& call) {
    const auto [number, isNew] = numberOf(contextNumbers_, std::tuple(parent, region, place, call));
    if (isNew) contexts_.push_back({region, place, parent});
    return number;
}

std::uint32_t SampledCode::callBelow(std::uint32_t parent, const Instruction& call) {
    for (const Code& one : call.functions) {
        const bool hasLine = one.place != SampledContext::kNone;
        parent = below(parent, one.region, hasLine ? one.place : one.site, one.call);
        calls_.add(parent, {call.place.file, call.place.offset, one.inlined});
    }
    return parent;
}

std::uint32_t SampledCode::contextOf(const RecordedProcess& process, std::span<const std::uint64_t> addresses,
                                     std::size_t files) {
    const std::scoped_lock lock(mutex_);
    std::uint32_t context = SampledContext::kNone;
    const bool hasRoot = !addresses.empty() && addresses.back() < kFirstPath;
    if (const char* const root = hasRoot ? rootOf(static_cast<std::uint32_t>(addresses.back())) : nullptr) {
        context = artificial(root);
        addresses = addresses.first(addresses.size() - 1);
    }
    const Instruction* call = nullptr;
    for (std::size_t i = addresses.size(); i > 0; --i) {
        const Instruction& code = codeOf(process, addresses[i - 1], files);
        if (call != nullptr && !isPython(addresses[i - 1])) context = passedOn(context, *call, &code);
        call = &code;
        if (i > 1) {
            context = callBelow(context, code);
            continue;
        }
        for (const Code& one : code.functions) context = below(context, one.region, one.place);
    }
    return context;
}

std::uint32_t SampledCode::contextOf(const RecordedProcess& process, std::uint32_t path) {
    const std::scoped_lock lock(mutex_);
    if (path == tracing::stacks::kMorePaths) return artificial(rootOf(path));
    const auto [reached, isNew] = eventContexts_[&process].try_emplace(path, SampledContext::kNone);
    if (!isNew) return reached->second;
    auto& known = pathContexts_[&process];
    std::vector<std::uint32_t> calls;
    std::uint32_t context = SampledContext::kNone;
    for (std::uint32_t call = path; call != kNoPath;) {
        if (const auto found = known.find(call); found != known.end()) {
            context = found->second;
            break;
        }
        const bool isDamaged = call >= process.callPaths.size() ||
                               (call >= kFirstPath && process.callPaths[call].caller >= call);
        if (isDamaged) {
            context = artificial(kUnknown);
            break;
        }
        calls.push_back(call);
        call = call < kFirstPath ? kNoPath : process.callPaths[call].caller;
    }
    context = followPath(process, calls, context);
    const bool isCall = path >= kFirstPath && path < process.callPaths.size();
    if (isCall && context != SampledContext::kNone)
        context = passedOn(context, codeOf(process, path), nullptr);
    return reached->second = context;
}

std::uint32_t SampledCode::passedOn(std::uint32_t context, const Instruction& call,
                                    const Instruction* reached) {
    if (context == SampledContext::kNone || call.callee == SampledContext::kNone) return context;
    const bool isReached = reached != nullptr &&
                           (reached->functions.empty() || reached->functions.front().region == call.callee);
    if (isReached) return context;
    context = below(context, call.callee, SampledContext::kNone);
    calls_.addEnded(context);
    return context;
}

bool SampledCode::runsEnds(const RecordedProcess& process, std::uint32_t call) {
    const FilePlace place = placeOf(process, call);
    if (place.file == nullptr) return false;
    if (code::isLoaderFile(place.file->c_str())) return true;
    const std::string symbol = symbolOf(place);
    if (std::ranges::find(kEnds, symbol) != std::end(kEnds)) return true;
    // Where the C library is stripped, `__run_exit_handlers` has no name.
    const std::uint32_t caller = process.callPaths[call].caller;
    if (caller < kFirstPath || !code::isSystemFile(place.file->c_str())) return false;
    const FilePlace around = placeOf(process, caller);
    return around.file != nullptr && code::isSystemFile(around.file->c_str()) && symbolOf(around) == "exit";
}

std::string SampledCode::symbolOf(const FilePlace& place) {
    const auto& functions = codeAt(place).functions;
    return functions.empty() ? std::string() : regions_[functions.front().region - firstRegion_].symbol;
}

std::uint32_t SampledCode::contextAround(const RecordedProcess& process, std::uint32_t call) {
    const auto isSystem = [&](std::uint32_t caller) {
        if (caller < kFirstPath || isPython(process.callPaths[caller].returnAddress)) return false;
        const FilePlace place = placeOf(process, caller);
        return place.file != nullptr && code::isSystemFile(place.file->c_str());
    };
    do call = process.callPaths[call].caller;
    while (isSystem(call));
    const auto& known = pathContexts_[&process];
    const auto found = known.find(call);
    return found != known.end() ? found->second : SampledContext::kNone;
}

/// `calls`: from the innermost to the one whose caller has the context.
std::uint32_t SampledCode::followPath(const RecordedProcess& process, const std::vector<std::uint32_t>& calls,
                                      std::uint32_t context) {
    auto& known = pathContexts_[&process];
    const auto isSystem = [&](std::uint32_t call) {
        const FilePlace place = placeOf(process, call);
        return place.file != nullptr && code::isSystemFile(place.file->c_str());
    };
    // The program's own code calls the C library, which calls `main`.
    const auto isEntry = [&](std::uint32_t call) {
        const FilePlace place = placeOf(process, call);
        return process.callPaths[call].caller == kNoPath &&
               (place.file == nullptr || symbols_.isEntry(*place.file, place.offset));
    };
    for (std::size_t i = calls.size(); i-- > 0;) {
        const std::uint32_t call = calls[i];
        const RecordedCall& found = process.callPaths[call];
        const bool isNative = call >= kFirstPath && !isPython(found.returnAddress) && !isLeftOut(found);
        const bool isStart = context == SampledContext::kNone && isNative &&
                             (isSystem(call) || (i > 0 && isSystem(calls[i - 1]) && isEntry(call)));
        if (const char* const root = rootOf(call); root != nullptr) {
            context = artificial(root);
        } else if (isNative && !isStart && runsEnds(process, call)) {
            context = contextAround(process, call);
        } else if (!isStart) {
            const Instruction& code = codeOf(process, call);
            // The C library's debug information, which no call path needs, may be larger than the program's.
            if (isNative && context != SampledContext::kNone && found.caller >= kFirstPath)
                context = passedOn(context, codeOf(process, found.caller), &code);
            context = callBelow(context, code);
        }
        known[call] = context;
    }
    return context;
}

std::uint32_t SampledCode::artificialRegion(const char* name) {
    RecordedRegion region;
    region.name = region.symbol = name;
    region.role = tracing::Role::Artificial;
    return numberOfRegion(std::move(region));
}

/// Behind the last byte of a file in memory follow the variables that begin as zeros.
std::string SampledCode::dataName(const RecordedProcess& process, const SampledAccess& access) {
    const std::uint64_t address = access.address;
    const counters::MemoryPart part = access.kind.part;
    if (part == counters::MemoryPart::Heap) return "data on the heap";
    if (part == counters::MemoryPart::Stack) return "data on a stack";
    if (part == counters::MemoryPart::Other) return "data in other memory";
    const RecordedFile* file = nullptr;
    for (const RecordedFile& one : process.loadedFiles)
        if (one.begin <= address && (file == nullptr || one.begin >= file->begin)) file = &one;
    if (file == nullptr) return "data of a file";
    const std::string& path = file->path.empty() ? process.executable : file->path;
    const std::string variable = dataSymbols_.find(path, address - file->begin);
    if (!variable.empty()) return "data " + variable;
    return "data of " + std::filesystem::path(path).filename().string();
}

std::uint32_t SampledCode::dataBelow(std::uint32_t context, const RecordedProcess& process,
                                     const SampledAccess& access) {
    if (context == SampledContext::kNone || access.address == 0) return context;
    const bool isKnown = access.allocation != kNoPath;
    const std::uint32_t allocation = isKnown ? contextOf(process, access.allocation) : SampledContext::kNone;
    const std::scoped_lock lock(mutex_);
    const std::uint32_t data =
        below(context, artificialRegion(dataName(process, access).c_str()), SampledContext::kNone);
    return allocationBelow(data, allocation);
}

/// What only hands on what other functions allocate.
bool SampledCode::isAllocator(const SampledContext& context) const {
    if (context.region < firstRegion_) return false;
    const std::string& name = regions_[context.region - firstRegion_].name;
    constexpr const char* kAllocators[] = {"malloc",         "calloc",        "realloc",  "reallocarray",
                                           "posix_memalign", "aligned_alloc", "memalign", "mmap",
                                           "mmap64",         "mremap"};
    return name.starts_with("operator new") || std::ranges::find(kAllocators, name) != std::end(kAllocators);
}

std::uint32_t SampledCode::allocationBelow(std::uint32_t parent, std::uint32_t context) {
    while (context != SampledContext::kNone && isAllocator(contexts_[context]))
        context = contexts_[context].parent;
    std::vector<std::uint32_t> calls;
    for (; context != SampledContext::kNone; context = contexts_[context].parent) calls.push_back(context);
    for (std::size_t i = calls.size(); i > 0; --i) {
        const SampledContext call = contexts_[calls[i - 1]];
        if (call.region < firstRegion_) continue;
        const std::string name = "data allocated in " + regions_[call.region - firstRegion_].name;
        parent = below(parent, artificialRegion(name.c_str()), call.place);
    }
    return parent;
}

/// In the place of calls that are not known.
std::uint32_t SampledCode::artificial(const char* name) {
    return below(SampledContext::kNone, artificialRegion(name), SampledContext::kNone);
}

SampledCode::FilePlace SampledCode::placeOf(const RecordedProcess& process, std::uint32_t call) {
    const RecordedCall& found = process.callPaths[call];
    return placeOf(process, found.returnAddress - 1, found.files);
}

/// Of files that lay there one after the other it is the last one by then; where none did, one that was just
/// being written down.
const RecordedFile* SampledCode::fileAt(const RecordedProcess& process, std::uint64_t address,
                                        std::size_t files) {
    const std::span all(process.loadedFiles);
    const auto isThere = [address](const RecordedFile& one) {
        return one.begin <= address && address < one.end;
    };
    const auto by = all.first(std::min(files, all.size()));
    const auto last = std::find_if(by.rbegin(), by.rend(), isThere);
    if (last != by.rend()) return &*last;
    const auto next = std::find_if(by.end(), all.end(), isThere);
    return next != all.end() ? &*next : nullptr;
}

SampledCode::FilePlace SampledCode::placeOf(const RecordedProcess& process, std::uint64_t address,
                                            std::size_t files) {
    const RecordedFile* const file = fileAt(process, address, files);
    if (file == nullptr) return {nullptr, 0};
    return {file->path.empty() ? &process.executable : &file->path, address - file->begin};
}

const SampledCode::Instruction& SampledCode::codeOf(const RecordedProcess& process, std::uint64_t address,
                                                    std::size_t files) {
    return isPython(address) ? pythonCodeOf(process, address) : codeAt(placeOf(process, address, files));
}

const SampledCode::Instruction& SampledCode::codeOf(const RecordedProcess& process, std::uint32_t call) {
    const RecordedCall& found = process.callPaths[call];
    if (isLeftOut(found)) {
        if (leftOut_.functions.empty())
            leftOut_.functions.push_back({artificialRegion(kMore), SampledContext::kNone});
        return leftOut_;
    }
    const bool isNative = !isPython(found.returnAddress);
    return codeOf(process, found.returnAddress - (isNative ? 1 : 0), found.files);
}

const SampledCode::Instruction& SampledCode::codeAt(const FilePlace& place) {
    static const std::string kUnknownFile;
    const std::string& file = place.file != nullptr ? *place.file : kUnknownFile;
    auto& codes = *codes_.try_emplace(file).first;
    const auto [at, isNew] = codes.second.try_emplace(place.offset);
    if (isNew)
        at->second = {lookUp(codes.first, place.offset),
                      calleeAt(file, place.offset),
                      {file.empty() ? nullptr : &codes.first, place.offset, 0}};
    return at->second;
}

std::uint32_t SampledCode::calleeAt(const std::string& file, std::uint64_t offset) {
    const auto begin = file.empty() ? std::nullopt : symbols_.calledBy(file, offset);
    if (!begin) return SampledContext::kNone;
    const code::CodePlace callee = symbols_.inlinedAt(file, *begin).back();
    return isOfProgramInterface(callee) || isThunk(callee.symbol) ? SampledContext::kNone
                                                                  : regionOf(callee, file);
}

/// Functions that were inlined are called by those that they are in; a signal's handler by what it
/// interrupts.
std::vector<SampledCode::Code> SampledCode::lookUp(const std::string& file, std::uint64_t offset) {
    std::vector<code::CodePlace> places(1);
    if (!file.empty()) places = symbols_.inlinedAt(file, offset);
    std::vector<Code> codes;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (isOfProgramInterface(*place) || place->isSignalReturn) continue;
        const auto called = std::next(place);
        codes.push_back(
            {regionOf(*place, file), lineOf(*place), SampledContext::kNone,
             static_cast<std::uint32_t>(place - places.rbegin()),
             called != places.rend() ? CallPlace{called->inlinedAt, 0} : CallPlace{&file, offset}});
    }
    if (!codes.empty() && codes.back().place == SampledContext::kNone && !file.empty())
        codes.back().site = numberOfPlace(
            std::filesystem::path(file).filename().string() + '+' + inHexadecimal(offset + 1), 0);
    return codes;
}

std::uint32_t SampledCode::lineOf(const code::CodePlace& place) {
    return place.line != 0 ? numberOfPlace(place.file, place.line) : SampledContext::kNone;
}

std::uint32_t SampledCode::numberOfPlace(const std::string& file, std::uint32_t line) {
    const std::pair place(file, line);
    const auto [number, isNew] = numberOf(placeNumbers_, place);
    if (isNew) places_.push_back(place);
    return number;
}

/// Code of which not even the function's start is known counts for its file as a whole.
std::uint32_t SampledCode::regionOf(const code::CodePlace& found, const std::string& file) {
    RecordedRegion region;
    region.role = tracing::Role::Function;
    if (found.isOutlinedBody) region.paradigm = tracing::Paradigm::OpenMp;
    const bool isNamedBody = found.isOutlinedBody && found.isNamed;
    region.name = isNamedBody               ? demangled(found.symbol)
                  : !found.function.empty() ? found.function
                  : file.empty()            ? "UNKNOWN CODE"
                                            : std::filesystem::path(file).filename().string();
    region.symbol = found.isNamed && !isNamedBody ? withoutCopy(found.symbol) : region.name;
    region.file = found.definedIn.empty() ? file : found.definedIn;
    region.beginLine = found.definedAt;
    const std::uint32_t number = numberOfRegion(std::move(region));
    if (!found.isNamed && !file.empty()) unnamedIn_.try_emplace(number - firstRegion_, file);
    return number;
}

std::uint32_t SampledCode::numberOfRegion(RecordedRegion region) {
    const auto [number, isNew] =
        numberOf(regionNumbers_, std::tuple(region.name, region.file, region.beginLine));
    if (isNew)
        regions_.push_back(std::move(region));
    else
        unite(regions_[number], region);
    return firstRegion_ + number;
}

std::vector<std::uint32_t> SampledCode::renumber(std::span<const std::uint32_t> order) {
    Renumbering contexts(contexts_.size());
    std::vector<std::uint32_t> calls;
    for (std::uint32_t context : order) {
        for (; context != SampledContext::kNone && !contexts.has(context);
             context = contexts_[context].parent)
            calls.push_back(context);
        for (; !calls.empty(); calls.pop_back()) contexts(calls.back());
    }
    contexts_ = contexts.keptOf(contexts_);
    calls_.renumber(contexts.numbers(), contexts_.size());
    Renumbering regions(regions_.size());
    Renumbering places(places_.size());
    for (SampledContext& context : contexts_) {
        if (context.parent != SampledContext::kNone) context.parent = contexts(context.parent);
        if (context.place != SampledContext::kNone) context.place = places(context.place);
        if (context.region >= firstRegion_)
            context.region = firstRegion_ + regions(context.region - firstRegion_);
    }
    regions_ = regions.keptOf(regions_);
    places_ = places.keptOf(places_);
    std::map<std::uint32_t, std::string> unnamedIn;
    for (const auto& [region, file] : unnamedIn_)
        if (regions.has(region)) unnamedIn.emplace(regions(region), file);
    unnamedIn_ = std::move(unnamedIn);
    return contexts.numbers();
}

std::string howToNameFunctions(const std::map<std::string, std::size_t>& unnamed, std::size_t all) {
    constexpr std::size_t kFew = 4;
    constexpr std::size_t kMostFiles = 3;
    std::vector<std::pair<std::size_t, std::string>> files;
    std::size_t count = 0;
    for (const auto& [file, functions] : unnamed) {
        files.emplace_back(functions, file);
        count += functions;
    }
    if (count <= kFew || count < all - count) return {};
    std::ranges::stable_sort(files, [](const auto& a, const auto& b) { return a.first > b.first; });
    const std::size_t others = files.size() - std::min(files.size(), kMostFiles);
    files.resize(files.size() - others);

    std::string text = std::to_string(count) + " of " + std::to_string(all) +
                       " functions on call paths have no name: those of ";
    for (std::size_t i = 0; i < files.size(); ++i)
        text += (i > 0 ? ", " : "") + std::filesystem::path(files[i].second).filename().string() + " (" +
                std::to_string(files[i].first) + ')';
    if (others > 0) text += " and " + counted(others, "other file");
    const auto ofSystem = [](const auto& one) {
        return one.second.starts_with("/usr/") || one.second.starts_with("/lib");
    };
    const bool isPackaged = std::ranges::any_of(files, ofSystem);
    const bool isOwn = !std::ranges::all_of(files, ofSystem);
    text += ". Names come with";
    if (isPackaged)
        text += " debug packages (Debian: PACKAGE-dbgsym, after `dpkg -S FILE`; Fedora: debuginfo-install)";
    if (isOwn) text += isPackaged ? ", or" : "";
    if (isOwn) text += " programs that are built with -g and not stripped";
    return text + ", before the trace is made";
}

std::string SampledCode::howToName() const {
    std::map<std::string, std::size_t> unnamed;
    for (const auto& [region, file] : unnamedIn_) ++unnamed[file];
    return howToNameFunctions(unnamed, regions_.size());
}

namespace {

namespace fs = std::filesystem;

/// By which a program tells of itself, as by `holos.h`: no function of the program.
bool isOwnModule(const std::string& file) {
    return fs::path(file).filename() == "holos_regions.py";
}

/// As people call a module: a package by its folder, as all of them have an `__init__.py`.
std::string moduleOf(const fs::path& file) {
    const bool isPackage = file.filename() == "__init__.py" && file.has_parent_path();
    const std::string folder = isPackage ? file.parent_path().filename().string() : "";
    return folder.empty() ? file.filename().string() : folder + '/' + file.filename().string();
}

}  // namespace

const SampledCode::Instruction& SampledCode::pythonCodeOf(const RecordedProcess& process,
                                                          std::uint64_t call) {
    const auto [at, isNew] = pythonCodes_.try_emplace({&process, call});
    if (!isNew) return at->second;
    const auto [number, line] = tracing::stacks::python::pythonCall(call);
    RecordedRegion region;
    region.role = tracing::Role::Function;
    const auto found = process.pythonFunctions.find(number);
    if (found != process.pythonFunctions.end() && isOwnModule(found->second.file)) return at->second;
    if (found == process.pythonFunctions.end()) {
        region.name = "UNKNOWN CODE";
    } else {
        region.name = moduleOf(found->second.file) + ':' + found->second.name;
        region.file = found->second.file;
        region.beginLine = found->second.firstLine;
    }
    region.symbol = region.name;
    Code code{numberOfRegion(region), SampledContext::kNone};
    if (line != 0 && !region.file.empty()) code.place = numberOfPlace(region.file, line);
    at->second.functions = {code};
    return at->second;
}

}  // namespace holos::archive
