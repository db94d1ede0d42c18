// SPDX-License-Identifier: BSD-3-Clause
//
// Wait for a thread: a call joins a thread that has not ended yet.
//
//   thread 1  ──┤ works ──────│end│
//   thread 0  ─────┤E join ···│·L├───        w = min(end of thread 1, L) − E, if positive
//                  └─── w ────┘
//
// Threads that exist at the same time, until none exists any more, count as started together. While all P of
// them work, nothing is lost by the wait of the one that joins them. When only n of them are left, the others
// could have done their part of the work: of that time, 1 − n / P is beyond what the wait would take if all
// had worked equally long.
//
//   thread 1  ──┤ works ┤
//   thread 2  ──┤ works ──────│end│
//   thread 0  ─────┤E join ···│·L├───        beyond even work: half of what comes after the end of thread 1
//
// Which thread a call joins is known where the trace says it, by an event in the call. Calls before it that
// came back without one, as their time was over, waited for that thread, too: a row of them counts as spread
// evenly.
//
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/started_threads.h"

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

/// Parts of that.
const Metric kUnevenJoinWait{
    .parent = "pthread_join_wait",
    .uniqueName = "pthread_join_wait_uneven",
    .displayName = "Beyond Even Work",
    .description =
        "How much shorter the waiting would be if all threads that exist at the same time had ended "
        "together, with the same time in all. Divide the work evenly among them.",
    .picture = &kJoinPicture,
    .needs = Needs::PthreadJoins};
const Metric kSingleJoinWait{
    .parent = "pthread_join_wait",
    .uniqueName = "pthread_join_wait_single",
    .displayName = "For a Single Thread",
    .description =
        "Waiting for threads that run alone: from the start of the awaited one to its end, no other thread "
        "that the program has started exists. Divide the work among several threads, or let the one that "
        "waits do part of it.",
    .picture = &kJoinPicture,
    .needs = Needs::PthreadJoins};

/// A thread of a process: the group of its threads, and its number there.
using Thread = std::pair<std::uint32_t, std::uint64_t>;

Thread threadOf(const replay::ThreadEnd& record) {
    return {record.contingent, record.number};
}

End endOf(const replay::ReplayedTrace& trace, replay::RecordRef ref) {
    const replay::ThreadEnd& record = trace.locations[ref.location].threads.ends[ref.position];
    return {ref.location, record.node, record.slice, kNone, record.event, record.begin, record.time};
}

/// What a wait consists of.
struct Parts {
    Ticks single = 0;
    Ticks uneven = 0;

    friend Parts operator+(Parts a, Parts b) { return {a.single + b.single, a.uneven + b.uneven}; }
    friend Parts operator-(Parts a, Parts b) { return {a.single - b.single, a.uneven - b.uneven}; }
};

/// Until the number of threads changes that the program has started and that have not ended.
struct Step {
    Ticks from;
    std::int64_t threads;
    std::int64_t most = 0;  ///< at once, since none was there and until none is there again
    Parts before = {};      ///< of a wait that lasts for all steps before

    Parts partsOf(Ticks ticks) const {
        if (most == 1) return {ticks, 0};
        return {0, threads > 0 ? ticks * (most - threads) / most : 0};
    }
};

/// Of a group of threads, by time.
class Steps {
  public:
    void add(Ticks begin, Ticks end) {
        if (begin >= end) return;
        changes_.push_back({begin, 1});
        changes_.push_back({end, -1});
    }
    /// Call after the last `add`, before what follows. At one time, those that end come first.
    void settle() {
        std::ranges::sort(changes_);
        std::size_t first = 0;
        std::int64_t threads = 0, most = 0;
        for (const auto& [time, change] : changes_) {
            threads += change;
            most = std::max(most, threads);
            steps_.push_back({time, threads});
            if (threads != 0) continue;
            for (; first < steps_.size(); ++first) steps_[first].most = most;
            most = 0;
        }
        for (std::size_t i = 1; i < steps_.size(); ++i)
            steps_[i].before =
                steps_[i - 1].before + steps_[i - 1].partsOf(steps_[i].from - steps_[i - 1].from);
    }
    /// Of a wait, however many steps it lasts.
    Parts partsOf(Ticks begin, Ticks end) const { return until(end) - until(begin); }

  private:
    Parts until(Ticks time) const {
        const auto next = std::ranges::upper_bound(steps_, time, {}, &Step::from);
        if (next == steps_.begin()) return {};
        const Step& step = *std::prev(next);
        return step.before + step.partsOf(time - step.from);
    }

    std::vector<std::pair<Ticks, int>> changes_;
    std::vector<Step> steps_;
};

/// By group of threads.
std::map<std::uint32_t, Steps> stepsOf(const matching::MatchedTrace& run, const AllFindings& found) {
    std::map<std::uint32_t, Steps> steps;
    const auto waitsOf = [&](std::uint32_t location) -> const LocationWaits& {
        return found[location].waits;
    };
    for (const StartedThread& thread : startedThreads(run.trace, waitsOf))
        steps[thread.contingent].add(thread.begin, thread.end);
    for (auto& [group, each] : steps) each.settle();
    return steps;
}

/// Books the parts of a wait.
void divide(const Steps& steps, const End& waiter, Ticks wait, LocalSeverities& severities) {
    const Parts parts = steps.partsOf(waiter.begin, waiter.begin + wait);
    if (parts.single != 0) severities.add(kSingleJoinWait, waiter.node, parts.single);
    if (parts.uneven != 0) severities.add(kUnevenJoinWait, waiter.node, parts.uneven);
}

/// The waits for one thread that a location joins: the call that did, and those before it. Only the longest
/// one has causes.
class JoinWaits {
  public:
    JoinWaits(const End& joined, LocationFindings& found) : joined_(joined), found_(found) {}

    void note(const End& waiter, Ticks wait) {
        auto& all = found_.waits.dependencies;
        all.push_back({waiter, joined_, &kJoinWait, wait, wait, Kind::ThreadEnd, false, longest_ != kNone});
        const auto own = static_cast<std::uint32_t>(all.size() - 1);
        if (longest_ != kNone && all[longest_].wait < wait) {
            all[longest_].isExplained = true;
            all[own].isExplained = false;
        }
        if (!all[own].isExplained) longest_ = own;
    }

  private:
    const End& joined_;
    LocationFindings& found_;
    std::uint32_t longest_ = kNone;  ///< position of its wait
};

/// Calls that did not join, by the one that did: its location, and its position there among the ends of
/// threads.
using CallsInVain = std::multimap<std::pair<std::uint32_t, std::uint32_t>, const replay::PollRecord*>;

CallsInVain callsInVain(const replay::ReplayedTrace& trace) {
    CallsInVain calls;
    for (std::uint32_t location = 0; location < trace.locations.size(); ++location)
        for (const replay::PollRecord& row : trace.locations[location].polls)
            if (row.kind == trace::CallKind::PthreadJoin && row.found != kNone)
                calls.insert({{location, row.found}, &row});
    return calls;
}

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    std::map<Thread, replay::RecordRef> ends;
    const CallsInVain calls = callsInVain(run.trace);
    std::optional<std::map<std::uint32_t, Steps>> steps;
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
        if (!steps) steps = stepsOf(run, found);
        const auto known = steps->find(call.contingent);
        JoinWaits waits(end, found.own(ref.location));
        const auto note = [&](const End& waiter, Ticks wait) {
            if (wait <= 0) return;
            waits.note(waiter, wait);
            if (known != steps->end())
                divide(known->second, waiter, wait, found.own(ref.location).severities);
        };
        const auto rows = calls.equal_range({ref.location, ref.position});
        for (auto at = rows.first; at != rows.second; ++at) {
            const replay::PollRecord& row = *at->second;
            note({ref.location, row.node, row.slice, kNone, row.event, row.begin, row.end},
                 insideBefore(row, end.begin));
        }
        const Ticks until = std::max(call.begin, std::min(end.begin, call.time));
        const Ticks pauses = partWithin(run.trace.locations[ref.location].pauses, {call.begin, until});
        note(endOf(run.trace, ref), until - call.begin - pauses);
    });
}

}  // namespace

extern const Pattern kThreadJoinPattern{
    .metrics = {&kJoinWait, &kUnevenJoinWait, &kSingleJoinWait},
    .delays = {{Kind::ThreadEnd, "delay_pthread", "delay_pthread_join", "Wait for Thread",
                "What a thread does longer than the one that waits for its end.", &kJoinPicture,
                Needs::PthreadJoins}},
    .inTrace = findInTrace};

}  // namespace holos::analyzer::patterns
