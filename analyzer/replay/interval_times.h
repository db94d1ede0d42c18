// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

/// Cuts a location's time per call path at given moments: when somebody else reads counters that this
/// location has a part in. Slice `i` is what comes after moment `i - 1`, until moment `i`. Without moments it
/// keeps nothing.
/// Thread safety: one thread for each location.
class IntervalTimes {
  public:
    /// In ascending order.
    IntervalTimes(std::span<const Ticks> moments, Memory memory) : moments_(moments), slices_(memory) {}

    bool isOn() const { return !moments_.empty(); }
    /// Time passes at a call path.
    void pass(NodeId node, Ticks from, Ticks to);
    /// Of the time that passed until `now`, so much was that of another call path. What lies in earlier
    /// slices stays there.
    void move(NodeId from, NodeId to, Ticks now, Ticks passed);

    /// One more than there are moments, by number of the node; none without moments.
    PackedSlices take();

  private:
    Ticks& at(NodeId node);
    void endSlice();

    std::span<const Ticks> moments_;
    std::size_t next_ = 0;  ///< the moment that ends the present slice
    PackedSlices slices_;
    std::vector<PathTicks> present_;    ///< of the present slice
    std::vector<std::uint32_t> place_;  ///< by node: in `present_`, from 1 on; 0 where it is not
};

}  // namespace holos::analyzer::replay
