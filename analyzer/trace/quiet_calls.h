// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Events of a location, directly one after the other, that only enter and leave functions of the program:
/// nothing is sent, counted, locked or waited for. Who does not want their times can go on behind them.
struct QuietCalls {
    std::uint64_t first = 0;     ///< how many events come before them
    std::uint64_t end = 0;       ///< how many there are up to their last one
    Ticks before = 0;            ///< the latest time of the calls before them
    Ticks latest = 0;            ///< the latest time up to their last one
    std::vector<RegionId> left;  ///< of the calls that are open before them those that they leave, in order
    std::vector<RegionId> entered;  ///< the calls that they leave open, the outermost first
    /// A call path that the location has for the first time.
    struct Path {
        std::uint32_t left = 0;         ///< it begins behind so many leaves of `left`
        std::vector<RegionId> regions;  ///< the outermost first
    };
    std::vector<Path> met;  ///< in their order
    /// In the file of the location's events.
    struct Place {
        std::uint64_t begin = 0;  ///< the byte of the first of them, with what belongs to it
        std::uint64_t end = 0;    ///< the byte behind them
        std::uint64_t time = 0;   ///< the last time stamp before that, as the file has it
    };
    std::optional<Place> place;  ///< where it is known
};

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
