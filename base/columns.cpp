// SPDX-License-Identifier: BSD-3-Clause
#include "base/columns.h"

#include <algorithm>

#include "base/utf8.h"

namespace holos {

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
