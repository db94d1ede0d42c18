// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/clocks/logical_walk.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::clocks {

using trace::Ticks;

/// A time that runs faster here and there, in straight lines between knots, and never back. Before the first
/// knot and behind the last one nothing is changed.
/// Thread safety: safe to read.
class ShiftedTime {
  public:
    struct Knot {
        Ticks from = 0;
        Ticks to = 0;
    };
    /// A corner of a change: how far it moves what is at this time, as changed so far.
    struct Corner {
        Ticks at = 0;
        Ticks shift = 0;
    };

    Ticks of(Ticks time) const;
    /// The time that was changed to this one.
    Ticks originOf(Ticks changed) const;

    /// Moves what lies between the first and the last corner, which ascend, in straight lines between them.
    /// Behind the last one nothing moves: there is a gap as large as its shift.
    void change(const std::vector<Corner>& corners);

    /// To another process, or from there (`Packer`, `Unpacker`).
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(knots_);
    }

  private:
    std::vector<Knot> knots_;  ///< ascending
};

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
