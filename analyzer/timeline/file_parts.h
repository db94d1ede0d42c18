// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string_view>

/// What files beside a trace have in common.
namespace holos::analyzer::timeline {

/// As it lies in memory.
template <class Thing>
std::string_view bytesOf(const Thing& thing) {
    return {reinterpret_cast<const char*>(&thing), sizeof(thing)};
}

/// Whether a file was made before the trace was written, or nobody knows.
inline bool isOlder(const std::filesystem::path& file, const std::filesystem::path& anchor) {
    std::error_code first, second;
    const auto made = std::filesystem::last_write_time(file, first);
    const auto written = std::filesystem::last_write_time(anchor, second);
    return first || second || made < written;
}

}  // namespace holos::analyzer::timeline
