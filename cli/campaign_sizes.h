// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::cli {

/// What stands for the size in the command of a study over sizes.
inline constexpr const char* kSizeWord = "@SIZE@";

/// The command for one size: with the number in place of `@SIZE@`; where it has none, of the number behind
/// the launcher's -n, -np, --np or --ntasks. Throws `UsageError` where there is neither, or the
/// size is no number from 1 on.
std::vector<std::string> commandOfSize(const std::vector<std::string>& command, const std::string& size);

}  // namespace holos::cli
