// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "tracing/recordings/watch/followed_events.h"
#include "tracing/recordings/watch/picture.h"

namespace holos::watch {

class RegionActivities;

/// What records say that stand for several calls, one directly after the other: polls, locks that are set and
/// unset, critical sections.
struct RepeatedCalls {
    std::uint64_t ended = 0;                         ///< ticks of the last end
    std::array<std::uint64_t, kActivities> times{};  ///< ticks in the calls
    std::uint64_t between = 0;                       ///< ticks since the start that were in none of them
    std::uint64_t number = 0;                        ///< of calls that are over
    std::optional<OpenRegion> left;                  ///< the region that was left last, with the time of that
    std::vector<OpenRegion> open;                    ///< another one that is not over yet
};

/// The calls that a record of polls, or sections, stands for. `since`: what was before is told already.
RepeatedCalls repeatedCalls(const archive::Record& record, std::uint64_t since,
                            const RegionActivities& regions);
/// The calls that one or two such records stand for.
RepeatedCalls repeatedCalls(const Unfinished& records, std::uint64_t since, const RegionActivities& regions);

}  // namespace holos::watch
