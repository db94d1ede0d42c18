// SPDX-License-Identifier: BSD-3-Clause
#include "base/markup.h"

#include "base/printable.h"

namespace holos {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : printable(text)) switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            default:
                safe += c;
        }
    return safe;
}

std::string escapedMarkdown(std::string_view text) {
    constexpr std::string_view kMarks = "\\`*_|<>[]&~#";
    std::string safe;
    for (const char c : printable(text)) {
        if (kMarks.find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

}  // namespace holos
