// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/interval_times.h"

#include <algorithm>

namespace holos::analyzer::replay {

Ticks& IntervalTimes::at(NodeId node) {
    if (place_.size() <= node.index()) place_.resize(node.index() + 1);
    std::uint32_t& place = place_[node.index()];
    if (place == 0) {
        present_.push_back({static_cast<std::uint32_t>(node.index()), 0});
        place = static_cast<std::uint32_t>(present_.size());
    }
    return present_[place - 1].ticks;
}

void IntervalTimes::endSlice() {
    slices_.append(present_);
    for (const PathTicks& entry : present_) place_[entry.path] = 0;
    present_.clear();
    ++next_;
}

void IntervalTimes::pass(NodeId node, Ticks from, Ticks to) {
    while (next_ < moments_.size() && moments_[next_] < to) {
        if (from < moments_[next_]) {
            at(node) += moments_[next_] - from;
            from = moments_[next_];
        }
        endSlice();
    }
    if (from < to) at(node) += to - from;
}

void IntervalTimes::move(NodeId from, NodeId to, Ticks now, Ticks passed) {
    const Ticks moved = next_ == 0 ? passed : std::min(passed, now - moments_[next_ - 1]);
    at(from) -= moved;
    at(to) += moved;
}

PackedSlices IntervalTimes::take() {
    if (isOn())
        while (next_ <= moments_.size()) endSlice();
    return std::move(slices_);
}

}  // namespace holos::analyzer::replay
