// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>

namespace holos::cli {

/// Whether a recording is still being made, or may be: processes or commands work on it, or there are some of
/// which this machine cannot tell. Where there are only those, listens for signs of life at most for that
/// time. Says who it is.
bool isBeingRecorded(const std::filesystem::path& directory, std::chrono::milliseconds time);

}  // namespace holos::cli
