// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal/terminal.h"

#include <algorithm>

namespace holos::cli {

std::string wrapped(const std::string& text, std::string_view first, const Style& style) {
    constexpr std::size_t kUsual = 100, kLeast = 40;
    const std::size_t width = std::max(style.width == 0 ? kUsual : style.width, kLeast);
    const std::string margin(columnsOf(first), ' ');
    std::string all, line(first);
    bool isEmpty = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
            all += line + '\n';
            line = margin;
            isEmpty = true;
        }
        line += (isEmpty ? "" : " ") + word;
        isEmpty = false;
        at = end + 1;
    }
    return all + line + '\n';
}

}  // namespace holos::cli
