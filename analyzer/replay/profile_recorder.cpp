// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/profile_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

void ProfileRecorder::settle() {
    for (std::size_t i = slices_.begins.back(); i < slices_.entries.size(); ++i)
        slices_.entries[i].ticks += tree_[slices_.entries[i].node].exclusive;
}

std::uint32_t ProfileRecorder::begin(NodeId node, Ticks booked) {
    if (stamp_ == 0) return 0;
    settle();
    Ticks moved = 0;
    for (std::size_t i = slices_.begins.back(); i < slices_.entries.size(); ++i) {
        ProfileEntry& entry = slices_.entries[i];
        if (entry.node != node) continue;
        moved = std::clamp<Ticks>(booked, 0, std::max<Ticks>(0, entry.ticks));
        entry.ticks -= moved;
    }
    slices_.begins.push_back(slices_.entries.size());
    ++stamp_;
    touch(node);
    slices_.entries.back().ticks += moved;
    return current();
}

ProfileSlices ProfileRecorder::take() {
    if (stamp_ != 0) settle();
    return std::move(slices_);
}

}  // namespace holos::analyzer::replay
