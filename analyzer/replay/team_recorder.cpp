// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/team_recorder.h"

namespace holos::analyzer::replay {

bool TeamRecorder::join(Ticks time) {
    if (openForks_.empty()) return false;
    Fork& fork = records_.forks[openForks_.back()];
    fork.join = time;
    fork.joined = true;
    openForks_.pop_back();
    return true;
}

std::uint32_t TeamRecorder::nextInstance(std::uint32_t comm) {
    if (instances_.size() <= comm) instances_.resize(comm + 1, 0);
    return instances_[comm]++;
}

void TeamRecorder::enterParallel(NodeId node, Ticks time) {
    if (stays_.empty() || stays_.back().parallel != kNone) return;
    stays_.back().parallel = static_cast<std::uint32_t>(records_.parallels.size());
    records_.parallels.push_back({stays_.back().team, node, time, time});
}

void TeamRecorder::leaveParallel(NodeId node, Ticks enter, Ticks time) {
    if (stays_.empty() || stays_.back().parallel == kNone) return;
    ParallelRecord& record = records_.parallels[stays_.back().parallel];
    if (record.node == node && record.enter == enter) record.leave = time;
}

void TeamRecorder::barrier(NodeId node, bool implicit, Ticks enter) {
    if (stays_.empty()) return;  // outside of a parallel region nobody waits
    Stay& stay = stays_.back();
    records_.barriers.push_back(
        {stay.team, stay.barriers++, implicit, node, enter, taskTime_ - tasksAtBarrier_, 0});
}

}  // namespace holos::analyzer::replay
