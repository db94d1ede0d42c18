// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack: which functions have the time between two events.
#include <algorithm>

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

void CallReplay::noteSample(trace::ContextId context, Ticks time, Ticks weight) {
    const NodeId function = paths_.of(current_, knownAround(), context_.definitions[context].frame);
    const NodeId before = met_ == kOutside ? tree_[left_].parent : met_;
    const NodeId known = std::max(current_, tree_.common(before, function));
    for (NodeId met = function; met != known; met = tree_[met].parent) tree_[met].visits += counted_;
    metBelow_ = met_ == kOutside ? known : std::min(metBelow_, known);
    met_ = function;
    sharing_.sample(isComputation(function) ? function : kOutside, last_, time, weight);
}

bool CallReplay::isComputation(NodeId node) const {
    if (node == kProgram) return true;
    if (node == kOutside || tree_[node].adopted) return false;
    const RegionId region = tree_[node].region;
    if (region == trace::kTasksRegion || region == trace::kThreadsRegion) return false;
    return context_.classes[region.index()].isComputation();
}

void CallReplay::shareInterval(Ticks end) {
    met_ = kOutside;
    // What a master needs to fork and join counts for the parallel region, and what passes before a task
    // has begun for the task.
    const bool isForking = teams_.isInFork() && teams_.innermostFork().parent == current_;
    const bool isBetweenTasks = run_.task != nullptr && stack_.empty();
    if (isForking || isBetweenTasks || !isComputation(current_)) return sharing_.leaveOut();
    sharing_.share({current_, left_, next_}, last_, end);
}

std::vector<SharedTime> CallReplay::shareTimes() {
    std::vector<SharedTime> shared = sharing_.take();
    std::vector<CounterRecorder::Part> parts;
    NodeId from = kOutside;
    Ticks own = 0;
    Ticks left = 0;
    for (SharedTime& part : shared) {  // until all are known, the tree has what was booked
        if (part.from != from) own = left = std::max<Ticks>(0, tree_[part.from].exclusive);
        from = part.from;
        part.ticks = std::min(part.ticks, left);
        left -= part.ticks;
        if (own != 0)
            parts.push_back({from, part.to, static_cast<double>(part.ticks) / static_cast<double>(own)});
    }
    for (const SharedTime& part : shared) {
        tree_[part.from].exclusive -= part.ticks;
        tree_[part.to].exclusive += part.ticks;
    }
    counters_.share(parts);
    return shared;
}

}  // namespace holos::analyzer::replay
