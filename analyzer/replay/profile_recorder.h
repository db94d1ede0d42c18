// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include "analyzer/memory/records.h"
#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

/// The time of one call path within one slice.
struct ProfileEntry {
    NodeId node;
    Ticks ticks = 0;
};

/// One location's time per call path, cut into slices. A slice begins with the call that synchronizes and
/// ends before the next such call; slice 0 is what comes before the first one.
struct ProfileSlices {
    explicit ProfileSlices(Memory memory = heap()) : entries(memory), begins(memory) {}

    Records<ProfileEntry> entries;
    Records<std::size_t> begins;  ///< by slice: its first entry

    std::size_t size() const { return begins.size(); }
};

/// Cuts a location's time at its synchronization points. What it keeps grows with the call paths that were
/// active between two points. Switched off, it costs a comparison per event and keeps nothing.
class ProfileRecorder {
  public:
    ProfileRecorder(LocalTree& tree, bool wanted, Memory memory)
        : tree_(tree), slices_(memory), stamp_(wanted ? 1 : 0) {
        if (wanted) slices_.begins.push_back(0);
    }

    /// Before time is booked on a node.
    void touch(NodeId node) {
        LocalTree::Node& touched = tree_[node];
        if (touched.slice == stamp_) return;
        touched.slice = stamp_;
        slices_.entries.push_back({node, -touched.exclusive});
    }
    /// A slice begins with a call at `node`, of which `booked` is already in the slice before. Returns its
    /// number.
    std::uint32_t begin(NodeId node, Ticks booked);
    std::uint32_t current() const { return stamp_ == 0 ? 0 : stamp_ - 1; }

    ProfileSlices take();

  private:
    void settle();

    LocalTree& tree_;
    ProfileSlices slices_;
    std::uint32_t stamp_;  ///< number of the slice, plus one; 0 when switched off
};

}  // namespace holos::analyzer::replay
