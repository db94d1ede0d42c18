// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/data_symbols.h"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/function_name.h"
#include "base/input_file.h"

namespace holos::code {
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

}  // namespace holos::code
