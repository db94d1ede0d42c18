// SPDX-License-Identifier: BSD-3-Clause
//
// Lock contention while polling: calls such as omp_test_lock find a lock taken. A row of them, of one call
// path, begins at a, ends at b, and takes t in the calls themselves:
//
//   thread 0  ── holds ──────────────│release├──         w = t                where release ≥ b
//   thread 1  ──┤T├──┤T├──┤T├──┤T├──┤T├──┤Test├──       w = its part before  where a < release < b
//               a                     b
//
// Where the thread sleeps right behind such a call, it waits, too.
//
// The row is for the lock that ends it: the next one that such a call, or one that waits, acquires.
//
#include "analyzer/patterns/lock_tests.h"

#include <algorithm>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kLockTestsPicture{
    {{"owner", "lock", "---==========-------"}, {"other thread", "test, test, test", "----##--##--##=====-"}},
    {{0, 13, 1, 15}}};

const Metric kOmpLockTests{
    .parent = "omp_lock_api",
    .uniqueName = "omp_lock_contention_polling",
    .displayName = "OpenMP Lock Contention while Polling",
    .description =
        "Time in calls such as omp_test_lock that find a lock taken, until the thread that has it "
        "releases it. The program waits, although no call of it blocks. Hold the lock shorter, or "
        "do other work between the calls.",
    .picture = &kLockTestsPicture,
    .meaning = "threads ask again and again for a lock that another one holds",
    .activity = Activity::None};
const Metric kMutexTests{
    .parent = "pthread_lock_api",
    .uniqueName = "pthread_lock_contention_polling",
    .displayName = "Pthread Mutex Contention while Polling",
    .description =
        "Time in pthread_mutex_trylock and its like that find a mutex taken, until the thread that "
        "has it releases it. The program waits, although no call of it blocks. Hold the mutex "
        "shorter, or do other work between the calls.",
    .picture = &kLockTestsPicture,
    .meaning = "threads ask again and again for a mutex that another one holds",
    .activity = Activity::None};

const Metric kPauses{
    .parent = "system_waiting",
    .uniqueName = "system_waiting_lock_polling",
    .displayName = "Sleep between Tests of Locks",
    .description =
        "Time that a thread sleeps, or lets others have its processor, right behind calls such as omp_test_lock "
        "and pthread_mutex_trylock that found a lock taken, until the thread that has it releases it. The "
        "program waits there as it does in these calls. Hold the lock shorter.",
    .picture = &kLockTestsPicture,
    .needs = Needs::SleepsForLocks,
    .meaning = "threads sleep between calls that ask for a lock that another one holds",
    .activity = Activity::None};

const Metric& metricOf(const replay::PollRecord& record) {
    if (record.isPause) return kPauses;
    return trace::isPthread(record.kind) ? kMutexTests : kOmpLockTests;
}

/// One release ends both tests and the wait behind them: who releases the lock is asked once for what it did
/// before, by the longer one.
void explainOnce(Records<Dependency>& all, Dependency& tests) {
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
        if (one->causer.location != tests.causer.location || one->causer.event != tests.causer.event) return;
        if (one->isExplained) continue;
        (one->wait < tests.wait ? *one : tests).isExplained = true;
    }
}

}  // namespace

LockTests::LockTests(const replay::ReplayedTrace& trace) : trace_(trace), rows_(trace.locations.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto& polls = trace.locations[i].polls;
        for (std::uint32_t j = 0; j < polls.size(); ++j)
            if (polls[j].found != kNone && asksForLocks(polls[j])) rows_[i].push_back({polls[j].found, j});
        std::ranges::stable_sort(rows_[i], {}, &Row::acquisition);
    }
}

std::span<const LockTests::Row> LockTests::before(const matching::LockRef& acquired) const {
    const auto& rows = rows_[acquired.location];
    return {std::ranges::lower_bound(rows, acquired.position, {}, &Row::acquisition),
            std::ranges::upper_bound(rows, acquired.position, {}, &Row::acquisition)};
}

void LockTests::noteWaits(const matching::LockRef& acquired, const matching::LockRef& released,
                          AllFindings& found) const {
    if (released.location == acquired.location) return;
    for (const Row& row : before(acquired)) {
        const replay::PollRecord& polls = trace_.locations[acquired.location].polls[row.polls];
        const Ticks wait = insideBefore(polls, released.record->time);
        if (wait <= 0) continue;
        auto& all = found.own(acquired.location).waits.dependencies;
        Dependency tests{pollsEnd(acquired.location, polls),
                         lockEnd(released),
                         &metricOf(polls),
                         wait,
                         wait,
                         trace::isPthread(polls.kind) ? Kind::PthreadLock : Kind::OmpLock};
        explainOnce(all, tests);
        all.push_back(tests);
    }
}

/// Their causes are those of waits for locks.
extern const Pattern kLockTestsPattern{.metrics = {&kOmpLockTests, &kMutexTests, &kPauses}};

}  // namespace holos::analyzer::patterns
