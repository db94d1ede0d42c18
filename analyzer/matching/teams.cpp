// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/teams.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace holos::analyzer::matching {

namespace {

using replay::BarrierRecord;
using replay::LockRecord;

/// Calls `evaluate` for each run of records that `key` makes equal.
template <class Record, class Key, class Evaluate>
void forEachRun(const std::vector<Record*>& sorted, Key&& key, Evaluate&& evaluate) {
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t last = first + 1;
        while (last < sorted.size() && key(*sorted[last]) == key(*sorted[first])) ++last;
        evaluate(std::span<Record* const>(sorted.data() + first, last - first));
        first = last;
    }
}

}  // namespace

void matchBarriers(replay::ReplayedTrace& trace, workers::Workers& workers,
                   const std::function<void(BarrierInstance)>& evaluate) {
    std::vector<std::vector<BarrierRecord*>> byTeam(trace.definitions.comms.size());
    for (std::size_t i = 0; i < trace.locations.size(); ++i)
        for (BarrierRecord& record : trace.locations[i].threads.barriers) {
            record.location = static_cast<std::uint32_t>(i);
            byTeam[record.team.comm].push_back(&record);
        }
    const auto key = [](const BarrierRecord& r) { return std::tuple(r.team.instance, r.sequence); };
    workers.forEach(byTeam.size(), [&](std::size_t team) {
        auto& records = byTeam[team];
        std::stable_sort(records.begin(), records.end(),
                         [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
        forEachRun(records, key, evaluate);
    });
}

ForkedStays::ForkedStays(const replay::ReplayedTrace& trace)
    : trace_(trace), byTeam_(trace.definitions.comms.size()) {
    for (std::uint32_t master = 0; master < trace.locations.size(); ++master) {
        const auto& forks = trace.locations[master].threads.forks;
        for (std::uint32_t i = 0; i < forks.size(); ++i) {
            const replay::TeamKey team = forks[i].team;
            if (team.comm == replay::kNone) continue;
            auto& instances = byTeam_[team.comm];
            if (instances.size() <= team.instance) instances.resize(team.instance + 1);
            instances[team.instance] = {master, i};
        }
    }
}

void matchLocks(replay::ReplayedTrace& trace, workers::Workers& workers,
                const std::function<void(LockHistory)>& evaluate) {
    workers.forEach(trace.definitions.processes.size(), [&](std::size_t process) {
        std::vector<LockRecord*> records;
        for (const trace::LocationId location : trace.definitions.processes[process].threads)
            for (LockRecord& record : trace[location].threads.locks) records.push_back(&record);
        // Acquisitions of one order stand before its releases: the lock is passed on by the last release.
        const auto key = [](const LockRecord& r) { return std::tuple(r.lock, r.order, !r.acquired, r.time); };
        std::stable_sort(records.begin(), records.end(),
                         [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
        forEachRun(
            records, [](const LockRecord& r) { return r.lock; }, evaluate);
    });
}

}  // namespace holos::analyzer::matching
