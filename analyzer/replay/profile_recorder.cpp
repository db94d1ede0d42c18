// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/profile_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

void ProfileRecorder::settle() {
    for (PathTicks& entry : open_) entry.ticks += tree_[NodeId(entry.path)].exclusive;
}

std::uint32_t ProfileRecorder::begin(NodeId node, Ticks booked) {
    if (stamp_ == 0) return 0;
    settle();
    Ticks moved = 0;
    for (PathTicks& entry : open_) {
        if (entry.path != node.index()) continue;
        moved = std::clamp<Ticks>(booked, 0, std::max<Ticks>(0, entry.ticks));
        entry.ticks -= moved;
    }
    slices_.append(open_);
    open_.clear();
    ++stamp_;
    if (known_ != kNothing) known_ = stamp_;
    touch(node);
    open_.back().ticks += moved;
    return current();
}

PackedSlices ProfileRecorder::take() {
    if (stamp_ != 0) {
        settle();
        slices_.append(open_);
    }
    return std::move(slices_);
}

}  // namespace holos::analyzer::replay
