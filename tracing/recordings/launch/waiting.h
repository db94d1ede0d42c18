// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "tracing/recordings/launch/program.h"

namespace holos::launch {

/// Tells the user something, in a sentence.
using Announce = std::function<void(const std::string&)>;

/// From now on, processes that the program starts become children of this one when their parents end.
void adoptOrphans();

/// Waits for all that the program started and left behind: each may still begin to record. Announces it where
/// it takes long. False when a signal says not to wait any longer. `ended`: is told of each that ends.
bool waitForDescendants(const Announce& announce, const Ended& ended = {});

/// Waits for all processes of a recording that live, whoever started them; those on other machines as long
/// as they give signs of life.
bool waitForProcesses(const std::filesystem::path& recording, const Announce& announce);

}  // namespace holos::launch
