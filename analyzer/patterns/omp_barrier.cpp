// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at OpenMP barrier, explicit or implicit.
//
//   thread 0  ──┤E ····│────L├──        w = latest E − E − time of explicit tasks that ran inside
//   thread 1  ─────────┤E───L├──
//               └─ w ──┘
//
// Where tasks also ran when all had come, what is known of the time without any until then is the wait.
//
// Waiting for processors: what is left of a barrier beyond all waits, as far as the thread could run
// meanwhile and had no processor. While it waits for others, it needs none.
//
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPicture{{{"thread 0", "barrier", "------######==------"},
                                 {"thread 1", "barrier", "---#########==------"},
                                 {"last thread", "barrier", "------------==------"}}};

const Metric kOmpExplicitBarrierWait{.parent = "omp_ebarrier",
                                     .uniqueName = "omp_ebarrier_wait",
                                     .displayName = "Wait at Explicit OpenMP Barrier",
                                     .description =
                                         "Time that a thread waits in an explicit barrier for the last "
                                         "thread to enter it. Balance the threads' work.",
                                     .picture = &kPicture,
                                     .meaning = "threads wait at a barrier for the last one",
                                     .activity = Activity::None};
const Metric kOmpImplicitBarrierWait{
    .parent = "omp_ibarrier",
    .uniqueName = "omp_ibarrier_wait",
    .displayName = "Wait at Implicit OpenMP Barrier",
    .description =
        "Time that a thread waits at the end of a construct for the last thread to enter its implicit "
        "barrier. Balance the threads' work, or use nowait where the barrier is not needed.",
    .picture = &kPicture,
    .meaning = "threads wait at the end of a construct for the last one",
    .activity = Activity::None};

const Metric kShortageAtExplicit = shortageBelow("omp_ebarrier", "omp_ebarrier_processor_waiting");
const Metric kShortageAtImplicit = shortageBelow("omp_ibarrier", "omp_ibarrier_processor_waiting");

const Metric& metricOf(const replay::BarrierRecord& record) {
    return record.implicit ? kOmpImplicitBarrierWait : kOmpExplicitBarrierWait;
}

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits& waits,
          LocalSeverities& severities) {
    if (run.trace[location].threads.barriers.empty()) return;  // keeps no sums of them
    NodeSums* const sums[] = {&severities.of(kOmpExplicitBarrierWait),
                              &severities.of(kOmpImplicitBarrierWait)};
    forEachBarrier(run.trace[location], waits,
                   [&](const replay::BarrierRecord& record, const BarrierWait& found) {
                       sums[record.implicit ? 1 : 0]->add(record.node, found.wait);
                   });
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    forEachBarrier(run.trace[location], run.waits[location.index()],
                   [&](const replay::BarrierRecord& record, const BarrierWait& found) {
                       if (found.wait > 0)
                           visit({metricOf(record), record.node, found.wait, record.enter, {}});
                   });
}

/// By team and number in it.
using TicksByBarrier = std::map<std::pair<replay::TeamKey, std::uint32_t>, Ticks>;

/// How long a location ran no tasks in its barriers while others were still to come.
TicksByBarrier idleUntilAllCame(const replay::LocationTrace& location,
                                const matching::LastArrivals& arrivals) {
    TicksByBarrier sums;
    for (const replay::TaskStall& stall : location.threads.taskStalls) {
        const matching::LastArrival* const last = stall.isBarrier() ? arrivals.at(stall) : nullptr;
        if (last == nullptr) continue;
        const Ticks until = std::min(last->enter, stall.end);
        const Ticks others = stall.calls + partWithin(location.pauses, {stall.begin, until});
        if (const Ticks idle = until - stall.begin - others; idle > 0)
            sums[{stall.team, stall.sequence}] += idle;
    }
    return sums;
}

/// Of the barrier of one location. The recorder's own time is none of the barrier's.
BarrierWait waitAt(const replay::BarrierRecord& barrier, const matching::LastArrival& last,
                   std::size_t location, const std::vector<replay::Period>& pauses,
                   const TicksByBarrier& idle) {
    BarrierWait found;
    // Clocks that contradict each other, or lost events, may let it leave before the last one comes.
    const Ticks until = std::min(last.enter, std::max(barrier.leave, barrier.enter));
    found.wait = std::max<Ticks>(
        0, until - barrier.enter - barrier.tasks - partWithin(pauses, {barrier.enter, until}));
    if (const auto known = idle.find({barrier.team, barrier.sequence}); known != idle.end())
        found.wait = std::max(found.wait, known->second);
    if (found.wait > 0) found.awaited = last.location;
    found.isAwaited = last.isAwaited && last.location == location;
    return found;
}

/// For tasks, by their begin.
std::vector<Dependency> waitsForTasks(const LocationWaits& waits) {
    std::vector<Dependency> all;
    for (const Dependency& wait : waits.dependencies)
        if (wait.kind == Kind::OmpTask) all.push_back(wait);
    std::ranges::stable_sort(all, {}, [](const Dependency& wait) { return wait.waiter.begin; });
    return all;
}

/// How long a barrier waited for tasks, when all threads had come.
Ticks waitedForTasks(const replay::BarrierRecord& barrier, const std::vector<Dependency>& waits) {
    Ticks sum = 0;
    auto wait = std::ranges::lower_bound(waits, barrier.enter, {},
                                         [](const Dependency& one) { return one.waiter.begin; });
    for (; wait != waits.end() && wait->waiter.begin < barrier.leave; ++wait)
        if (wait->waiter.node == barrier.node) sum += wait->booked;
    return sum;
}

void bookShortages(const replay::LocationTrace& location, Ticks longestWake, LocationFindings& found) {
    const Records<replay::BarrierShortage>& noted = location.threads.shortages;
    const std::vector<Dependency> forTasks = waitsForTasks(found.waits);
    auto next = noted.begin();
    std::uint32_t position = 0;
    forEachBarrier(location, found.waits, [&](const replay::BarrierRecord& barrier, const BarrierWait& wait) {
        for (; next != noted.end() && next->barrier == position; ++next) {
            const Ticks waited = wait.wait + waitedForTasks(barrier, forTasks);
            const Ticks rest = barrier.leave - barrier.enter - barrier.tasks - waited -
                               partWithin(location.pauses, {barrier.enter, barrier.leave});
            const Ticks ticks = shortageBeyond(next->off, waited, rest, longestWake);
            if (ticks <= 0) continue;
            found.severities.add(barrier.implicit ? kShortageAtImplicit : kShortageAtExplicit, barrier.node,
                                 ticks);
            if (next->node != replay::kOutside)
                found.waits.shortages.push_back({next->slice, barrier.node, next->node, ticks});
        }
        ++position;
    });
}

}  // namespace

void findShortagesAtBarriers(const replay::ReplayedTrace& trace, workers::Workers& workers,
                             AllFindings& found) {
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        if (found.has(i) && !trace.locations[i].threads.shortages.empty())
            bookShortages(trace.locations[i], replay::longestWakeOf(trace.definitions), found.own(i));
    });
}

void findOmpBarrierWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory,
                         AllFindings& found) {
    const matching::LastArrivals last(trace);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        if (!found.has(i)) return;
        RecordPacker<BarrierWait> waits(memory);
        const TicksByBarrier idle = idleUntilAllCame(trace.locations[i], last);
        for (const replay::BarrierRecord& record : trace.locations[i].threads.barriers)
            waits.append(waitAt(record, last.of(record), i, trace.locations[i].pauses, idle));
        found.own(i).waits.barriers = waits.take();
    });
}

extern const Pattern kOmpBarrierPattern{
    .metrics = {&kOmpExplicitBarrierWait, &kShortageAtExplicit, &kOmpImplicitBarrierWait,
                &kShortageAtImplicit},
    .delays = {{Kind::OmpBarrier, "delay_omp", "delay_ompbarrier", "Wait at Barrier",
                "Delays that make threads wait in a barrier.", &kImbalance}},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
