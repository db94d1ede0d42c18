// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/code_sections.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace holos::code {
namespace {

bool isLinkers(Elf* elf, const GElf_Shdr& header) {
    std::size_t names = 0;
    const char* const name =
        elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header.sh_name) : nullptr;
    return name == nullptr || std::string_view(name).starts_with(".plt");
}

}  // namespace

CodeSections::CodeSections(Elf* elf, LinkersCode linkers) {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
            (header.sh_flags & SHF_EXECINSTR) == 0)
            continue;
        if (linkers == LinkersCode::LeftOut && isLinkers(elf, header)) continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr || header.sh_addr + data->d_size < header.sh_addr)
            continue;
        sections_.push_back(
            {header.sh_addr, header.sh_addr + data->d_size, static_cast<const unsigned char*>(data->d_buf)});
    }
    std::ranges::sort(sections_, {}, &Section::begin);
}

const CodeSections::Section* CodeSections::at(std::uint64_t address) const {
    auto section = std::ranges::upper_bound(sections_, address, {}, &Section::begin);
    if (section == sections_.begin() || address >= (--section)->end) return nullptr;
    return &*section;
}

DirectCalls::DirectCalls(Elf* elf) {
    GElf_Ehdr file{};
    if (gelf_getehdr(elf, &file) == nullptr || file.e_machine != EM_X86_64) return;
    codes_ = CodeSections(elf, CodeSections::LinkersCode::LeftOut);
}

std::optional<std::uint64_t> DirectCalls::targetAt(std::uint64_t returnAddress) const {
    constexpr unsigned char kCall = 0xE8;
    std::int32_t distance = 0;
    constexpr std::uint64_t kLength = 1 + sizeof distance;
    const CodeSections::Section* const code = codes_.at(returnAddress - kLength);
    if (code == nullptr || returnAddress > code->end) return {};
    const unsigned char* const call = code->bytes + (returnAddress - kLength - code->begin);
    if (*call != kCall) return {};
    std::memcpy(&distance, call + 1, sizeof distance);
    const std::uint64_t target = returnAddress + static_cast<std::uint64_t>(std::int64_t{distance});
    if (codes_.at(target) == nullptr) return {};
    return target;
}

}  // namespace holos::code
