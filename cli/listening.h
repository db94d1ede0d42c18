// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>

namespace holos::cli {

/// Whether processes may still record of which this machine cannot tell: where there are some, listens for
/// signs of life at most for that time. True, and says who is silent, where none gave one. Throws
/// `archive::StillRecorded` where one did.
bool recordersAreSilent(const std::filesystem::path& directory, std::chrono::milliseconds time);

}  // namespace holos::cli
