// SPDX-License-Identifier: BSD-3-Clause
//
// Waits at condition variables: a thread gives its mutex back, and waits until another one signals the
// condition, or until its timeout; then it waits until it has the mutex again.
//
//   thread 0  ── works ───────│signal├─ has the mutex ──│release├──    w = signal − E, m = release − signal
//   thread 1  ─────┤E ········│·························│ acquire ──
//                  └─── w ────┴──────────── m ──────────┘
//
// Until its timeout a thread waits for nobody, as long as nothing is known but that it looks again then. Of a
// row of such waits, one directly behind the other, the last of which a signal ends, all are for that signal.
//
// Where signals are not recorded, as in traces of others, the thread waits for the one that has the mutex
// before it: m is the part in which that one has it. Of several that are woken together, each takes the mutex
// for a moment: they all wait for whoever had it before.
//
#include "analyzer/patterns/conditions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const Metric kConditionSignalWait{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_condition_signal_wait",
    .displayName = "Wait for Signal",
    .description =
        "Time that threads wait until another one signals a condition variable. Idle workers wait here for "
        "work. Where the trace does not tell it apart, also the time until their timeout.",
    .picture = &kLockPicture,
    .meaning = "threads wait until another one signals a condition",
    .before = "pthread_lock_contention_conditional"};
const Metric kConditionTimeout{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_condition_timeout",
    .displayName = "Wait until Timeout",
    .description =
        "Time in waits at condition variables that ended with their timeout, and were no part of a wait for "
        "a signal. Nobody is waited for.",
    .needs = Needs::Timeouts};

namespace {

const Metric kLockContentionCondition{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_lock_contention_conditional",
    .displayName = "Pthread Condition Contention",
    .description =
        "Time that threads wait at a condition variable while the thread that has its mutex before them "
        "holds it. They cannot have waited longer than that for the mutex after the signal.",
    .picture = &kLockPicture,
    .meaning = "threads that wait at a condition find its mutex taken",
    .activity = Activity::None};

using matching::LockHistory;
using matching::LockRef;
using replay::LockRecord;
using Locks = Records<LockRecord>;

bool isAtCondition(const LockRecord& record) {
    return record.acquired && record.kind == trace::CallKind::PthreadCondition;
}

bool isSignalled(const Locks& locks, std::size_t acquired) {
    return acquired > 0 && locks[acquired - 1].acquired &&
           locks[acquired - 1].kind == trace::CallKind::PthreadSignal;
}

/// Where the call at a condition gave back what it acquires there; that itself where it is not recorded.
std::size_t releaseOf(const Locks& locks, std::size_t acquired) {
    const std::size_t before = acquired - (isSignalled(locks, acquired) ? 1 : 0);
    if (before == 0 || locks[before - 1].acquired || locks[before - 1].time < locks[acquired].begin)
        return acquired;
    return before - 1;
}

/// Whether a wait comes directly behind another one, at the same place: the thread had the mutex for less
/// than half as long as it waited.
bool goesOn(const Locks& locks, std::size_t last, std::size_t next) {
    if (releaseOf(locks, next) != last + 1 || locks[next].node != locks[last].node) return false;
    return 2 * (locks[last + 1].time - locks[last].time) < locks[last].time - locks[last].begin;
}

/// Whether a thread that was woken at a condition had its mutex only in passing: then others that wait there
/// wait for what it waited for, too, and not for it.
bool wasInPassing(const LockRef* acquired, const LockRef& released) {
    if (acquired == nullptr || !isAtCondition(*acquired->record)) return false;
    const Ticks waited = acquired->record->time - acquired->record->begin;
    return 2 * (released.record->time - acquired->record->time) < waited;
}

/// The acquisition and the release of somebody who had the mutex.
struct Holder {
    const LockRef* acquired = nullptr;
    const LockRef* released = nullptr;
};

/// For how long the holder had what the waiter wanted since then. What that gave back itself was in nobody's
/// way.
Ticks takenSince(const LockRef& waiter, const Holder& holder, Ticks since) {
    if (holder.released == nullptr || holder.released->location == waiter.location) return 0;
    since = std::max(since, waiter.record->begin);
    if (holder.acquired != nullptr) since = std::max(since, holder.acquired->record->time);
    return std::max<Ticks>(0, std::min(holder.released->record->time, waiter.record->time) - since);
}

}  // namespace

const replay::Timeout* timeoutOf(const replay::ThreadRecords& threads, const LockRecord& acquired) {
    const auto& all = threads.timeouts;
    const auto timeout = std::ranges::lower_bound(all, acquired.begin, {}, &replay::Timeout::begin);
    const bool isOf =
        timeout != all.end() && timeout->begin == acquired.begin && timeout->node == acquired.node;
    return isOf ? &*timeout : nullptr;
}

ConditionTimes::ConditionTimes(const replay::ThreadRecords& threads) : metrics_(threads.locks.size()) {
    const Locks& locks = threads.locks;
    std::size_t next = locks.size();
    for (std::size_t i = locks.size(); i-- > 0;) {
        if (!isAtCondition(locks[i])) continue;
        metrics_[i] = &kConditionSignalWait;
        if (timeoutOf(threads, locks[i]) != nullptr)
            metrics_[i] = next < locks.size() && goesOn(locks, i, next) ? metrics_[next] : &kConditionTimeout;
        next = i;
    }
}

/// The waits for one mutex, in the order in which threads had it.
class ConditionWaits::OfMutex {
  public:
    OfMutex(const ConditionWaits& all, AllFindings& found) : all_(all), found_(found) {}

    void take(const LockRef& ref) {
        if (!ref.record->acquired) {
            last_.released = &ref;
            if (!wasInPassing(last_.acquired, ref)) waking_ = last_;
            return;
        }
        const Holder before = std::exchange(last_, {&ref, last_.released});
        if (isAtCondition(*ref.record))
            noteWait(ref, before);
        else if (before.released != nullptr && before.released->record->time > ref.record->begin)
            isWaitedFor(*before.released);
    }

  private:
    /// Waits that ended with their timeouts, one directly behind the other.
    struct Row {
        std::uint32_t last;
        Ticks begin;
    };

    void noteWait(const LockRef& ref, const Holder& before) {
        const replay::ThreadRecords& threads = all_.trace_.locations[ref.location].threads;
        const replay::Timeout* const timeout = timeoutOf(threads, *ref.record);
        const LockRef* const signal = all_.signals_.of(ref);
        const Ticks begin = beginOf(ref, threads.locks);
        if (timeout != nullptr) {
            rows_[ref.location] = {ref.position, begin};
            noteTaken(ref, before, timeout->end);
        } else if (signal != nullptr) {
            noteSignalled(ref, before, *signal, begin);
        } else if (waking_.released != nullptr) {
            note(ref, *waking_.released, begin, takenSince(ref, waking_, ref.record->begin));
        }
    }

    /// The begin of the row that goes on with this wait, which then ends, and else its own.
    Ticks beginOf(const LockRef& ref, const Locks& locks) {
        const Ticks own = locks[releaseOf(locks, ref.position)].time;
        const auto row = rows_.find(ref.location);
        if (row == rows_.end()) return std::min(own, ref.record->time);
        const Row known = row->second;
        rows_.erase(row);
        return goesOn(locks, known.last, ref.position) ? known.begin : own;
    }

    /// Since it could go on, the mutex was in its way.
    void noteTaken(const LockRef& ref, const Holder& before, Ticks since) {
        const Ticks taken = takenSince(ref, before, since);
        if (taken > 0) note(ref, *before.released, before.released->record->time - taken, taken);
    }

    void noteSignalled(const LockRef& ref, const Holder& before, const LockRef& signal, Ticks begin) {
        const Ticks since = signal.record->time;
        if (signal.location == ref.location || since <= begin) return;
        const Ticks taken = takenSince(ref, before, since);
        note(ref, taken > since - begin ? *before.released : signal, begin, taken);
    }

    void note(const LockRef& ref, const LockRef& causer, Ticks begin, Ticks taken) {
        const Ticks until = std::min(ref.record->time, causer.record->time);
        const Ticks pauses =
            partWithin(all_.trace_.locations[ref.location].pauses, {begin, std::max(begin, until)});
        const Ticks wait = until - begin - pauses;
        if (wait <= 0) return;
        if (!causer.record->acquired && causer.record->kind != trace::CallKind::PthreadSignal)
            isWaitedFor(causer);
        found_.own(ref.location)
            .waits.dependencies.push_back({lockEnd(ref), lockEnd(causer), &kLockContentionCondition, wait,
                                           taken, Kind::PthreadCondition});
    }

    /// What a thread waited for before is over where another one waits for it.
    void isWaitedFor(const LockRef& released) {
        const auto row = rows_.find(released.location);
        if (row != rows_.end()) row->second.begin = std::max(row->second.begin, released.record->time);
    }

    const ConditionWaits& all_;
    AllFindings& found_;
    Holder last_;
    Holder waking_;                                ///< the last one that had the mutex not only in passing
    std::unordered_map<std::uint32_t, Row> rows_;  ///< by location
};

void ConditionWaits::noteWaits(LockHistory mutex, AllFindings& found) const {
    if (std::ranges::none_of(mutex, [](const LockRef& ref) { return isAtCondition(*ref.record); })) return;
    OfMutex uses(*this, found);
    for (const LockRef& ref : mutex) uses.take(ref);
}

namespace {

/// By the number of its event; null where the location has none.
const LockRecord* recordOf(const Locks& locks, std::uint64_t event) {
    const auto record = std::ranges::lower_bound(locks, event, {}, &LockRecord::event);
    return record != locks.end() && record->event == event ? &*record : nullptr;
}

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits& waits,
          LocalSeverities& severities) {
    const replay::LocationTrace& trace = run.trace[location];
    const ConditionTimes times(trace.threads);
    for (std::size_t i = 0; i < trace.threads.locks.size(); ++i)
        if (const Metric* const metric = times.metricOf(i)) {
            const LockRecord& record = trace.threads.locks[i];
            const Ticks pauses = partWithin(trace.pauses, {record.begin, record.time});
            severities.add(*metric, record.node, std::max<Ticks>(0, record.time - record.begin - pauses));
        }
    for (const Dependency& wait : waits.dependencies) {
        if (wait.metric != &kLockContentionCondition) continue;
        const LockRecord* const record = recordOf(trace.threads.locks, wait.waiter.event);
        const auto position = static_cast<std::size_t>(record - trace.threads.locks.data());
        severities.add(*times.metricOf(position), wait.waiter.node, -wait.booked);
    }
}

/// Before it could go on, nobody was in the way.
void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const replay::ThreadRecords& threads = run.trace[location].threads;
    for (const Dependency& wait : run.waits[location.index()].dependencies) {
        if (wait.metric != &kLockContentionCondition) continue;
        const LockRecord* const record = recordOf(threads.locks, wait.waiter.event);
        const LockRecord* const causer =
            recordOf(run.trace.locations[wait.causer.location].threads.locks, wait.causer.event);
        if (record == nullptr || timeoutOf(threads, *record) != nullptr) continue;
        const bool isSignal = causer != nullptr && causer->kind == trace::CallKind::PthreadSignal;
        const Ticks before = wait.causer.begin - wait.waiter.begin - (isSignal ? 0 : wait.booked);
        visit({kConditionSignalWait, wait.waiter.node, before, wait.waiter.begin,
               trace::LocationId(wait.causer.location)});
    }
}

}  // namespace

extern const Pattern kConditionsPattern{
    .metrics = {&kLockContentionCondition, &kConditionSignalWait, &kConditionTimeout},
    .delays = {{Kind::PthreadCondition, "delay_pthread", "delay_pthread_condition", "Wait for Signal",
                "What a thread that signals a condition variable, or has its mutex last, does longer than "
                "those that wait there.",
                &kLockPicture, Needs::PthreadConditions}},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
