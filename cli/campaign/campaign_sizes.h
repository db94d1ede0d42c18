// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace holos::cli {

/// What stands for the size in the command of a study over sizes, and in its template.
inline constexpr const char* kSizeWord = "@SIZE@";

/// Each size and its command: with the number in place of `@SIZE@`; where it has none, of the number behind
/// the launcher's -n, -np, --np or --ntasks; where there is neither, as it is if `isSaidElsewhere`. Throws
/// `UsageError` where it is not, where a size is no number from 1 on, and where it is given twice.
std::vector<std::pair<std::string, std::vector<std::string>>> commandsOfSizes(
    const std::vector<std::string>& command, const std::vector<std::string>& sizes, bool isSaidElsewhere);

/// A text with the number in place of each `@SIZE@`.
std::string withSize(std::string text, const std::string& size);

}  // namespace holos::cli
