// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/exported_symbols.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

namespace holos::tracing::stacks::python {
namespace {

constexpr std::uint64_t kPage = 4096;

/// By the hash of a name (the format of `DT_GNU_HASH`).
std::uint32_t hashOf(const char* name) noexcept {
    std::uint32_t hash = 5381;
    for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

template <class T>
const T* at(std::uint64_t address) noexcept {
    return reinterpret_cast<const T*>(code::bytesAt(address));
}

struct HashTable {
    std::uint32_t buckets;
    std::uint32_t firstSymbol;
    std::uint32_t filterWords;
    std::uint32_t shift;
};

}  // namespace

ExportedSymbols::ExportedSymbols(const code::LoadedFile& file) noexcept : begin_(file.begin), end_(file.end) {
    const auto* const header = at<ElfW(Ehdr)>(file.begin);
    if (file.end - file.begin < kPage || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > kPage)
        return;
    const auto* const parts = at<ElfW(Phdr)>(file.begin + header->e_phoff);
    std::uint64_t first = ~std::uint64_t{0};
    const ElfW(Phdr)* dynamic = nullptr;
    for (const ElfW(Phdr)* part = parts; part != parts + header->e_phnum; ++part) {
        if (part->p_type == PT_LOAD) first = std::min<std::uint64_t>(first, part->p_vaddr & ~(kPage - 1));
        if (part->p_type == PT_DYNAMIC) dynamic = part;
    }
    if (dynamic == nullptr) return;
    bias_ = file.begin - first;
    for (const auto* entry = at<ElfW(Dyn)>(bias_ + dynamic->p_vaddr); entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB) symbols_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) names_ = inMemory(entry->d_un.d_ptr);
        if (entry->d_tag == DT_GNU_HASH) hashes_ = inMemory(entry->d_un.d_ptr);
    }
}

/// Dynamic linkers may have made an address in memory of it.
std::uint64_t ExportedSymbols::inMemory(std::uint64_t address) const noexcept {
    return address >= begin_ && address < end_ ? address : address + bias_;
}

ExportedSymbols::Symbol ExportedSymbols::find(const char* name) const noexcept {
    if (symbols_ == 0 || names_ == 0 || hashes_ == 0) return {};
    const HashTable& table = *at<HashTable>(hashes_);
    if (table.buckets == 0 || table.filterWords == 0) return {};
    const std::uint32_t hash = hashOf(name);
    constexpr unsigned kBits = 64;
    const auto* const filter = at<std::uint64_t>(hashes_ + sizeof table);
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
        const auto& symbol = at<ElfW(Sym)>(symbols_)[number];
        if (symbol.st_shndx != SHN_UNDEF && std::strcmp(at<char>(names_ + symbol.st_name), name) == 0)
            return {bias_ + symbol.st_value, symbol.st_size};
    }
    return {};
}

}  // namespace holos::tracing::stacks::python
