// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "campaign/state.h"
#include "cli/command.h"

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

/// Merges what the finished runs of a campaign measured, writes how much it varied from run to run, and says
/// where that is too much, or where the runs did not do the same. Throws Error when no run finished.
void writeCampaignResult(const Command& command, const std::filesystem::path& folder,
                         const campaign::State& state, const specs::Specification& specification);

}  // namespace holos::cli
