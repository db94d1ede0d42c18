// SPDX-License-Identifier: BSD-3-Clause
#include "cli/markup.h"

namespace holos::cli {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) switch (c) {
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
            default:
                safe += c;
        }
    return safe;
}

}  // namespace holos::cli
