// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/landing_pads.h"

#include <dwarf.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::code {
namespace {

constexpr std::uint8_t kFormat = 0x0F;

/// An address that is given by its distance from its own place, or as it is.
std::uint64_t addressFrom(ByteReader& reader, std::uint8_t encoding, std::uint64_t place) {
    const std::uint64_t value = reader.getLength(encoding & kFormat);
    return (encoding & 0xF0U) == DW_EH_PE_pcrel ? value + place : value;
}

/// The format is that of the C++ ABI for exceptions ("Level II", language-specific data area), as gcc and
/// clang write it.
std::optional<std::vector<LandingPad>> readPads(ByteReader reader, const unsigned char* begin,
                                                const CodeExtents::Extent& function) {
    std::uint64_t base = function.begin;
    const auto baseEncoding = reader.get<std::uint8_t>();
    if (baseEncoding != DW_EH_PE_omit) {
        const auto place = function.exceptions + static_cast<std::uint64_t>(reader.at() - begin);
        base = addressFrom(reader, baseEncoding, place);
    }
    if (reader.get<std::uint8_t>() != DW_EH_PE_omit) reader.getUnsigned();  // the types, which lie behind
    const auto encoding = static_cast<std::uint8_t>(reader.get<std::uint8_t>() & kFormat);
    ByteReader calls = reader.take(reader.getUnsigned());
    std::vector<LandingPad> pads;
    while (calls.isGood() && !calls.isAtEnd()) {
        const std::uint64_t first = function.begin + calls.getLength(encoding);
        const std::uint64_t length = calls.getLength(encoding);
        const std::uint64_t pad = calls.getLength(encoding);
        calls.getUnsigned();  // what is caught
        if (pad != 0) pads.push_back({first, first + length, base + pad});
    }
    return reader.isGood() && calls.isGood() ? std::optional(std::move(pads)) : std::nullopt;
}

}  // namespace

LandingPads::LandingPads(Elf* elf) {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
        const char* const name = elf_strptr(elf, names, header.sh_name);
        if (name == nullptr || !std::string_view(name).starts_with(".gcc_except_table")) continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr)
            tables_.push_back({header.sh_addr, header.sh_addr + data->d_size,
                               static_cast<const unsigned char*>(data->d_buf)});
    }
}

std::optional<std::vector<LandingPad>> LandingPads::of(const CodeExtents::Extent& function) const {
    if (function.hasUnknownExceptions) return {};
    if (function.exceptions == 0) return std::vector<LandingPad>();
    const auto table = std::ranges::find_if(tables_, [&](const Table& one) {
        return one.begin <= function.exceptions && function.exceptions < one.end;
    });
    if (table == tables_.end()) return {};
    const unsigned char* const begin = table->bytes + (function.exceptions - table->begin);
    return readPads({begin, table->bytes + (table->end - table->begin)}, begin, function);
}

}  // namespace holos::code
