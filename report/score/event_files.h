// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace holos::score {

/// Bytes of a trace's files of events, by location in the order of its experiment; empty where the archive
/// does not have one file for each location. Throws `holos::Error` where there is no trace.
std::vector<std::uint64_t> bytesOfEventFiles(const std::filesystem::path& archiveOrDirectory);

}  // namespace holos::score
