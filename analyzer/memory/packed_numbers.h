// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// Whole numbers in few bytes where most are small: seven bits to a byte, the eighth one says whether there
/// are more.
namespace holos::analyzer {

/// The most bytes that a number takes.
inline constexpr std::size_t kLongestNumber = 10;

inline std::size_t packedLength(std::uint64_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1U)) + 6) / 7;
}
/// Moves `next` behind the number.
inline void putNumber(std::uint64_t number, std::uint8_t*& next) {
    for (; number >= 0x80U; number >>= 7U) *next++ = static_cast<std::uint8_t>(number | 0x80U);
    *next++ = static_cast<std::uint8_t>(number);
}
/// Fills all bytes up to `end`, which are enough for the number.
inline void putNumber(std::uint64_t number, std::uint8_t* next, const std::uint8_t* end) {
    for (; next + 1 != end; number >>= 7U) *next++ = static_cast<std::uint8_t>(number | 0x80U);
    *next = static_cast<std::uint8_t>(number);
}
/// What `putNumber` put there.
[[gnu::always_inline]] inline std::uint64_t takeNumber(const std::uint8_t*& next) {
    std::uint64_t number = *next++;
    if (number < 0x80U) return number;
    number &= 0x7FU;
    for (unsigned shift = 7;; shift += 7) {
        const std::uint8_t more = *next++;
        number |= std::uint64_t{more & 0x7FU} << shift;
        if (more < 0x80U) return number;
    }
}

/// Small negative numbers are small, too: 0, −1, 1, −2, …
inline std::uint64_t unfold(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return number < 0 ? ~(bits << 1U) : bits << 1U;
}
inline std::int64_t fold(std::uint64_t bits) {
    return static_cast<std::int64_t>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
}

}  // namespace holos::analyzer
