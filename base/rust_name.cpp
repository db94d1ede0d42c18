// SPDX-License-Identifier: BSD-3-Clause
#include "base/rust_name.h"

#include "base/rust_v0.h"
#include "base/text.h"

namespace holos {
namespace {

constexpr std::size_t kHash = 20;  // 17h, sixteen digits, E

bool isHexadecimal(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

bool endsWithHash(std::string_view symbol) {
    if (symbol.size() < kHash) return false;
    const std::string_view hash = symbol.substr(symbol.size() - kHash);
    return hash.starts_with("17h") && hash.back() == 'E' &&
           hash.substr(3, kHash - 4).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `LT`, `u7e`: what stands between two dollars for one character; 0 where it is none of these.
char escaped(std::string_view code) {
    constexpr std::pair<std::string_view, char> kCodes[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'},
                                                            {"LT", '<'}, {"GT", '>'}, {"LP", '('},
                                                            {"RP", ')'}, {"C", ','}};
    for (const auto& [known, character] : kCodes)
        if (code == known) return character;
    if (code.size() != 3 || code[0] != 'u' || !isHexadecimal(code[1]) || !isHexadecimal(code[2])) return 0;
    const auto character = static_cast<char>(std::stoi(std::string(code.substr(1)), nullptr, 16));
    return character >= ' ' && character < '\x7f' ? character : '\0';
}

/// A part of a path, such as `_$LT$impl$u20$core..fmt..Debug$GT$`.
std::string unescaped(std::string_view part) {
    if (part.starts_with("_$")) part.remove_prefix(1);
    std::string text;
    while (!part.empty()) {
        const std::size_t end = part.front() == '$' ? part.find('$', 1) : std::string_view::npos;
        const char character = end != std::string_view::npos ? escaped(part.substr(1, end - 1)) : '\0';
        const bool isSeparator = part.starts_with("..");
        if (character != '\0')
            text += character;
        else if (isSeparator)
            text += "::";
        else
            text += part.front();
        part.remove_prefix(character != '\0' ? end + 1 : isSeparator ? 2 : 1);
    }
    return text;
}

std::optional<std::string> legacyName(std::string_view symbol) {
    if (!symbol.starts_with("_ZN") || !endsWithHash(symbol)) return {};
    std::string_view rest = symbol.substr(3, symbol.size() - 3 - kHash);
    std::string text;
    while (!rest.empty()) {
        std::size_t length = 0;
        while (!rest.empty() && isDigit(rest.front()) && length <= symbol.size()) {
            length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
            rest.remove_prefix(1);
        }
        if (length == 0 || length > rest.size()) return {};
        text += (text.empty() ? "" : "::") + unescaped(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    if (text.empty()) return {};
    return text;
}

}  // namespace

std::optional<std::string> rustName(std::string_view symbol) {
    return symbol.starts_with("_R") ? rustV0Name(symbol.substr(2)) : legacyName(symbol);
}

}  // namespace holos
