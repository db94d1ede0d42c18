// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "analyzer/clocks/logical_walk.h"
#include "analyzer/clocks/shifted_time.h"

namespace holos::analyzer::clocks {

/// An event that others follow.
struct Limit {
    std::size_t point = 0;  ///< position among the location's points
    Ticks time = 0;         ///< after the walk forward
    Ticks latest = 0;       ///< that it may be moved to
};

/// Backward amortization: what comes before a jump is stretched, so that the clock comes to it without a gap.
/// The stretch begins where a small slope is enough, at `begin` at the earliest; no event is moved beyond its
/// limit, so that the slope is larger behind such an event (D. Becker et al., as above, section 4.2).
/// `limits` and `jumps`: of one location, in the order of its events.
ShiftedTime amortizeBackward(std::span<const Limit> limits, std::span<const Jump> jumps, Ticks begin,
                             double slope);

}  // namespace holos::analyzer::clocks
