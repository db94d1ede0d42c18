// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/file_build_id.h"

#include <elfutils/libdwelf.h>

#include "base/input_file.h"

namespace holos::code {

std::optional<std::string> buildIdOf(const std::string& path) {
    const Descriptor file = openRegular(path);
    if (!file) return {};
    std::string digits;
    elf_version(EV_CURRENT);
    if (Elf* const elf = elf_begin(file.number(), ELF_C_READ, nullptr); elf != nullptr) {
        const void* id = nullptr;
        const ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);
        for (ssize_t i = 0; i < bytes; ++i) {
            const unsigned byte = static_cast<const unsigned char*>(id)[i];
            constexpr const char* kDigits = "0123456789abcdef";
            digits += kDigits[byte >> 4U];
            digits += kDigits[byte & 0xFU];
        }
        elf_end(elf);
    }
    return digits;
}

}  // namespace holos::code
