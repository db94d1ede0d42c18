// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/exported_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace holos::code {
namespace {

constexpr std::uint64_t kPage = 4096;

/// By the hash of a name (the format of `DT_GNU_HASH`).
std::uint32_t gnuHashOf(const char* name) noexcept {
    std::uint32_t hash = 5381;
    for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

/// As for `DT_HASH` (System V ABI, "Hash Table").
std::uint32_t hashOf(const char* name) noexcept {
    constexpr std::uint32_t kUpper = 0xF0000000;
    std::uint32_t hash = 0;
    for (; *name != '\0'; ++name) {
        hash = (hash << 4U) + static_cast<unsigned char>(*name);
        hash = (hash ^ ((hash & kUpper) >> 24U)) & ~kUpper;
    }
    return hash;
}

template <class T>
const T* at(std::uint64_t address) noexcept {
    return reinterpret_cast<const T*>(bytesAt(address));
}

struct GnuTable {
    std::uint32_t buckets;
    std::uint32_t firstSymbol;
    std::uint32_t filterWords;
    std::uint32_t shift;
};

}  // namespace

ExportedSymbols::Parts ExportedSymbols::partsOf(std::uint64_t bias, const ElfW(Phdr) * parts,
                                                std::size_t count) noexcept {
    Parts found{~std::uint64_t{0}, 0, bias, nullptr};
    for (const ElfW(Phdr)* part = parts; part != parts + count; ++part) {
        const std::uint64_t begin = bias + part->p_vaddr;
        if (part->p_type == PT_LOAD) found.begin = std::min(found.begin, begin & ~(kPage - 1));
        if (part->p_type == PT_LOAD) found.end = std::max(found.end, begin + part->p_memsz);
        if (part->p_type == PT_DYNAMIC) found.entries = at<ElfW(Dyn)>(begin);
    }
    return found;
}

ExportedSymbols::Parts ExportedSymbols::partsOf(const LoadedFile& file) noexcept {
    const auto* const header = at<ElfW(Ehdr)>(file.begin);
    if (file.end - file.begin < kPage || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > kPage)
        return {};
    const auto* const parts = at<ElfW(Phdr)>(file.begin + header->e_phoff);
    const Parts linked = partsOf(0, parts, header->e_phnum);
    return partsOf(file.begin - linked.begin, parts, header->e_phnum);
}

ExportedSymbols::ExportedSymbols(const LoadedFile& file) noexcept : ExportedSymbols(partsOf(file)) {}

ExportedSymbols::ExportedSymbols(const dl_phdr_info& file) noexcept
    : ExportedSymbols(partsOf(file.dlpi_addr, file.dlpi_phdr, file.dlpi_phnum)) {}

ExportedSymbols::ExportedSymbols(const Parts& parts) noexcept : bias_(parts.bias), entries_(parts.entries) {
    if (entries_ == nullptr) return;
    // Dynamic linkers may have made an address in memory of it.
    const auto inMemory = [&](std::uint64_t address) {
        return address >= parts.begin && address < parts.end ? address : address + parts.bias;
    };
    const ElfW(Dyn)* ownName = nullptr;
    for (const ElfW(Dyn)* entry = entries_; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB) symbols_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) names_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_GNU_HASH) gnuHashes_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_HASH) hashes_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_VERSYM) versions_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_SONAME) ownName = entry;
    }
    if (ownName != nullptr && names_ != 0) name_ = nameAt(ownName->d_un.d_val);
}

const char* ExportedSymbols::nameAt(std::uint64_t offset) const noexcept {
    return at<char>(names_ + offset);
}

ExportedSymbols::Symbol ExportedSymbols::symbolAt(std::uint32_t number, const char* name) const noexcept {
    const auto& symbol = at<ElfW(Sym)>(symbols_)[number];
    if (symbol.st_shndx == SHN_UNDEF || std::strcmp(nameAt(symbol.st_name), name) != 0) return {};
    constexpr unsigned kIsOld = 0x8000;  // kept for programs that were linked with it
    if (versions_ != 0 && (at<ElfW(Half)>(versions_)[number] & kIsOld) != 0) return {};
    constexpr unsigned kType = 0xF;
    return {bias_ + symbol.st_value, symbol.st_size, (symbol.st_info & kType) == STT_GNU_IFUNC};
}

ExportedSymbols::Symbol ExportedSymbols::findInGnuTable(const char* name) const noexcept {
    const GnuTable& table = *at<GnuTable>(gnuHashes_);
    if (table.buckets == 0 || table.filterWords == 0) return {};
    const std::uint32_t hash = gnuHashOf(name);
    constexpr unsigned kBits = 64;
    const auto* const filter = at<std::uint64_t>(gnuHashes_ + sizeof table);
    const std::uint64_t word = filter[(hash / kBits) % table.filterWords];
    if ((word >> (hash % kBits) & word >> ((hash >> table.shift) % kBits) & 1U) == 0) return {};
    const auto* const buckets = reinterpret_cast<const std::uint32_t*>(filter + table.filterWords);
    const std::uint32_t* const chains = buckets + table.buckets;
    std::uint32_t number = buckets[hash % table.buckets];
    if (number < table.firstSymbol) return {};
    for (bool isLast = false; !isLast; ++number) {
        const std::uint32_t other = chains[number - table.firstSymbol];
        isLast = (other & 1U) != 0;
        if ((other | 1U) != (hash | 1U)) continue;
        if (const Symbol found = symbolAt(number, name); found.address != 0) return found;
    }
    return {};
}

ExportedSymbols::Symbol ExportedSymbols::findInTable(const char* name) const noexcept {
    const auto* const counts = at<std::uint32_t>(hashes_);
    const std::uint32_t count = counts[0];
    if (count == 0) return {};
    const std::uint32_t* const buckets = counts + 2;
    const std::uint32_t* const chains = buckets + count;
    for (std::uint32_t number = buckets[hashOf(name) % count]; number != STN_UNDEF; number = chains[number])
        if (const Symbol found = symbolAt(number, name); found.address != 0) return found;
    return {};
}

ExportedSymbols::Symbol ExportedSymbols::find(const char* name) const noexcept {
    if (symbols_ == 0 || names_ == 0) return {};
    if (gnuHashes_ != 0) return findInGnuTable(name);
    return hashes_ != 0 ? findInTable(name) : Symbol{};
}

}  // namespace holos::code
