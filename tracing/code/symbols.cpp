// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/symbols.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/function_name.h"
#include "base/input_file.h"
#include "base/number.h"

namespace holos::code {
namespace {

bool areInOneCopy(const CallOrder::Call& one, const CallOrder::Call& other, std::size_t inlined) {
    return one.inlined.size() > inlined && other.inlined.size() > inlined &&
           one.inlined[inlined].entry == other.inlined[inlined].entry;
}

}  // namespace

const FunctionFlow* CallOrder::flowAround(const Call& call) {
    const auto extent = extents_.at(call.returned - 1);
    if (!extent) return nullptr;
    const auto [found, isNew] = flows_.try_emplace(extent->begin);
    if (isNew) found->second = FunctionFlow::at({code_, extents_, pads_, twice_, data_}, extent->begin);
    const FunctionFlow* const flow = found->second.get();
    return flow != nullptr && flow->hasCall(call.returned) ? flow : nullptr;
}

bool CallOrder::mayFollow(const Call& first, const Call& second, std::size_t depth) {
    const FunctionFlow* const flow = flowAround(first);
    if (flow == nullptr || !flow->hasCall(second.returned)) return true;
    if (depth > first.inlined.size() || depth > second.inlined.size()) return true;
    if (depth > 0 && !areInOneCopy(first, second, depth - 1)) return false;
    const std::pair asked(first.returned, depth);
    if (!recent_ || recent_->first != asked) {
        const CodeRanges* const within = depth > 0 ? &first.inlined[depth - 1].code : nullptr;
        const CodeRanges* const inner = depth < first.inlined.size() ? &first.inlined[depth].code : nullptr;
        recent_.emplace(asked, flow->after(first.returned, within, inner));
    }
    const FunctionFlow::Reach& reach = recent_->second;
    return areInOneCopy(first, second, depth) ? reach.includesFromOutside(second.returned)
                                              : reach.includes(second.returned);
}

namespace {

/// The address in the file at which what is loaded of it begins.
std::uint64_t firstAddress(Elf* elf) {
    std::size_t count = 0;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    if (elf_getphdrnum(elf, &count) != 0) return 0;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header{};
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD) continue;
        const std::uint64_t alignment = std::max<std::uint64_t>(header.p_align, 1);
        first = std::min(first, header.p_vaddr - header.p_vaddr % alignment);
    }
    return first == std::numeric_limits<std::uint64_t>::max() ? 0 : first;
}

}  // namespace

DataSymbols::Variables DataSymbols::variablesOf(const std::string& path) {
    Variables all;
    elf_version(EV_CURRENT);
    const Descriptor file = openRegular(path);
    if (!file) return all;
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file.number(), ELF_C_READ_MMAP, nullptr),
                                                  &elf_end);
    const std::uint64_t first = elf ? firstAddress(elf.get()) : 0;
    for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        if (data == nullptr || header.sh_entsize == 0) continue;
        const std::uint64_t count = header.sh_size / header.sh_entsize;
        GElf_Sym symbol{};
        for (int i = 0; static_cast<std::uint64_t>(i) < count && gelf_getsym(data, i, &symbol) != nullptr;
             ++i) {
            const bool isVariable = GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                                    symbol.st_shndx != SHN_UNDEF && symbol.st_size > 0;
            const char* const name = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
            if (!isVariable || name == nullptr || symbol.st_value < first) continue;
            const std::uint64_t begin = symbol.st_value - first;
            all.try_emplace(begin, Variable{begin + symbol.st_size, demangled(name)});
        }
    }
    return all;
}

std::string DataSymbols::find(const std::string& file, std::uint64_t offset) {
    const auto [known, isNew] = files_.try_emplace(file);
    if (isNew) known->second = variablesOf(file);
    const auto behind = known->second.upper_bound(offset);
    if (behind == known->second.begin()) return {};
    const Variable& variable = std::prev(behind)->second;
    return offset < variable.end ? variable.name : std::string();
}

namespace {

/// The code that begins a program is some ten instructions up to the call of `__libc_start_main`.
constexpr int kMostInstructions = 24;
/// Its first parameter is `main`: `rdi` (System V ABI for AMD64), as the instructions number it.
constexpr Operation::Register kFirstParameter = 7;

bool isConstant(const Operation::Sum& sum) {
    return sum.base == Operation::kNone && sum.index == Operation::kNone;
}

/// Where the program's `main` begins, from what the code that begins the program hands to the C library: also
/// stripped programs have it. In the file's own terms; none where the code is of another form, as on aarch64,
/// where the address comes from a table.
std::optional<std::uint64_t> mainFunction(Elf* elf, std::uint64_t entry) {
    GElf_Ehdr header{};
    if (gelf_getehdr(elf, &header) == nullptr || header.e_machine != EM_X86_64) return {};
    const MachineCode code(elf);
    std::optional<std::uint64_t> found;
    std::uint64_t address = entry;
    for (int i = 0; i < kMostInstructions; ++i) {
        const auto instruction = code.at(address);
        if (!instruction) return {};
        // The C library's function is called through a place in memory, in a program that it is not part of.
        if (instruction->kind == Instruction::Kind::Call)
            return instruction->slot || (instruction->target && code.slotOfStub(*instruction->target))
                       ? found
                       : std::nullopt;
        if (instruction->kind != Instruction::Kind::Plain && instruction->kind != Instruction::Kind::Padding)
            return {};
        const Operation operation = code.operationAt(address);
        if ((operation.changed & (1U << kFirstParameter)) != 0) found.reset();
        if (operation.kind == Operation::Kind::Set && operation.to == kFirstParameter &&
            isConstant(operation.sum))
            found = operation.sum.constant;
        address += instruction->size;
    }
    return {};
}

}  // namespace

/// A function's symbol.
struct CodeSymbol {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    const char* name = nullptr;  ///< the file's, which outlives the table
    unsigned char rank = 0;      ///< of several at one place the lowest has the name
    bool isOpen = false;         ///< the file does not say its size; it ends where the next one begins
};

/// The functions of a program or library in the order of their addresses: of `.symtab`, its own or that of
/// its debug file, else of `.dynsym` and mini debug information (`.gnu_debugdata`).
class SymbolTable {
  public:
    explicit SymbolTable(Dwfl_Module* module);

    /// The symbol whose function has this address of the module; null where there is none. `begin`: where the
    /// code begins that unwinding takes for one function, 0 where that is not known. A symbol of which the
    /// file does not say how large it is has the name only if it lies in that code.
    const CodeSymbol* at(std::uint64_t address, std::uint64_t begin) const;

  private:
    void dropLabels();
    std::uint64_t nextBegin(std::size_t place) const;

    std::vector<CodeSymbol> symbols_;
    std::vector<std::uint64_t> reach_;  ///< the highest end of a symbol up to this one
};

namespace {

/// Names that programs are written with come first: global ones, and those without leading underscores.
unsigned char rankOf(const GElf_Sym& symbol, const char* name) {
    constexpr unsigned kMost = 15;
    const unsigned binding = GELF_ST_BIND(symbol.st_info);
    const unsigned rank = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
    const bool isMangled = name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
    const std::size_t underscores = isMangled ? 0 : std::strspn(name, "_");
    return static_cast<unsigned char>(rank * (kMost + 1) + std::min<std::size_t>(underscores, kMost));
}

bool isCode(const GElf_Sym& symbol, const char* name) {
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    const bool isNamed = name != nullptr && name[0] != '\0' && name[0] != '$';  // $x: a mark in code of Arm
    return isNamed && symbol.st_shndx != SHN_UNDEF &&
           (type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC);
}

}  // namespace

SymbolTable::SymbolTable(Dwfl_Module* module) {
    const int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; ++i) {
        GElf_Sym symbol{};
        GElf_Addr address = 0;
        GElf_Word section = 0;
        const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, nullptr, nullptr);
        if (!isCode(symbol, name) || section == SHN_ABS) continue;
        if (address > std::numeric_limits<std::uint64_t>::max() - symbol.st_size) continue;
        symbols_.push_back({address, symbol.st_size, name, rankOf(symbol, name), symbol.st_size == 0});
    }
    std::ranges::sort(symbols_, [](const CodeSymbol& a, const CodeSymbol& b) {
        return std::tuple(a.begin, a.isOpen, a.rank, std::string_view(a.name)) <
               std::tuple(b.begin, b.isOpen, b.rank, std::string_view(b.name));
    });
    dropLabels();
    for (std::size_t i = symbols_.size(); i-- > 0;)
        if (symbols_[i].isOpen) symbols_[i].size = nextBegin(i) - symbols_[i].begin;
    std::uint64_t reach = 0;
    for (const auto& symbol : symbols_) {
        reach = std::max(reach, symbol.begin + symbol.size);
        reach_.push_back(reach);
    }
}

/// Marks without a size inside of functions.
void SymbolTable::dropLabels() {
    std::uint64_t reach = 0;
    std::erase_if(symbols_, [&reach](const CodeSymbol& symbol) {
        if (!symbol.isOpen) reach = std::max(reach, symbol.begin + symbol.size);
        return symbol.isOpen && symbol.begin < reach;
    });
}

std::uint64_t SymbolTable::nextBegin(std::size_t place) const {
    const std::uint64_t begin = symbols_[place].begin;
    while (place < symbols_.size() && symbols_[place].begin == begin) ++place;
    return place < symbols_.size() ? symbols_[place].begin : std::numeric_limits<std::uint64_t>::max();
}

const CodeSymbol* SymbolTable::at(std::uint64_t address, std::uint64_t begin) const {
    const CodeSymbol* found = nullptr;
    auto at = std::ranges::upper_bound(symbols_, address, {}, &CodeSymbol::begin);
    while (at != symbols_.begin()) {
        --at;
        if (found != nullptr && at->begin != found->begin) break;
        const bool isKnown = !at->isOpen || (begin != 0 && at->begin >= begin);
        if (isKnown && address - at->begin < at->size) found = &*at;
        if (reach_[static_cast<std::size_t>(at - symbols_.begin())] <= address) break;
    }
    return found;
}

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
        elf_ = elf;
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

    std::optional<std::uint64_t> beginOf(std::uint64_t offset) const {
        const auto extent = extents_ != nullptr ? extents_->at(firstLoaded_ + offset) : std::nullopt;
        return extent ? std::optional(extent->begin - firstLoaded_) : std::nullopt;
    }

    std::vector<Line> instructionsFrom(std::uint64_t begin) const {
        const auto extent = extents_ != nullptr ? extents_->at(firstLoaded_ + begin) : std::nullopt;
        if (!extent || extent->begin != firstLoaded_ + begin) return {};
        std::vector<Line> lines;
        for (InstructionText& one : Disassembly(elf_).between(extent->begin, extent->end))
            lines.push_back({one.address - firstLoaded_, one.size, std::move(one.text)});
        return lines;
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
            place.function = place.isNamed ? "main" : name_ + '+' + inHexadecimal(extent->begin);
            place.intoFunction = address - extent->begin;
            place.isOutlinedBody = bodies_.contains(extent->begin);
        }
    }

    std::string name_;
    std::unique_ptr<Dwfl, decltype(&dwfl_end)> session_;
    Dwfl_Module* module_ = nullptr;
    Elf* elf_ = nullptr;
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

std::optional<std::uint64_t> Symbols::beginOf(const std::string& object, std::uint64_t offset) {
    return open(object).beginOf(offset);
}

std::vector<Symbols::Line> Symbols::instructionsFrom(const std::string& object, std::uint64_t begin) {
    return open(object).instructionsFrom(begin);
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
