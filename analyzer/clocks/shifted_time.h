// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace holos::analyzer::clocks
