// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holos::tracing {

/// Whether a list such as `0,4-7` has the rank; nothing where the text is no such list.
inline std::optional<bool> listHasRank(std::string_view list, std::uint32_t rank) {
    bool found = false;
    const char* at = list.data();
    const char* const end = at + list.size();
    for (;;) {
        std::uint32_t first = 0;
        auto read = std::from_chars(at, end, first);
        if (read.ec != std::errc{}) return std::nullopt;
        std::uint32_t last = first;
        if (read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
        if (read.ec != std::errc{} || last < first) return std::nullopt;
        found = found || (first <= rank && rank <= last);
        if (read.ptr == end) return found;
        if (*read.ptr != ',') return std::nullopt;
        at = read.ptr + 1;
    }
}

}  // namespace holos::tracing
