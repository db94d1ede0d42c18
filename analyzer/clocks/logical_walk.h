// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/clocks/constraints.h"

namespace holos::analyzer::clocks {

/// An event that was recorded before one that it has to follow.
struct Jump {
    std::uint64_t event = 0;  ///< number in the location
    std::size_t point = 0;    ///< position among the location's points
    Ticks recorded = 0;
    Ticks before = 0;  ///< what its clock would have come to
    Ticks after = 0;   ///< what the event has to come to
};

/// The clocks of all locations after they went forward once.
struct LogicalTimes {
    std::vector<std::vector<Ticks>> times;  ///< by location and point
    std::vector<std::vector<Jump>> jumps;   ///< by location
};

/// Forward amortization of the controlled logical clock: each location's clock goes from event to event, and
/// jumps where an event would come too early after one that it follows (R. Rabenseifner, The controlled
/// logical clock, 1997; D. Becker et al., Scalable timestamp synchronization for event traces of
/// message-passing applications, Parallel Computing 35, 2009; for OpenMP Becker et al., 2010). Fills the
/// times of the constraints.
LogicalTimes walkForward(const std::vector<ClockPoints>& points, Constraints& constraints,
                         const LeastTimes& leastTimes);

}  // namespace holos::analyzer::clocks
