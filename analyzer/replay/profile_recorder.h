// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

/// Cuts a location's time per call path into slices. A slice begins with the call that synchronizes and ends
/// before the next such call; slice 0 is what comes before the first one. What is kept grows with the call
/// paths that were active between two such calls. Switched off, it costs a comparison per event and keeps
/// nothing.
class ProfileRecorder {
  public:
    ProfileRecorder(LocalTree& tree, bool wanted, Memory memory)
        : tree_(tree), slices_(memory), stamp_(wanted ? 1 : 0), known_(stamp_) {}

    /// `knows` is never true, so that nothing passes unseen.
    void knowNothing() { known_ = kNothing; }
    /// `touch` need not be called.
    bool knows(NodeId node) const { return tree_[node].slice == known_; }
    /// Before time is booked on a node.
    void touch(NodeId node) {
        LocalTree::Node& touched = tree_[node];
        if (touched.slice == stamp_) return;
        touched.slice = stamp_;
        open_.push_back({static_cast<std::uint32_t>(node.index()), -touched.exclusive});
    }
    /// The time that is booked on a node until the next slice is not kept.
    void leaveOut(NodeId node) { tree_[node].slice = stamp_; }
    /// A slice begins with a call at `node`, of which `booked` is already in the slice before. Returns its
    /// number.
    std::uint32_t begin(NodeId node, Ticks booked);
    std::uint32_t current() const { return stamp_ == 0 ? 0 : stamp_ - 1; }

    /// By number of the node; empty when switched off.
    PackedSlices take();

  private:
    static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
    void settle();

    LocalTree& tree_;
    PackedSlices slices_;
    std::vector<PathTicks>
        open_;             ///< the present slice; until it is settled, times are those up to its start
    std::uint32_t stamp_;  ///< number of the slice, plus one; 0 when switched off
    std::uint32_t known_;  ///< the same, or `kNothing`
};

}  // namespace holos::analyzer::replay
