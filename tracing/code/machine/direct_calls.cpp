// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/direct_calls.h"

#include <cstring>

namespace holos::code {

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
