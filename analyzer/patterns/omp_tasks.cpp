// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for tasks: no task is ready, and the barrier or the taskwait goes on until another thread has ended
// one. Then it ends, or the thread goes on with a task that waited for that one.
//
//   thread 0  ──┤ taskwait E ┤task├a ·········L├task├──    w = end of the last task of others before L − a
//   thread 1  ──────┤ barrier  ┤ task ────────├·····          a: of a barrier, when all have come, if that is
//   later
//                                    └── w ───┘
//
#include <algorithm>
#include <optional>
#include <vector>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kTaskPicture{
    {{"thread 0", "taskwait", "---############=----"}, {"thread 1", "task", "---=============----"}},
    {{0, 15, 1, 15}}};

Metric waitBelow(const char* parent, const char* name, const char* displayName) {
    return {.parent = parent,
            .uniqueName = name,
            .displayName = displayName,
            .description =
                "Time in which a thread waits for tasks, although it could run one: none is ready, and "
                "others run the "
                "last ones. Divide large tasks into smaller ones, or begin them first.",
            .picture = &kTaskPicture,
            .needs = Needs::OpenMpTasks,
            .meaning = "threads wait for tasks that others run"};
}

const Metric kAtTaskwait = waitBelow("omp_taskwait", "omp_taskwait_wait", "Waiting for Tasks");
const Metric kAtExplicitBarrier =
    waitBelow("omp_ebarrier", "omp_ebarrier_task_wait", "Waiting for Tasks at Explicit Barrier");
const Metric kAtImplicitBarrier =
    waitBelow("omp_ibarrier", "omp_ibarrier_task_wait", "Waiting for Tasks at Implicit Barrier");

using replay::RecordRef;
using replay::TaskEnd;
using replay::TaskStall;

const Metric& metricOf(const TaskStall& stall) {
    if (!stall.isBarrier()) return kAtTaskwait;
    return stall.implicit ? kAtImplicitBarrier : kAtExplicitBarrier;
}

/// The last end of a task before a time, of other threads of a process.
std::optional<RecordRef> lastEndOfOthers(const replay::ReplayedTrace& trace, const trace::Process& process,
                                         std::uint32_t self, Ticks until) {
    std::optional<RecordRef> last;
    Ticks latest = 0;
    for (const trace::LocationId thread : process.threads) {
        const auto& ends = trace[thread].threads.taskEnds;
        if (thread.index() == self) continue;
        const auto after = std::ranges::upper_bound(ends, until, {}, &TaskEnd::time);
        if (after == ends.begin() || (last && std::prev(after)->time <= latest)) continue;
        latest = std::prev(after)->time;
        last = RecordRef{static_cast<std::uint32_t>(thread.index()),
                         static_cast<std::uint32_t>(std::prev(after) - ends.begin())};
    }
    return last;
}

/// When all are there.
Ticks allCame(const TaskStall& stall, const matching::LastArrivals& arrivals) {
    const matching::LastArrival* const last = stall.isBarrier() ? arrivals.at(stall) : nullptr;
    return last != nullptr ? std::max(stall.begin, last->enter) : stall.begin;
}

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    const replay::ReplayedTrace& trace = run.trace;
    if (std::ranges::all_of(trace.locations,
                            [](const auto& location) { return location.threads.taskStalls.empty(); }))
        return;
    const matching::LastArrivals arrivals(trace);
    for (std::uint32_t i = 0; i < found.size(); ++i) {
        const trace::Process& process =
            trace.definitions.processes[trace.definitions.locations[i].process.index()];
        for (const TaskStall& stall : trace.locations[i].threads.taskStalls) {
            const auto last = lastEndOfOthers(trace, process, i, stall.end);
            if (!last) continue;
            const TaskEnd& end = trace.locations[last->location].threads.taskEnds[last->position];
            const Ticks begin = allCame(stall, arrivals);
            // Neither the recorder's own time nor other calls inside are waiting; where the latter were, is
            // not known.
            const Ticks others = std::max<Ticks>(0, begin - stall.begin - stall.calls);
            const Ticks pauses = partWithin(trace.locations[i].pauses, {begin, std::max(begin, end.time)});
            const Ticks wait =
                std::min(end.time - begin - pauses, stall.end - stall.begin - stall.calls - others);
            if (wait <= 0) continue;
            found.own(i).waits.dependencies.push_back(
                {{i, stall.node, stall.slice, kNone, stall.event, stall.begin, stall.end},
                 {last->location, end.node, end.slice, kNone, end.event, end.time, end.time, end.isInBarrier},
                 &metricOf(stall),
                 wait,
                 wait,
                 Kind::OmpTask});
        }
    }
}

}  // namespace

extern const Pattern kOmpTasksPattern{
    .metrics = {&kAtExplicitBarrier, &kAtImplicitBarrier, &kAtTaskwait},
    .delays = {{Kind::OmpTask, "delay_omp", "delay_omp_task", "Waiting for Tasks",
                "What a thread that runs a task does longer than those that wait for it.", &kTaskPicture,
                Needs::OpenMpTasks}},
    .inTrace = findInTrace};

}  // namespace holos::analyzer::patterns
