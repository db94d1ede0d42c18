// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::trace {

/// Finds the places of these calls, which are in their order, in the file of a location's events. They stay
/// unknown where the file is compressed, damaged, cut or of another byte order. `chunkSize` as in
/// `file_end.h`.
void tellPlaces(std::vector<QuietCalls>& calls, const std::filesystem::path& file, std::uint64_t chunkSize);

/// Writes a location's events but for these calls, which are in their order, to another file. OTF2 decodes
/// every event that it goes by; what is left out here is not even read. False where that cannot be done:
/// where the place of a call is unknown or not the one in this file, what is copied is damaged, or the copy
/// cannot be written.
bool copyWithout(const std::vector<QuietCalls>& calls, const std::filesystem::path& file,
                 std::uint64_t chunkSize, const std::filesystem::path& copy);

}  // namespace holos::analyzer::trace
