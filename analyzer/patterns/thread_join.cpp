// SPDX-License-Identifier: BSD-3-Clause
//
// Wait for a thread: a call joins a thread that has not ended yet.
//
//   thread 1  ──┤ works ──────│end│
//   thread 0  ─────┤E join ···│·L├───        w = min(end of thread 1, L) − E, if positive
//                  └─── w ────┘
//
// Which thread a call joins is known where the trace says it, by an event in the call.
//
#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kJoinPicture{
    {{"joined", "thread", "=============       "}, {"waits", "join", "------#######=------"}},
    {{0, 13, 1, 13}}};

const Metric kJoinWait{.parent = "pthread_management",
                       .uniqueName = "pthread_join_wait",
                       .displayName = "Wait for Thread",
                       .description =
                           "Time that threads wait in pthread_join and its like until the thread that they "
                           "join has ended. Join later, or shorten what that thread does.",
                       .picture = &kJoinPicture,
                       .needs = Needs::PthreadJoins,
                       .meaning = "threads wait for the end of another one",
                       .activity = Activity::None};

/// A thread of a process: the group of its threads, and its number there.
using Thread = std::pair<std::uint32_t, std::uint64_t>;

Thread threadOf(const replay::ThreadEnd& record) {
    return {record.contingent, record.number};
}

End endOf(const replay::ReplayedTrace& trace, replay::RecordRef ref) {
    const replay::ThreadEnd& record = trace.locations[ref.location].threads.ends[ref.position];
    return {ref.location, record.node, record.slice, kNone, record.event, record.begin, record.time};
}

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    std::map<Thread, replay::RecordRef> ends;
    const auto forAll = [&](bool joins, auto&& visit) {
        for (std::uint32_t location = 0; location < found.size(); ++location) {
            const auto& records = run.trace.locations[location].threads.ends;
            for (std::uint32_t i = 0; i < records.size(); ++i)
                if (records[i].joins == joins) visit(replay::RecordRef{location, i}, records[i]);
        }
    };
    forAll(false, [&](replay::RecordRef ref, const auto& end) { ends.emplace(threadOf(end), ref); });
    forAll(true, [&](replay::RecordRef ref, const auto& call) {
        const auto joined = ends.find(threadOf(call));
        if (joined == ends.end() || joined->second.location == ref.location) return;
        const End end = endOf(run.trace, joined->second);
        const Ticks wait = std::min(end.begin, call.time) - call.begin;
        if (wait > 0)
            found.own(ref.location)
                .waits.dependencies.push_back(
                    {endOf(run.trace, ref), end, &kJoinWait, wait, wait, Kind::ThreadEnd});
    });
}

}  // namespace

extern const Pattern kThreadJoinPattern{
    .metrics = {&kJoinWait},
    .delays = {{Kind::ThreadEnd, "delay_pthread", "delay_pthread_join", "Wait for Thread",
                "What a thread does longer than the one that waits for its end.", &kJoinPicture,
                Needs::PthreadJoins}},
    .inTrace = findInTrace};

}  // namespace holos::analyzer::patterns
