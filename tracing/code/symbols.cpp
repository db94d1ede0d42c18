// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/symbols.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/function_name.h"
#include "tracing/code/debug/source_functions.h"
#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/direct_calls.h"
#include "tracing/code/machine/main_function.h"
#include "tracing/code/symbol_table.h"

namespace holos::code {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPage = 4096;
/// The code that begins a program is a few instructions.
constexpr std::uint64_t kMostOfEntry = 64;

/// The address in the file's own terms of what is loaded first: 0 unless the file has fixed addresses.
std::uint64_t firstLoadedAddress(Elf* elf) {
    std::size_t parts = 0;
    if (elf_getphdrnum(elf, &parts) != 0) return 0;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < parts; ++i) {
        GElf_Phdr part{};
        if (gelf_getphdr(elf, static_cast<int>(i), &part) != nullptr && part.p_type == PT_LOAD)
            first = std::min(first, part.p_vaddr & ~(kPage - 1));
    }
    return first == std::numeric_limits<std::uint64_t>::max() ? 0 : first;
}

/// Programs are opened by their paths, and never looked for.
int findNoFile(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) {
    return -1;
}

/// The module's own data are the `DebugFiles`. The library frees the name, and closes the file.
int findDebugFile(Dwfl_Module*, void** userData, const char*, Dwarf_Addr, const char* file, const char* link,
                  GElf_Word checksum, char** name) {
    const auto* files = static_cast<const DebugFiles*>(*userData);
    if (files == nullptr || file == nullptr) return -1;
    const fs::path found = files->find(file, link != nullptr ? link : "", checksum);
    if (found.empty()) return -1;
    *name = ::strdup(found.c_str());
    return ::open(found.c_str(), O_RDONLY | O_CLOEXEC);
}

// Not those of the library itself: they ask servers for files (debuginfod).
const Dwfl_Callbacks kCallbacks = {findNoFile, findDebugFile, dwfl_offline_section_address, nullptr};

}  // namespace

/// A program or library, opened for its symbols.
class Symbols::Object {
  public:
    Object(const std::string& path, DebugFiles& debugFiles)
        : name_(fs::path(path).filename().string()), session_(dwfl_begin(&kCallbacks), &dwfl_end) {
        std::error_code unreadable;
        if (session_ == nullptr || !fs::is_regular_file(path, unreadable)) return;
        module_ = dwfl_report_offline(session_.get(), path.c_str(), path.c_str(), -1);
        dwfl_report_end(session_.get(), nullptr, nullptr);
        if (module_ == nullptr) return;
        void** userData = nullptr;
        dwfl_module_info(module_, &userData, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        if (userData != nullptr) *userData = &debugFiles;
        Elf* elf = dwfl_module_getelf(module_, &bias_);
        if (elf == nullptr) return;
        calls_ = std::make_unique<DirectCalls>(elf);
        firstLoaded_ = firstLoadedAddress(elf);
        GElf_Ehdr header{};
        if (gelf_getehdr(elf, &header) != nullptr) entry_ = header.e_entry;
        if (entry_ != 0) main_ = mainFunction(elf, entry_);
        symbols_ = std::make_unique<SymbolTable>(module_);
        extents_ = std::make_unique<CodeExtents>(elf);
        source_ = std::make_unique<SourceFunctions>(dwfl_module_getdwarf(module_, &sourceBias_));
        order_ = std::make_unique<CallOrder>(elf, *extents_);
    }

    std::vector<CodePlace> at(std::uint64_t offset) {
        const std::uint64_t address = firstLoaded_ + offset;
        const std::uint64_t inSource = address + bias_ - sourceBias_;
        std::vector<SourceFrame> frames;
        if (source_ != nullptr) frames = source_->at(inSource);
        std::vector<CodePlace> places;
        for (const auto& frame : frames) places.push_back(placeOf(frame, inSource));
        if (places.empty()) places.emplace_back();
        if (symbols_ != nullptr)
            addFunction(address, frames.empty() ? nullptr : frames.back().function, places.back());
        for (auto& place : places) place.address = address;
        return places;
    }

    CallLines around(std::uint64_t offset) {
        if (source_ == nullptr) return {};
        return source_->around(firstLoaded_ + offset + bias_ - sourceBias_);
    }

    std::optional<std::uint64_t> calledBy(std::uint64_t offset) const {
        if (calls_ == nullptr) return {};
        const auto target = calls_->targetAt(firstLoaded_ + offset + 1);
        const auto extent = target ? extents_->at(*target) : std::nullopt;
        if (!extent || extent->begin != *target) return {};
        return *target - firstLoaded_;
    }

    std::optional<CallOrder::Call> callAt(std::uint64_t offset) {
        if (order_ == nullptr) return {};
        const std::uint64_t address = firstLoaded_ + offset;
        const std::uint64_t fromSource = sourceBias_ - bias_;
        CallOrder::Call call{address + 1, source_->inlinedAt(address - fromSource)};
        if (!order_->isKnown(call)) return {};
        for (auto& inlined : call.inlined)
            for (auto& [begin, end] : inlined.code) {
                begin += fromSource;
                end += fromSource;
            }
        return call;
    }

    bool mayFollow(const CallOrder::Call& first, const CallOrder::Call& second, std::size_t depth) {
        return order_ == nullptr || order_->mayFollow(first, second, depth);
    }

    bool isEntry(std::uint64_t offset) const {
        if (extents_ == nullptr) return true;
        const std::uint64_t address = firstLoaded_ + offset;
        const auto extent = extents_->at(address);
        return extent ? extent->begin == entry_ : address >= entry_ && address - entry_ < kMostOfEntry;
    }

    /// A function that begins there is the body of an OpenMP construct, which nothing else tells where it has
    /// no name.
    void addBody(std::uint64_t offset) { bodies_.insert(firstLoaded_ + offset); }

  private:
    static CodePlace placeOf(const SourceFrame& frame, std::uint64_t address) {
        CodePlace place;
        place.file = frame.file;
        place.line = frame.line;
        place.inlinedAt = frame.inlinedAt;
        if (frame.function == nullptr) return place;
        place.function = frame.function->name;
        place.symbol = frame.function->symbol.empty() ? frame.function->name : frame.function->symbol;
        place.definedIn = frame.function->file;
        place.definedAt = frame.function->line;
        place.isNamed = !place.function.empty();
        place.isOutlinedBody = isOutlinedBody(place.symbol);
        place.isInlined = frame.begin == 0;
        if (!place.isInlined) place.intoFunction = address - frame.begin;
        return place;
    }

    /// The linker's name is that of the whole function, with its parameters. Of Fortran the source's is
    /// better, and where the linker's cannot be read.
    void addFunction(std::uint64_t address, const SourceFunction* source, CodePlace& place) const {
        const auto extent = extents_->at(address);
        place.isSignalReturn = extent && extent->isSignalReturn;
        const CodeSymbol* symbol = symbols_->at(address + bias_, extent ? extent->begin + bias_ : 0);
        if (symbol != nullptr) {
            place.symbol = symbol->name;
            place.function = demangled(std::string(withoutCopy(place.symbol)));
            place.intoFunction = address + bias_ - symbol->begin;
            place.isOutlinedBody = isOutlinedBody(place.symbol);
            place.isNamed = true;
            const bool isMangled = place.function.starts_with("_Z") || place.function.starts_with("_R");
            if (source != nullptr && !source->name.empty() && (source->isOfFortran || isMangled))
                place.function = source->name;
        } else if (!place.isNamed && extent) {
            place.isNamed = extent->begin == main_;
            place.function = place.isNamed ? "main" : name_ + '+' + hexadecimal(extent->begin);
            place.intoFunction = address - extent->begin;
            place.isOutlinedBody = bodies_.contains(extent->begin);
        }
    }

    std::string name_;
    std::unique_ptr<Dwfl, decltype(&dwfl_end)> session_;
    Dwfl_Module* module_ = nullptr;
    GElf_Addr bias_ = 0;
    Dwarf_Addr sourceBias_ = 0;
    std::uint64_t firstLoaded_ = 0;
    std::uint64_t entry_ = 0;
    std::optional<std::uint64_t> main_;
    std::unique_ptr<SymbolTable> symbols_;
    std::unique_ptr<CodeExtents> extents_;
    std::unique_ptr<DirectCalls> calls_;
    std::unique_ptr<SourceFunctions> source_;
    std::unique_ptr<CallOrder> order_;
    std::set<std::uint64_t> bodies_;
};

Symbols::Symbols(DebugFiles debugFiles) : debugFiles_(std::move(debugFiles)) {}
Symbols::~Symbols() = default;

Symbols::Object& Symbols::open(const std::string& path) {
    auto& object = objects_[path];
    if (!object) object = std::make_unique<Object>(path, debugFiles_);
    return *object;
}

void Symbols::addBody(const std::string& object, std::uint64_t offset) {
    open(object).addBody(offset);
}

std::vector<CodePlace> Symbols::inlinedAt(const std::string& object, std::uint64_t offset) {
    return open(object).at(offset);
}

std::optional<std::uint64_t> Symbols::calledBy(const std::string& object, std::uint64_t offset) {
    return open(object).calledBy(offset);
}

std::optional<CallOrder::Call> Symbols::callAt(const std::string& object, std::uint64_t offset) {
    return open(object).callAt(offset);
}

bool Symbols::mayFollow(const std::string& object, const CallOrder::Call& first,
                        const CallOrder::Call& second, std::size_t depth) {
    return open(object).mayFollow(first, second, depth);
}

bool Symbols::isEntry(const std::string& object, std::uint64_t offset) {
    return open(object).isEntry(offset);
}

CodePlace Symbols::find(const std::string& object, std::uint64_t offset) {
    auto places = inlinedAt(object, offset);
    CodePlace place = std::move(places.back());
    place.file = places.size() > 1 ? places.front().file : place.file;
    place.line = places.front().line;
    return place;
}

CallLines Symbols::around(const std::string& object, std::uint64_t offset) {
    return open(object).around(offset);
}

}  // namespace holos::code
