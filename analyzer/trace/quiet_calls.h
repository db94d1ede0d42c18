// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
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

}  // namespace holos::analyzer::trace
