// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/symbol_table.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

namespace holos::tracing::core {
namespace {

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

}  // namespace

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

}  // namespace holos::tracing::core
