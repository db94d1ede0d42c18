// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/own_system_calls.h"

#include <link.h>

#include <cstdint>
#include <cstring>

namespace holos::tracing::interpose {
namespace {

#if defined(__x86_64__)
constexpr unsigned char kInstructions[][2] = {{0x0F, 0x05}, {0x0F, 0x34}, {0xCD, 0x80}};
#elif defined(__aarch64__)
constexpr unsigned char kInstructions[][4] = {{0x01, 0x00, 0x00, 0xD4}};
#else
constexpr unsigned char kInstructions[][1] = {{0}};  // found everywhere
#endif

bool hasInstruction(const unsigned char* code, std::size_t bytes) noexcept {
    for (const auto& one : kInstructions)
        if (::memmem(code, bytes, one, sizeof one) != nullptr) return true;
    return false;
}

struct Search {
    std::uintptr_t address;
    bool isProgram = true;  ///< which comes first
    bool found = false;
};

bool isIn(const dl_phdr_info& file, const ElfW(Phdr) & part, std::uintptr_t address) noexcept {
    const std::uintptr_t begin = file.dlpi_addr + part.p_vaddr;
    return address >= begin && address < begin + part.p_memsz;
}

int searchOne(dl_phdr_info* file, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    bool isWanted = search.isProgram;
    search.isProgram = false;
    for (int i = 0; i < file->dlpi_phnum; ++i)
        isWanted |= file->dlpi_phdr[i].p_type == PT_LOAD && isIn(*file, file->dlpi_phdr[i], search.address);
    for (int i = 0; isWanted && i < file->dlpi_phnum; ++i) {
        const auto& part = file->dlpi_phdr[i];
        constexpr auto kCode = PF_X | PF_R;
        if (part.p_type != PT_LOAD || (part.p_flags & kCode) != kCode) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
        const auto* const code = reinterpret_cast<const unsigned char*>(file->dlpi_addr + part.p_vaddr);
        search.found |= hasInstruction(code, part.p_filesz);
    }
    return search.found ? 1 : 0;
}

}  // namespace

bool makesSystemCallsItself(const void* address) noexcept {
    Search search{reinterpret_cast<std::uintptr_t>(address)};
    ::dl_iterate_phdr(&searchOne, &search);
    return search.found;
}

}  // namespace holos::tracing::interpose
