// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/compiler_facts.h"

#include <gelf.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

#include "base/input_file.h"
#include "tracing/code/debug/dwarf_entries.h"

namespace holos::code {
namespace {

/// What is said most often. Assembler code is of libraries.
std::string producerOf(Dwarf* information) {
    constexpr std::size_t kMost = 5000;
    std::map<std::string, std::size_t> producers;
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version = 0;
    std::uint8_t kind = 0;
    Dwarf_Die top, below;
    for (std::size_t count = 0; count < kMost; ++count) {
        if (dwarf_get_units(information, unit, &unit, &version, &kind, &top, &below) != 0) break;
        if (std::string text = textOf(top, DW_AT_producer); !text.empty() && !text.starts_with("GNU AS"))
            ++producers[text];
    }
    const auto most =
        std::ranges::max_element(producers, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != producers.end() ? most->first : std::string();
}

std::string commentOf(Elf* file) {
    std::size_t names = 0;
    if (file == nullptr || elf_getshdrstrndx(file, &names) != 0) return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(file, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        const char* const name = elf_strptr(file, names, header.sh_name);
        if (name == nullptr || std::string_view(name) != ".comment") continue;
        const Elf_Data* const data = elf_getdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) return {};
        const std::string_view all(static_cast<const char*>(data->d_buf), data->d_size);
        return std::string(all.substr(0, all.find('\0')));
    }
    return {};
}

}  // namespace

Compiler compilerOf(const std::filesystem::path& program) {
    const Descriptor file = openRegular(program);
    if (!file) return {};
    elf_version(EV_CURRENT);
    std::string text;
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.number(), ELF_C_READ_MMAP, nullptr),
                                                       &elf_end);
    const std::unique_ptr<Dwarf, decltype(&dwarf_end)> information(
        elf ? dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr) : nullptr, &dwarf_end);
    if (information) text = producerOf(information.get());
    if (text.empty()) text = commentOf(elf.get());
    const std::size_t options = text.find(" -");
    if (options == std::string::npos) return {text, {}};
    return {text.substr(0, options), text.substr(options + 1)};
}

}  // namespace holos::code
