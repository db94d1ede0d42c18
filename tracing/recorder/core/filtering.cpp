// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/filtering.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_name.h"
#include "tracing/filter/filter.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

/// The functions of a program or library file, which `dladdr` knows only where other libraries may see them.
/// Whatever is wrong with the file: it has no names then.
class SymbolTable {
  public:
    /// May throw for lack of memory.
    explicit SymbolTable(const char* path);

    /// The name, as the linker knows it, of the function that begins at that offset in the file as it is
    /// loaded; empty when there is none.
    std::string at(std::uint64_t offset) const;

    /// Whether some of the file was written in Fortran: it needs the language's library.
    bool isOfFortran() const noexcept { return isOfFortran_; }

  private:
    struct Symbol {
        std::uint64_t offset;
        std::string name;
    };
    std::vector<Symbol> symbols_;  ///< by offset
    bool isOfFortran_ = false;
};

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Segment = ElfW(Phdr);
using Entry = ElfW(Sym);

/// A file in memory while one exists; nothing that lies outside of it can be got.
class MappedFile {
  public:
    explicit MappedFile(const char* path) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (file < 0) return;
        if (::fstat(file, &facts) == 0 && facts.st_size > 0) {
            size_ = static_cast<std::size_t>(facts.st_size);
            void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
            if (memory != MAP_FAILED) begin_ = static_cast<const char*>(memory);
        }
        ::close(file);
    }
    ~MappedFile() {
        if (begin_ != nullptr) ::munmap(const_cast<char*>(begin_), size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Things of a type; empty when they do not lie within the file.
    template <class Type>
    std::span<const Type> get(std::uint64_t offset, std::uint64_t count) const {
        if (begin_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(Type)) return {};
        return {reinterpret_cast<const Type*>(begin_ + offset), static_cast<std::size_t>(count)};
    }

  private:
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
};

/// The address that the file gives to what is loaded first: 0 unless it has fixed addresses.
std::uint64_t firstAddress(std::span<const Segment> segments) {
    constexpr std::uint64_t kPage = 4096;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (const Segment& segment : segments)
        if (segment.p_type == PT_LOAD) first = std::min<std::uint64_t>(first, segment.p_vaddr & ~(kPage - 1));
    return first;
}

bool isFunction(const Entry& entry) {
    return (entry.st_info & 0xF) == STT_FUNC && entry.st_shndx != SHN_UNDEF;
}

/// By the functions of gfortran's and flang's libraries.
bool needsFortran(std::string_view name) {
    return name.starts_with("_gfortran_") || name.starts_with("_Fortran");
}

SymbolTable::SymbolTable(const char* path) {
    const MappedFile file(path);
    const auto header = file.get<Header>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return;
    const auto sections = file.get<Section>(header[0].e_shoff, header[0].e_shnum);
    const std::uint64_t first = firstAddress(file.get<Segment>(header[0].e_phoff, header[0].e_phnum));
    for (const Section& section : sections) {
        if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) ||
            section.sh_link >= sections.size())
            continue;
        const Section& strings = sections[section.sh_link];
        const auto names = file.get<char>(strings.sh_offset, strings.sh_size);
        for (const Entry& entry : file.get<Entry>(section.sh_offset, section.sh_size / sizeof(Entry))) {
            if (entry.st_name >= names.size()) continue;
            const char* const name = names.data() + entry.st_name;
            isOfFortran_ = isOfFortran_ || needsFortran({name, names.size() - entry.st_name});
            if (!isFunction(entry)) continue;
            symbols_.push_back(
                {entry.st_value - first, std::string(name, ::strnlen(name, names.size() - entry.st_name))});
        }
    }
    std::stable_sort(symbols_.begin(), symbols_.end(),
                     [](const Symbol& a, const Symbol& b) { return a.offset < b.offset; });
}

std::string SymbolTable::at(std::uint64_t offset) const {
    const auto found =
        std::lower_bound(symbols_.begin(), symbols_.end(), offset,
                         [](const Symbol& symbol, std::uint64_t wanted) { return symbol.offset < wanted; });
    return found != symbols_.end() && found->offset == offset ? found->name : std::string();
}

/// `holos record` lays the filter beside the recording.
filter::Filter readOwnFilter() {
    const KeepErrno keep;
    const char* const folder = std::getenv(kRecordingVariable);
    const std::string path = std::string(folder != nullptr ? folder : "") + "/filter";
    if (::access(path.c_str(), R_OK) != 0) return {};
    try {
        return filter::readFilter(path);
    } catch (const std::exception& error) {
        trouble((std::string("the filter cannot be used: ") + error.what()).c_str());
        return {};
    }
}

/// Never destroyed: threads may still define regions while the program ends.
const filter::Filter& ownFilter() {
    static const auto* const kFilter = new filter::Filter(readOwnFilter());
    return *kFilter;
}

const SymbolTable& symbolsOf(const std::string& object) {
    static auto* const tables = new std::map<std::string, SymbolTable>;
    return tables->try_emplace(object, object.c_str()).first->second;
}

std::atomic<bool> expectsBodies{false};

}  // namespace

void expectBodiesOfConstructs() noexcept {
    expectsBodies.store(true, std::memory_order_relaxed);
}

bool isFilteredOut(const RegionDefinition& region) {
    if (region.paradigm != Paradigm::User || ownFilter().isEmpty()) return false;
    return ownFilter().excludesRegion(region.name) ||
           (region.file != nullptr && ownFilter().excludesFile(region.file));
}

bool isCallFilteredOut(const char* name) noexcept try {
    const Pause pause;
    return !ownFilter().isEmpty() && ownFilter().excludesCall(name);
} catch (const std::exception&) {
    return false;
}

bool isLeftOut(const RegionDefinition& region) noexcept try {
    const Pause pause;
    return isFilteredOut(region) && !isWantedPhase(region.name);
} catch (const std::exception&) {
    return false;
}

bool isFilteredOut(const std::string& object, std::uint64_t offset) {
    const bool mayBeBody = expectsBodies.load(std::memory_order_relaxed);
    if (ownFilter().regions().empty() && !mayBeBody) return false;
    static std::mutex* const mutex = new std::mutex;
    const std::scoped_lock lock(*mutex);
    const SymbolTable& symbols = symbolsOf(object);
    const std::string symbol = symbols.at(offset);
    if (symbol.empty()) return false;
    if (mayBeBody && isOutlinedBody(symbol)) return true;
    return symbols.isOfFortran() ? ownFilter().excludesProcedure(symbol)
                                 : ownFilter().excludesFunction(symbol);
}

}  // namespace holos::tracing::core
