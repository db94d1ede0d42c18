// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::trace {

/// Sets `place` of these calls of one location, which are in the order of time: where they stand in the file
/// of its events. It stays unknown where the file is compressed, damaged, cut or of another byte order.
/// `chunkSize` as in `file_end.h`.
void findPlaces(std::vector<QuietCalls>& calls, const std::filesystem::path& file, std::uint64_t chunkSize);

/// Copies a file of a location's events without those of these calls, which are in the order of time. OTF2
/// would have to decode every event that it skips; what is left out here is not even read. False where the
/// place of a call is unknown or not the one in this file, where what is copied is damaged, or where the copy
/// cannot be written.
bool copyWithout(const std::vector<QuietCalls>& calls, const std::filesystem::path& file,
                 std::uint64_t chunkSize, const std::filesystem::path& copy);

}  // namespace holos::analyzer::trace
