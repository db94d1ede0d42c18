// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/symbol_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <tuple>

namespace holos::code {
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

}  // namespace holos::code
