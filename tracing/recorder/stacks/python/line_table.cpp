// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/line_table.h"

namespace holos::tracing::stacks::python {
namespace {

/// Six bits a byte, the lowest first; a seventh says that more follow.
std::uint64_t getNumber(code::ByteReader& table) noexcept {
    constexpr unsigned kBits = 6;
    constexpr unsigned kMore = 1U << kBits;
    std::uint64_t value = 0;
    for (unsigned shift = 0; table.isGood() && shift < 64; shift += kBits) {
        const auto byte = table.get<std::uint8_t>();
        value |= std::uint64_t{byte & (kMore - 1)} << shift;
        if ((byte & kMore) == 0) break;
    }
    return value;
}

/// The lowest bit is the sign.
std::int64_t getSignedNumber(code::ByteReader& table) noexcept {
    const std::uint64_t value = getNumber(table);
    const auto magnitude = static_cast<std::int64_t>(value >> 1U);
    return (value & 1U) != 0 ? -magnitude : magnitude;
}

/// Forms of entries; those below `kOneLine` have columns alone, on the line before.
constexpr unsigned kOneLine = 10;
constexpr unsigned kOneLineLast = 12;
constexpr unsigned kNoColumns = 13;
constexpr unsigned kLong = 14;
constexpr unsigned kNone = 15;

/// Reads what follows the start of an entry; by how much its line is further.
std::int64_t getRest(code::ByteReader& table, unsigned form) noexcept {
    if (form == kNone) return 0;
    if (form < kOneLine) {
        table.get<std::uint8_t>();
        return 0;
    }
    if (form <= kOneLineLast) {
        table.get<std::uint8_t>();
        table.get<std::uint8_t>();
        return form - kOneLine;
    }
    const std::int64_t lines = getSignedNumber(table);
    if (form == kNoColumns) return lines;
    for (int i = 0; i < 3; ++i) getNumber(table);  // last line and columns
    return lines;
}

}  // namespace

std::uint32_t lineAt(code::ByteReader table, std::uint32_t firstLine, std::uint64_t offset) noexcept {
    static_assert(kLong == kNoColumns + 1);
    constexpr unsigned kFormShift = 3;
    constexpr unsigned kFormMask = 15;
    constexpr unsigned kLengthMask = 7;
    constexpr std::uint64_t kInstruction = 2;  // bytes
    std::int64_t line = firstLine;
    std::uint64_t end = 0;
    while (table.isGood() && !table.isAtEnd()) {
        const auto begin = table.get<std::uint8_t>();
        const unsigned form = (begin >> kFormShift) & kFormMask;
        line += getRest(table, form);
        end += ((begin & kLengthMask) + 1) * kInstruction;
        if (!table.isGood()) break;
        if (offset < end) return form != kNone && line > 0 ? static_cast<std::uint32_t>(line) : 0;
    }
    return 0;
}

}  // namespace holos::tracing::stacks::python
