// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/team_recorder.h"

namespace holos::analyzer::replay {

std::uint32_t TeamRecorder::join(Ticks time, std::uint32_t slice) {
    if (openForks_.empty()) return kNone;
    const auto joined = static_cast<std::uint32_t>(openForks_.back());
    Fork& fork = records_.forks[joined];
    fork.join = time;
    fork.joinSlice = slice;
    openForks_.pop_back();
    return joined;
}

std::uint32_t TeamRecorder::nextInstance(std::uint32_t comm) {
    if (instances_.size() <= comm) instances_.resize(comm + 1, 0);
    return instances_[comm]++;
}

void TeamRecorder::enterParallel(NodeId node, Ticks time, std::uint64_t event, std::uint32_t slice) {
    stays_.back().parallel = static_cast<std::uint32_t>(records_.parallels.size());
    records_.parallels.push_back({stays_.back().team, node, time, time, event, slice, slice});
}

void TeamRecorder::leaveParallel(NodeId node, Ticks enter, Ticks time, std::uint32_t slice) {
    if (stays_.empty() || stays_.back().parallel == kNone) return;
    ParallelRecord& record = records_.parallels[stays_.back().parallel];
    if (record.node != node || record.enter != enter) return;
    record.leave = time;
    record.leaveSlice = slice;
}

std::uint32_t TeamRecorder::barrier(NodeId node, bool implicit, Ticks enter, Ticks leave) {
    if (stays_.empty()) return kNone;
    Stay& stay = stays_.back();
    records_.barriers.push_back({stay.team, stay.barriers++, implicit, node, enter, leave,
                                 taskTime_ - tasksAtBarrier_, barrierEvent_, barrierSlice_, 0, kNone, kNone});
    return static_cast<std::uint32_t>(records_.barriers.size() - 1);
}

}  // namespace holos::analyzer::replay
