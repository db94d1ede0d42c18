// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/direct_calls.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace holos::archive {

DirectCalls::DirectCalls(Elf* elf) {
    GElf_Ehdr file{};
    std::size_t names = 0;
    if (gelf_getehdr(elf, &file) == nullptr || file.e_machine != EM_X86_64) return;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
        const char* const name = elf_strptr(elf, names, header.sh_name);
        const bool isCode = (header.sh_flags & SHF_EXECINSTR) != 0 && name != nullptr &&
                            !std::string_view(name).starts_with(".plt");
        const Elf_Data* const data = isCode ? elf_rawdata(section, nullptr) : nullptr;
        if (data != nullptr && data->d_buf != nullptr)
            codes_.push_back({header.sh_addr, header.sh_addr + data->d_size,
                              static_cast<const unsigned char*>(data->d_buf)});
    }
}

std::optional<std::uint64_t> DirectCalls::targetAt(std::uint64_t returnAddress) const {
    constexpr unsigned char kCall = 0xE8;
    std::int32_t distance = 0;
    constexpr std::uint64_t kLength = 1 + sizeof distance;
    const Code* const code = codeAt(returnAddress - kLength);
    if (code == nullptr || returnAddress > code->end) return {};
    const unsigned char* const call = code->bytes + (returnAddress - kLength - code->begin);
    if (*call != kCall) return {};
    std::memcpy(&distance, call + 1, sizeof distance);
    const std::uint64_t target = returnAddress + static_cast<std::uint64_t>(std::int64_t{distance});
    if (codeAt(target) == nullptr) return {};
    return target;
}

const DirectCalls::Code* DirectCalls::codeAt(std::uint64_t address) const {
    const auto found = std::find_if(codes_.begin(), codes_.end(), [address](const Code& code) {
        return code.begin <= address && address < code.end;
    });
    return found != codes_.end() ? &*found : nullptr;
}

}  // namespace holos::archive
