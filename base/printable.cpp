// SPDX-License-Identifier: BSD-3-Clause
#include "base/printable.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace holos {
namespace {

constexpr std::string_view kNoCharacter = "\xEF\xBF\xBD";  // U+FFFD

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
        auto [code, bytes] = utf8::firstOf(text);
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

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !utf8::isContinuation(c); }));
}

std::string keepEnd(const std::string& text, std::size_t columns) {
    std::size_t surplus = columnsOf(text);
    if (columns == 0 || surplus <= columns) return text;
    surplus -= columns - 1;
    std::size_t at = 0;
    for (; surplus > 0; --surplus) do
            ++at;
        while (at < text.size() && utf8::isContinuation(text[at]));
    return "…" + text.substr(at);
}

std::string keepBegin(const std::string& text, std::size_t columns) {
    if (columns == 0 || columnsOf(text) <= columns) return text;
    std::size_t at = 0;
    for (std::size_t kept = 0; kept + 1 < columns; ++kept) do
            ++at;
        while (utf8::isContinuation(text[at]));
    return text.substr(0, at) + "…";
}

}  // namespace holos
