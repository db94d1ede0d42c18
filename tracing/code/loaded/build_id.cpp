// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/build_id.h"

#include <algorithm>
#include <limits>

namespace holos::code {
namespace {

constexpr std::uint64_t kPage = 4096;

/// Notes and what they consist of begin at multiples of four.
constexpr std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + 3) & ~std::uint64_t{3};
}

/// The headers of the parts, where they are in the first page, which is loaded for certain.
struct Parts {
    const ElfW(Phdr) * first = nullptr;
    std::size_t count = 0;
    std::uint64_t linkedTo = std::numeric_limits<std::uint64_t>::max();  ///< the first one loaded
};

Parts partsOf(const LoadedFile& file) {
    Parts parts;
    const unsigned char* const begin = bytesAt(file.begin);
    if (file.end - file.begin < kPage || std::memcmp(begin, ELFMAG, SELFMAG) != 0) return parts;
    ElfW(Ehdr) header;
    std::memcpy(&header, begin, sizeof header);
    const std::uint64_t bytes = std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr));
    if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > kPage ||
        bytes > kPage - header.e_phoff || header.e_phoff % alignof(ElfW(Phdr)) != 0)
        return parts;
    parts.first = reinterpret_cast<const ElfW(Phdr)*>(begin + header.e_phoff);
    parts.count = header.e_phnum;
    for (const ElfW(Phdr)* part = parts.first; part != parts.first + parts.count; ++part)
        if (part->p_type == PT_LOAD)
            parts.linkedTo = std::min<std::uint64_t>(parts.linkedTo, part->p_vaddr & ~(kPage - 1));
    return parts;
}

}  // namespace

BuildId::BuildId(const LoadedFile& file) noexcept {
    const Parts parts = partsOf(file);
    for (const ElfW(Phdr)* part = parts.first; part != parts.first + parts.count; ++part) {
        const std::uint64_t offset = part->p_vaddr - parts.linkedTo;
        const std::uint64_t size = file.end - file.begin;
        if (part->p_type != PT_NOTE || offset > size || part->p_memsz > size - offset) continue;
        const unsigned char* const begin = bytesAt(file.begin + offset);
        take({begin, begin + part->p_memsz});
        if (text_.front() != '\0') return;
    }
}

void BuildId::take(ByteReader notes) noexcept {
    while (notes.isGood() && !notes.isAtEnd()) {
        const auto nameBytes = notes.get<std::uint32_t>();
        const auto bytes = notes.get<std::uint32_t>();
        const auto kind = notes.get<std::uint32_t>();
        const ByteReader name = notes.take(padded(nameBytes));
        ByteReader id = notes.take(padded(bytes));
        const bool isOfGnu = nameBytes == sizeof "GNU" && name.isGood() && id.isGood() &&
                             std::memcmp(name.at(), "GNU", sizeof "GNU") == 0;
        if (!isOfGnu || kind != NT_GNU_BUILD_ID) continue;
        constexpr const char* kDigits = "0123456789abcdef";
        for (std::size_t i = 0; i < std::min<std::size_t>(bytes, kMostBytes); ++i) {
            const auto byte = id.get<std::uint8_t>();
            text_[2 * i] = kDigits[byte >> 4U];
            text_[2 * i + 1] = kDigits[byte & 0xFU];
        }
        return;
    }
}

}  // namespace holos::code
