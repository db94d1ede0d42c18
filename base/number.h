// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
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

}  // namespace holos
