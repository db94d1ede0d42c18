// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/returning_twice.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace holos::code {
namespace {

/// The functions that compilers take for such as return twice, with the C library's names of them.
constexpr std::string_view kFunctions[] = {"setjmp",  "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp",
                                           "savectx", "vfork",   "__vfork",  "getcontext"};

bool isName(const char* name) {
    constexpr std::size_t kLonger = 16;  // than all of them
    if (name == nullptr) return false;
    const std::string_view text(name, ::strnlen(name, kLonger));
    return std::ranges::find(kFunctions, text) != std::end(kFunctions);
}

template <class Use>
void forEachSymbol(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Use use) {
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Sym symbol{};
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
        if (isName(elf_strptr(elf, header.sh_link, symbol.st_name))) use(i, symbol);
    }
}

}  // namespace

ReturningTwice::ReturningTwice(Elf* elf) {
    std::unordered_set<std::size_t> imported;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
        forEachSymbol(elf, section, header, [&](std::size_t number, const GElf_Sym& symbol) {
            if (symbol.st_shndx != SHN_UNDEF) functions_.insert(symbol.st_value);
            if (header.sh_type == SHT_DYNSYM) imported.insert(number);
        });
    }
    if (imported.empty()) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        if (data == nullptr || header.sh_entsize == 0) continue;
        for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
            GElf_Rela place{};
            if (gelf_getrela(data, static_cast<int>(i), &place) == nullptr) break;
            if (imported.contains(GELF_R_SYM(place.r_info))) slots_.insert(place.r_offset);
        }
    }
}

bool ReturningTwice::isCalledBy(const Instruction& call, const MachineCode& code) const {
    if (functions_.empty() && slots_.empty()) return false;
    if (call.slot) return slots_.contains(*call.slot);
    if (!call.target) return true;  // it may be anything
    if (functions_.contains(*call.target)) return true;
    const auto slot = slots_.empty() ? std::nullopt : code.slotOfStub(*call.target);
    return slot && slots_.contains(*slot);
}

}  // namespace holos::code
