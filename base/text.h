// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// `1 process`, `2 processes`. The noun is in the singular and regular.
inline std::string counted(std::uint64_t number, std::string_view noun) {
    std::string text = std::to_string(number) + ' ' + std::string(noun);
    if (number != 1) text += noun.ends_with('s') ? "es" : "s";
    return text;
}

}  // namespace holos
