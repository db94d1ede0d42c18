// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/launch.h"

namespace holos::cli {

/// The folder for a new recording, made when it is missing; `asked` may be empty for the default. Several
/// ranks of one job share it. Throws `Error` when it holds another measurement (unless `force`, which removes
/// that) or cannot be made.
std::filesystem::path prepareDirectory(const std::string& asked, const std::filesystem::path& program,
                                       const std::optional<LaunchedRank>& rank, bool force);

/// Says that this rank's program ended; true for the last one, which makes the trace of all. Always true
/// without a launcher. When a rank never ends (killed with its command), none is the last: `holos analyze`
/// makes the trace then.
bool isLastRank(const std::filesystem::path& directory, const std::optional<LaunchedRank>& rank);

}  // namespace holos::cli
