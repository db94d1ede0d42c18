// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace holos {

/// Of the letters A to Z; all other bytes stay, whatever the locale.
constexpr char lowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = lowerCase(c);
    return lower;
}

/// A part of the text: without the blanks, tabs and line ends around it.
constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

/// Of ASCII, whatever the locale.
constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether a table of texts has it.
template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& all) {
    return std::ranges::find(all, text) != all.end();
}
inline bool startsWithOneOf(std::string_view text, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [text](auto beginning) { return text.starts_with(beginning); });
}

/// `1 process`, `2 processes`. The noun is in the singular and regular.
inline std::string counted(std::uint64_t number, std::string_view noun) {
    std::string text = std::to_string(number) + ' ' + std::string(noun);
    if (number != 1) text += noun.ends_with('s') ? "es" : "s";
    return text;
}

/// `a, b and c`
inline std::string listOf(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return list;
}

}  // namespace holos

/// Characters as bytes (RFC 3629). Takes no memory, so that the recorder may use it.
namespace holos::utf8 {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// Of a byte within a character, but the first one.
constexpr bool isContinuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

constexpr std::size_t lengthFor(unsigned char firstByte) noexcept {
    if (firstByte < 0x80) return 1;
    if (firstByte >= 0xC2 && firstByte < 0xE0) return 2;
    if (firstByte >= 0xE0 && firstByte < 0xF0) return 3;
    return firstByte >= 0xF0 && firstByte < 0xF5 ? 4 : 0;
}

/// The character that a text begins with, which is not empty. No surrogates, and no longer form than needed.
constexpr Character firstOf(std::string_view text) noexcept {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lengthFor(first);
    if (bytes < 2) return {first, bytes};
    if (text.size() < bytes) return {};
    std::uint32_t code = first & (0x7FU >> bytes);
    for (std::size_t at = 1; at < bytes; ++at) {
        if (!isContinuation(text[at])) return {};
        code = code << 6U | (static_cast<unsigned char>(text[at]) & 0x3FU);
    }
    const bool isTooLong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (isTooLong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
    return {code, bytes};
}

/// Writes a character, which takes four bytes at most, and returns the place behind it.
constexpr char* put(char* out, std::uint32_t character) noexcept {
    const auto continuation = [character](unsigned bits) {
        return static_cast<char>(0x80U | ((character >> bits) & 0x3FU));
    };
    if (character < 0x80) {
        *out++ = static_cast<char>(character);
    } else if (character < 0x800) {
        *out++ = static_cast<char>(0xC0U | character >> 6U);
        *out++ = continuation(0);
    } else if (character < 0x10000) {
        *out++ = static_cast<char>(0xE0U | character >> 12U);
        *out++ = continuation(6);
        *out++ = continuation(0);
    } else {
        *out++ = static_cast<char>(0xF0U | character >> 18U);
        *out++ = continuation(12);
        *out++ = continuation(6);
        *out++ = continuation(0);
    }
    return out;
}

/// As much of a text as fits into so many bytes, without a part of a character at its end.
constexpr std::string_view cut(std::string_view text, std::size_t bytes) noexcept {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && isContinuation(text[bytes])) --bytes;
    return text.substr(0, bytes);
}

}  // namespace holos::utf8
