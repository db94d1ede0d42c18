// SPDX-License-Identifier: BSD-3-Clause
#include "base/printable.h"

#include <cstdint>

namespace holos {
namespace {

constexpr std::string_view kNoCharacter = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: not UTF-8
};

std::size_t lengthOf(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The character that the text begins with (RFC 3629: no surrogates, no longer form than needed).
Character firstOf(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lengthOf(first);
    if (bytes < 2) return {first, bytes};
    if (text.size() < bytes) return {};
    std::uint32_t code = first & (0x7FU >> bytes);
    for (std::size_t at = 1; at < bytes; ++at) {
        const auto next = static_cast<unsigned char>(text[at]);
        if ((next & 0xC0U) != 0x80U) return {};
        code = code << 6U | (next & 0x3FU);
    }
    const bool tooLong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (tooLong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
    return {code, bytes};
}

bool isControl(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Marks that reorder the text around them (Unicode, annex 9), and separators of lines and paragraphs.
bool changesReading(std::uint32_t code) {
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/// How long the sequence is that sets a colour where the text begins; 0 for anything else.
std::size_t colourSequence(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

enum class Kept { Nothing, Lines, LinesAndColours };

std::string cleaned(std::string_view text, Kept kept) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        auto [code, bytes] = firstOf(text);
        if (bytes == 0) {
            clean += kNoCharacter;
            bytes = 1;
        } else if (kept != Kept::Nothing && (code == '\n' || code == '\t')) {
            clean += static_cast<char>(code);
        } else if (const std::size_t colour = kept == Kept::LinesAndColours ? colourSequence(text) : 0) {
            clean += text.substr(0, colour);
            bytes = colour;
        } else if (isControl(code) || changesReading(code)) {
            clean += ' ';
        } else {
            clean += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
    return clean;
}

}  // namespace

std::string printable(std::string_view text) {
    return cleaned(text, Kept::Nothing);
}
std::string printableLines(std::string_view text) {
    return cleaned(text, Kept::Lines);
}
std::string printableColours(std::string_view text) {
    return cleaned(text, Kept::LinesAndColours);
}

}  // namespace holos
