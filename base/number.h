// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace holos {

/// The number that the whole text is, whatever the locale; nothing for a text with anything else in it, such
/// as blanks or a `+` in front, and for a number that the type cannot hold. Real numbers may be infinite.
/// `base`: of whole numbers that are not written in decimal digits.
template <class Number, std::same_as<int>... Base>
std::optional<Number> asNumber(std::string_view text, Base... base) noexcept {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, base...);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// Takes the number that the text begins with off it; nothing, and nothing is taken, where it begins with
/// none.
template <class Number, std::same_as<int>... Base>
std::optional<Number> takeLeadingNumber(std::string_view& text, Base... base) noexcept {
    Number number{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base...);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

/// The number that the whole text is; nothing also for infinite ones and what is no number (`nan`).
inline std::optional<double> asFiniteNumber(std::string_view text) noexcept {
    const auto number = asNumber<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

/// The whole number that the text is, in decimal digits, or in hexadecimal ones behind `0x`.
inline std::optional<std::uint64_t> asDecimalOrHexadecimal(std::string_view text) noexcept {
    const bool isHexadecimal = text.starts_with("0x") || text.starts_with("0X");
    return isHexadecimal ? asNumber<std::uint64_t>(text.substr(2), 16) : asNumber<std::uint64_t>(text);
}

/// Bytes as two digits each, `0` to `9` and `a` to `f`.
inline std::string inHexadecimal(const void* bytes, std::size_t size) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t at = 0; at < size; ++at) {
        const unsigned byte = static_cast<const unsigned char*>(bytes)[at];
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xFU];
    }
    return text;
}

/// `0x` and the hexadecimal digits of the number.
inline std::string inHexadecimal(std::uint64_t number) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number, 16);
    return "0x" + std::string(digits.begin(), end.ptr);
}

/// Ascending numbers as `0-9,12`, with another text between ranges where that is wanted.
template <class Numbers>
std::string rangesOf(const Numbers& numbers, std::string_view between = ",") {
    std::string text;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t end = at + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        if (at > 0) text += between;
        text += std::to_string(numbers[at]);
        if (end > at + 1) text += '-' + std::to_string(numbers[end - 1]);
        at = end;
    }
    return text;
}

}  // namespace holos
