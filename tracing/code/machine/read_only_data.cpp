// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/read_only_data.h"

#include <algorithm>
#include <cstring>

namespace holos::code {
namespace {

bool isLittleEndian(Elf* elf) {
    GElf_Ehdr file{};
    return gelf_getehdr(elf, &file) != nullptr && file.e_ident[EI_DATA] == ELFDATA2LSB;
}

}  // namespace

ReadOnlyData::ReadOnlyData(Elf* elf) {
    if (!isLittleEndian(elf)) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
            (header.sh_flags & SHF_ALLOC) == 0 || (header.sh_flags & SHF_WRITE) != 0)
            continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr)
            sections_.push_back(
                {header.sh_addr, data->d_size, static_cast<const unsigned char*>(data->d_buf)});
    }
}

std::optional<std::uint64_t> ReadOnlyData::numberAt(std::uint64_t address, Operation::Part part) const {
    constexpr unsigned kWhole = 64;
    const std::uint64_t bytes = part.bits / 8;
    const auto section = std::ranges::find_if(sections_, [&](const Section& one) {
        return address >= one.begin && address - one.begin < one.size &&
               bytes <= one.size - (address - one.begin);
    });
    if (section == sections_.end()) return {};
    std::uint64_t number = 0;
    std::memcpy(&number, section->bytes + (address - section->begin), bytes);
    const unsigned rest = kWhole - part.bits;
    if (part.isSigned && rest > 0)
        number = static_cast<std::uint64_t>(static_cast<std::int64_t>(number << rest) >> rest);
    return number;
}

}  // namespace holos::code
