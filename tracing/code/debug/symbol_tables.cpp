// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/symbol_tables.h"

#include <gelf.h>

#include <memory>

#include "base/input_file.h"

namespace holos::code {
namespace {

/// Whether a table of this type has a symbol of the name for which `holds` is true.
template <class Holds>
bool hasSymbol(const std::filesystem::path& path, GElf_Word table, std::string_view symbol,
               const Holds& holds) {
    const Descriptor file = openRegular(path);
    if (!file) return false;
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.number(), ELF_C_READ_MMAP, nullptr),
                                                       &elf_end);
    for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != table) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        GElf_Sym one;
        for (int i = 0; data != nullptr && gelf_getsym(data, i, &one) != nullptr; ++i)
            if (const char* const name = elf_strptr(elf.get(), header.sh_link, one.st_name);
                name != nullptr && symbol == name && holds(one))
                return true;
    }
    return false;
}

}  // namespace

bool sharesSymbol(const std::filesystem::path& file, std::string_view symbol) {
    return hasSymbol(file, SHT_DYNSYM, symbol, [](const GElf_Sym&) { return true; });
}

bool definesFunction(const std::filesystem::path& file, std::string_view symbol) {
    return hasSymbol(file, SHT_SYMTAB, symbol, [](const GElf_Sym& one) {
        return GELF_ST_TYPE(one.st_info) == STT_FUNC && one.st_shndx != SHN_UNDEF;
    });
}

}  // namespace holos::code
