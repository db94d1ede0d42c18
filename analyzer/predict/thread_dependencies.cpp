// SPDX-License-Identifier: BSD-3-Clause
//
// Teams of threads, locks, and threads that the program makes itself.
//
//     master  ──┤fork├─ region ─┤barrier ··├┤join├──    workers start with the fork, the barrier ends when
//     all worker            ├─ region ───┤barrier├          have come, and so does the join
//
#include <map>
#include <tuple>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/conditions.h"
#include "analyzer/patterns/lock_tests.h"
#include "analyzer/patterns/started_threads.h"
#include "analyzer/predict/graph_builder.h"

namespace holos::analyzer::predict {

using replay::TeamKey;

std::uint32_t& GraphBuilder::teamNumber(TeamKey key) {
    auto& instances = teamNumbers_[key.comm];
    if (instances.size() <= key.instance) instances.resize(key.instance + 1, kNone);
    return instances[key.instance];
}

GraphBuilder::Team& GraphBuilder::team(TeamKey key) {
    std::uint32_t& number = teamNumber(key);
    if (number == kNone) {
        number = static_cast<std::uint32_t>(teams_.size());
        teams_.emplace_back();
    }
    return teams_[number];
}

/// Who is in which team, and what it meets at.
void GraphBuilder::findTeams() {
    teamNumbers_.resize(run_.trace.definitions.comms.size());
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        std::size_t position = 0;
        for (const replay::Fork& fork : trace(i).threads.forks) {
            const std::size_t at = position++;
            if (fork.team.comm == kNone) continue;
            Team& forked = team(fork.team);
            forked.fork = {i, marksOf(i).forks[at]};
            const std::uint32_t join = marksOf(i).joins[at];
            forked.joined = join == kNone ? kNever : timeOf({i, join});
        }
        for (const replay::ParallelRecord& stay : trace(i).threads.parallels) team(stay.team);
        for (const replay::BarrierRecord& barrier : trace(i).threads.barriers) {
            Team& met = team(barrier.team);
            met.barriers = std::max(met.barriers, barrier.sequence + 1);
        }
    }
    for (Team& each : teams_) {
        each.meetings = static_cast<std::uint32_t>(graph_.meetings.size());
        graph_.meetings.resize(graph_.meetings.size() + each.barriers + 1);
    }
    latest_.resize(graph_.meetings.size(), std::numeric_limits<Ticks>::min());
}

/// Forks and joins, and barriers. In one thread, because they meet.
void GraphBuilder::addTeams() {
    findTeams();
    for (std::uint32_t i = 0; i < marks_.size(); ++i) meetInTeams(i);
}

/// Of one location, when the awaited marks have their numbers: there may be very many.
void GraphBuilder::dependOnJoins(std::uint32_t location) {
    std::size_t at = 0;
    for (const replay::Fork& fork : trace(location).threads.forks) {
        const std::size_t position = at++;
        if (fork.team.comm == kNone) continue;
        const Team& forked = team(fork.team);
        const KeptMark& mark = marks_[location].kept[marksOf(location).forks[position]];
        if (graph_.meetings[forked.joining()].arrivals != 0 && forked.fork.location == location &&
            forked.fork.mark == mark.number)
            dependOnMeeting(location, marksOf(location).joins[position], forked.joining());
    }
}

/// Others start with the fork.
bool GraphBuilder::isForked(const Team& team, std::uint32_t location) const {
    return team.fork.isKnown() && team.fork.location != location;
}

/// Workers that leave their region after the join are not waited for: the barrier before was what counted.
bool GraphBuilder::isJoined(const Team& team, std::uint32_t location, Ticks leave) const {
    return isForked(team, location) && leave <= team.joined;
}

void GraphBuilder::meetInTeams(std::uint32_t location) {
    const Ticks earliest = marks_[location].earliest;
    for (const replay::ParallelRecord& stay : trace(location).threads.parallels) {
        const Team& left = team(stay.team);
        if (isForked(left, location)) marks_[left.fork.location].kept[left.fork.mark].isAwaited = true;
        if (isJoined(left, location, stay.leave)) arriveAt(left.joining(), std::max(stay.leave, earliest));
    }
    for (const replay::BarrierRecord& barrier : trace(location).threads.barriers)
        arriveAt(team(barrier.team).meetings + barrier.sequence,
                 std::max(barrier.enter, earliest) + tasksOf(barrier));
}

/// A wait ends with what ended it when it was recorded. A barrier ends when all have come: for the thread
/// that went on first, and with it for the others.
void GraphBuilder::addWakes(matching::LockHistory history) {
    const auto placeOf = [&](const matching::LockRef& ref) {
        return Place{ref.location, marksOf(ref.location).locks[ref.position]};
    };
    const auto dependOn = [&](const matching::LockRef& woken, const matching::LockRef& other) {
        const bool isLock = woken.record->kind == trace::CallKind::PthreadShared;
        if (woken.location != other.location)
            depend(woken.location, placeOf(woken).mark, placeOf(other),
                   {isLock ? Dependency::Kind::Lock : Dependency::Kind::Mark});
    };
    const auto isWoken = [](const matching::LockRef& ref) { return ref.record->acquired; };
    for (auto at = history.begin(); at != history.end();) {
        const auto woken = std::find_if(at, history.end(), isWoken);
        const auto end = std::find_if_not(woken, history.end(), isWoken);
        const std::span waking(at, woken);
        at = end;
        if (waking.empty() || woken == end) continue;
        if (woken->record->kind != trace::CallKind::PthreadBarrier) {
            std::for_each(woken, end, [&](const auto& each) { dependOn(each, waking.back()); });
            continue;
        }
        const auto first = std::min_element(
            woken, end, [](const auto& a, const auto& b) { return a.record->time < b.record->time; });
        for (const matching::LockRef& arrival : waking) dependOn(*first, arrival);
        std::for_each(woken, end, [&](const auto& each) { dependOn(each, *first); });
    }
}

/// A lock comes from who had it before, in the recorded order; so does the end of tests that it was taken in.
/// Who waits at a condition variable has its mutex again, too, but waits until another one signals, or for
/// its timeout: no lock that is free spares that.
void GraphBuilder::addLocks() {
    const patterns::LockTests tests(run_.trace);
    matching::Signals signals(run_.trace.locations.size());
    matching::forEachLock(run_.trace, workers_, [&](matching::LockHistory history) {
        if (matching::Signals::areIn(history)) return signals.note(history);
        if (std::ranges::any_of(history, [](const auto& ref) { return trace::isWoken(ref.record->kind); }))
            return addWakes(history);
        const matching::LockRef* released = nullptr;
        for (const matching::LockRef& ref : history) {
            if (!ref.record->acquired) {
                released = &ref;
                continue;
            }
            const bool isCondition = ref.record->kind == trace::CallKind::PthreadCondition;
            const matching::LockRef* const signal = isCondition ? signals.of(ref) : nullptr;
            if (signal != nullptr && signal->location != ref.location)
                depend(ref.location, marksOf(ref.location).locks[ref.position],
                       {signal->location, marksOf(signal->location).locks[signal->position]});
            if (released == nullptr || released->location == ref.location) continue;
            const Place release{released->location, marksOf(released->location).locks[released->position]};
            const replay::Timeout* const timeout =
                isCondition ? patterns::timeoutOf(trace(ref.location).threads, *ref.record) : nullptr;
            if (timeout != nullptr && released->record->time <= timeout->end) continue;
            const bool isForSignal = isCondition && signal == nullptr && timeout == nullptr;
            depend(ref.location, marksOf(ref.location).locks[ref.position], release,
                   {isForSignal ? Dependency::Kind::Mark : Dependency::Kind::Lock});
            for (const auto& row : tests.before(ref))
                if (trace(ref.location).polls[row.polls].next >= released->record->time)
                    depend(ref.location, marksOf(ref.location).lockTests[row.polls], release,
                           {Dependency::Kind::Lock});
        }
    });
}

void GraphBuilder::addThreads() {
    struct Ends {
        Place creation;
        Place start;
    };
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ends> threads;
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        const auto& starts = trace(i).threads.starts;
        for (std::size_t j = 0; j < starts.size(); ++j) {
            Ends& ends = threads[{starts[j].contingent, starts[j].number}];
            (starts[j].begins ? ends.start : ends.creation) = Place{i, marksOf(i).starts[j]};
        }
    }
    for (const auto& [number, ends] : threads)
        if (ends.start.isKnown()) depend(ends.start.location, ends.start.mark, ends.creation);
    for (const trace::Process& process : run_.trace.definitions.processes) {
        addThreadJoins(process);
        addEnds(process);
    }
    findThreadsTogether();
}

/// As the wait for a thread counts them.
void GraphBuilder::findThreadsTogether() {
    together_.assign(marks_.size(), kNone);
    const auto waitsOf = [this](std::uint32_t location) -> const patterns::LocationWaits& {
        return run_.waits[location];
    };
    std::vector<patterns::StartedThread> threads = patterns::startedThreads(run_.trace, waitsOf);
    std::ranges::stable_sort(threads, [](const auto& a, const auto& b) {
        return std::tie(a.contingent, a.begin) < std::tie(b.contingent, b.begin);
    });
    std::uint32_t number = 0;
    const patterns::StartedThread* before = nullptr;
    Ticks end = kNever;  // of those before that are there together
    for (const patterns::StartedThread& thread : threads) {
        const bool isAnother = before == nullptr || before->contingent != thread.contingent;
        if (isAnother || thread.begin >= end) {
            ++number;
            end = thread.end;
        }
        end = std::max(end, thread.end);
        together_[thread.location] = number;
        before = &thread;
    }
}

/// Which thread a call waits for is not recorded. It was the one that ended last before the call did; where
/// none ended meanwhile, one that had ended before, and those are joined in their order.
void GraphBuilder::addThreadJoins(const trace::Process& process) {
    std::multimap<Ticks, Place> ended;
    for (const trace::LocationId thread : process.threads) {
        const auto& starts = run_.trace[thread].threads.starts;
        if (std::ranges::none_of(starts, [](const auto& start) { return start.begins; })) continue;
        const Place end{static_cast<std::uint32_t>(thread.index()), marks_[thread.index()].of.end};
        ended.emplace(timeOf(end), end);
    }
    struct Join {
        Ticks enter;
        Place leave;
    };
    std::vector<Join> joins;
    for (const trace::LocationId thread : process.threads) {
        const auto location = static_cast<std::uint32_t>(thread.index());
        const auto& records = run_.trace[thread].threads.joins;
        for (std::size_t i = 0; i < records.size(); ++i)
            joins.push_back({records[i].enter, {location, marksOf(location).threadJoins[i]}});
    }
    std::ranges::stable_sort(joins,
                             [&](const Join& a, const Join& b) { return timeOf(a.leave) < timeOf(b.leave); });
    for (const Join& join : joins) {
        auto last = ended.upper_bound(timeOf(join.leave));
        if (last == ended.begin()) continue;
        --last;
        const auto joined = last->first > join.enter ? last : ended.begin();
        depend(join.leave.location, join.leave.mark, joined->second);
        ended.erase(joined);
    }
}

/// Workers of teams do nothing behind their last one: they end as the process does.
void GraphBuilder::addEnds(const trace::Process& process) {
    const auto first = static_cast<std::uint32_t>(process.threads.front().index());
    for (const trace::LocationId thread : process.threads) {
        if (thread.index() == first || run_.trace[thread].threads.parallels.empty()) continue;
        const auto location = static_cast<std::uint32_t>(thread.index());
        const std::uint32_t end = marksOf(location).end;
        const Place last{first, marksOf(first).end};
        marks_[location].kept[end].piece = Piece::Threads;
        depend(location, end, last, {.travel = {timeOf({location, end}) - timeOf(last), 0}});
    }
}

}  // namespace holos::analyzer::predict
