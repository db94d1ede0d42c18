// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/teams.h"

#include <tuple>
#include <utility>

namespace holos::analyzer::matching {

namespace {

using replay::BarrierRecord;
using replay::LockRecord;

/// Calls `visit` for the history of each lock.
void visitHistories(const std::vector<LockRef>& sorted, const std::function<void(LockHistory)>& visit) {
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t last = first + 1;
        while (last < sorted.size() && sorted[last].record->lock == sorted[first].record->lock) ++last;
        visit({sorted.data() + first, last - first});
        first = last;
    }
}

/// How many instances of each team were forked.
std::vector<std::uint32_t> forkedInstances(const replay::ReplayedTrace& trace) {
    std::vector<std::uint32_t> instances(trace.definitions.comms.size(), 0);
    for (const replay::LocationTrace& location : trace.locations)
        for (const replay::Fork& fork : location.threads.forks)
            if (const replay::TeamKey team = fork.team; team.comm != replay::kNone)
                instances[team.comm] = std::max(instances[team.comm], team.instance + 1);
    return instances;
}

}  // namespace

LastArrivals::LastArrivals(const replay::ReplayedTrace& trace) : teams_(trace.definitions.comms.size()) {
    for (const replay::LocationTrace& location : trace.locations)
        for (const BarrierRecord& record : location.threads.barriers) count(record);
    for (Team& team : teams_) {
        std::size_t barriers = 0;
        for (std::size_t& first : team.first) barriers += std::exchange(first, barriers);
        team.last.resize(barriers);
    }
    for (std::uint32_t i = 0; i < trace.locations.size(); ++i)
        for (const BarrierRecord& record : trace.locations[i].threads.barriers) consider(record, i);
}

void LastArrivals::count(const BarrierRecord& record) {
    auto& barriers = teams_[record.team.comm].first;
    if (barriers.size() <= record.team.instance) barriers.resize(record.team.instance + 1, 0);
    auto& known = barriers[record.team.instance];
    known = std::max<std::size_t>(known, record.sequence + 1);
}

void LastArrivals::consider(const BarrierRecord& record, std::uint32_t location) {
    Team& team = teams_[record.team.comm];
    LastArrival& known = team.last[team.first[record.team.instance] + record.sequence];
    if (known.location == replay::kNone) {
        known = {record.enter, location};
        return;
    }
    known.isAwaited = known.isAwaited || record.enter != known.enter;
    if (record.enter > known.enter) known = {record.enter, location, true};
}

const LastArrival* LastArrivals::at(const replay::TaskStall& stall) const {
    const Team& team = teams_[stall.team.comm];
    const std::uint32_t instance = stall.team.instance;
    if (instance >= team.first.size()) return nullptr;
    const std::size_t end = instance + 1 < team.first.size() ? team.first[instance + 1] : team.last.size();
    const std::size_t place = team.first[instance] + stall.sequence;
    return place < end ? &team.last[place] : nullptr;
}

ForkedStays::ForkedStays(const replay::ReplayedTrace& trace) {
    const std::vector<std::uint32_t> instances = forkedInstances(trace);
    byTeam_.reserve(instances.size());
    for (const std::uint32_t count : instances) byTeam_.emplace_back(count, heap());
    for (std::uint32_t master = 0; master < trace.locations.size(); ++master)
        for (const replay::Fork& fork : trace.locations[master].threads.forks)
            if (fork.team.comm != replay::kNone) note(master, fork);
}

/// The last one counts where a damaged trace has several.
void ForkedStays::note(std::uint32_t master, const replay::Fork& fork) {
    byTeam_[fork.team.comm][fork.team.instance] = {fork.fork, fork.isJoined() ? fork.join : TeamFork::kNever,
                                                   fork.parent, master};
    if (fork.flushedBefore != 0 || fork.flushedAfter != 0)
        flushes_[fork.team] = {fork.flushedBefore, fork.flushedAfter};
    else
        flushes_.erase(fork.team);
}

void forEachLock(const replay::ReplayedTrace& trace, workers::Workers& workers,
                 const std::function<void(LockHistory)>& visit) {
    workers.forEach(trace.definitions.processes.size(), [&](std::size_t process) {
        std::vector<LockRef> all;
        for (const trace::LocationId location : trace.definitions.processes[process].threads) {
            std::uint32_t position = 0;
            for (const LockRecord& record : trace[location].threads.locks)
                all.push_back({static_cast<std::uint32_t>(location.index()), position++, &record});
        }
        // Acquisitions of one order stand before its releases: the lock is passed on by the last release.
        const auto key = [](const LockRef& ref) {
            const LockRecord& r = *ref.record;
            const bool isSignal = r.kind == trace::CallKind::PthreadSignal;
            return std::tuple(!isSignal, r.lock, r.order, !r.acquired, r.begin);
        };
        std::ranges::stable_sort(all, [&](const LockRef& a, const LockRef& b) { return key(a) < key(b); });
        visitHistories(all, visit);
    });
}

/// A wait ended with the last signal before it.
void Signals::note(LockHistory signals) {
    const LockRef* last = nullptr;
    for (const LockRef& ref : signals)
        if (!ref.record->acquired)
            last = &ref;
        else if (last != nullptr)
            byLocation_[ref.location].emplace(ref.position, *last);
}

const LockRef* Signals::of(const LockRef& acquired) const {
    const auto& known = byLocation_[acquired.location];
    const auto signal = known.find(acquired.position - 1);
    return signal != known.end() ? &signal->second : nullptr;
}

}  // namespace holos::analyzer::matching
