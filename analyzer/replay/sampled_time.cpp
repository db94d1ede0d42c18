// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/sampled_time.h"

#include <algorithm>

namespace holos::analyzer::replay {

void SampledTime::add(NodeId function, Ticks time, Ticks weight) {
    seen_.sample(function);
    sharing_.sample(isComputation(function) ? function : kOutside, stack_.now(), time, weight);
}

bool SampledTime::isComputation(NodeId node) const {
    if (node == kProgram) return true;
    const LocalTree::Node& path = stack_.tree()[node];
    if (node == kOutside || path.adopted) return false;
    if (path.region == trace::kTasksRegion || path.region == trace::kThreadsRegion) return false;
    return context_.classes[path.region.index()].isComputation();
}

void SampledTime::share(Ticks end) {
    if (!isComputation(stack_.current())) return leaveOut();
    seen_.settle();
    sharing_.share({stack_.current(), stack_.left(), next_}, stack_.now(), end);
}

void SampledTime::leaveOut() {
    seen_.settle();
    sharing_.leaveOut();
}

std::vector<SharedTime> SampledTime::finish(CounterRecorder& counters) {
    LocalTree& tree = stack_.tree();
    std::vector<SharedTime> shared = sharing_.take();
    std::vector<CounterRecorder::Part> parts;
    NodeId from = kOutside;
    Ticks own = 0;
    Ticks left = 0;
    for (SharedTime& part : shared) {  // until all are known, the tree has what was booked
        if (part.from != from) own = left = std::max<Ticks>(0, tree[part.from].exclusive);
        from = part.from;
        part.ticks = std::min(part.ticks, left);
        left -= part.ticks;
        if (own != 0)
            parts.push_back({from, part.to, static_cast<double>(part.ticks) / static_cast<double>(own)});
    }
    for (const SharedTime& part : shared) {
        tree[part.from].exclusive -= part.ticks;
        tree[part.to].exclusive += part.ticks;
    }
    counters.share(parts);
    return shared;
}

}  // namespace holos::analyzer::replay
