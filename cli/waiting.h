// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

namespace holos::cli {

/// From now on, processes that the program starts become children of this one when their parents end.
void adoptOrphans();

/// Waits for all that the program started and left behind: each may still begin to record. Says so where it
/// takes long. False when a signal says not to wait any longer.
bool waitForDescendants();

/// The same for all processes of a recording that live, whoever started them; those on other machines as long
/// as they give signs of life.
bool waitForProcesses(const std::filesystem::path& recording);

}  // namespace holos::cli
