// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/team_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

std::uint32_t TeamRecorder::join(Ticks time, std::uint32_t slice) {
    if (!forks_.isAnyOpen()) return kNone;
    Fork& fork = forks_.innermost();
    fork.join = time;
    fork.joinSlice = slice;
    return forks_.close();
}

std::uint32_t TeamRecorder::nextInstance(std::uint32_t comm) {
    if (instances_.size() <= comm) instances_.resize(comm + 1, 0);
    return instances_[comm]++;
}

void TeamRecorder::pop() {
    if (stays_.back().hasParallel) {
        parallels_.innermost().barriers = stays_.back().barriers;
        parallels_.close();
    }
    stays_.pop_back();
}

void TeamRecorder::enterParallel(NodeId node, Ticks time, std::uint64_t event, std::uint32_t slice) {
    stays_.back().hasParallel = true;
    parallels_.open({stays_.back().team, node, time, time, event, slice, slice, 0});
}

void TeamRecorder::leaveParallel(NodeId node, Ticks enter, Ticks time, std::uint32_t slice) {
    if (stays_.empty() || !stays_.back().hasParallel) return;
    ParallelRecord& record = parallels_.innermost();
    if (record.node != node || record.enter != enter) return;
    record.leave = time;
    record.leaveSlice = slice;
}

std::uint32_t TeamRecorder::barrier(NodeId node, bool implicit, Ticks enter, Ticks leave, Ticks quiet) {
    if (stays_.empty()) return kNone;
    Stay& stay = stays_.back();
    // A task may have no region, and a call may be in no task that is known.
    const Ticks inside =
        std::max(stay.taskTime - stay.tasksAtBarrier, leave - enter - (quiet - stay.quietAtBarrier));
    barriers_.append(
        {stay.team, stay.barriers++, implicit, node, enter, leave, inside, barrierEvent_, barrierSlice_});
    return barriers_.size() - 1;
}

ThreadRecords TeamRecorder::take() {
    ThreadRecords records(locks_.memory());
    records.forks = forks_.take();
    records.parallels = parallels_.take();
    records.barriers = barriers_.take();
    records.shortages = std::move(shortages_);
    records.plainShortages = std::move(plainShortages_);
    records.forkShortages = std::move(forkShortages_);
    records.locks = std::move(locks_);
    records.timeouts = std::move(timeouts_);
    records.starts = std::move(starts_);
    records.ends = std::move(ends_);
    records.joins = std::move(joins_);
    records.taskEnds = std::move(taskEnds_);
    records.taskStalls = std::move(taskStalls_);
    return records;
}

}  // namespace holos::analyzer::replay
