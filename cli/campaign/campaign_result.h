// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "campaign/state.h"
#include "cli/command.h"

namespace holos::cli {

/// Merges what the finished runs of a campaign measured, writes how much it varied from run to run, and says
/// where that is too much, or where the runs did not do the same. Throws Error when no run finished.
void writeCampaignResult(const Command& command, const std::filesystem::path& folder,
                         const campaign::State& state, const specs::Specification& specification);

}  // namespace holos::cli
