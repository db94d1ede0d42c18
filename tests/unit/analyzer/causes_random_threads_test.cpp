// SPDX-License-Identifier: BSD-3-Clause
// Laws of causes, in runs of a team's threads of random length and order that could have happened: each goes
// on when the lock or the barrier that it waits for lets it, and not before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/damage.h"
#include "tests/support/equal_experiments.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr unsigned kThreads = 4;
constexpr unsigned kLocks = 3;
constexpr auto* kRandomParallel = "!$omp parallel @x.c:1";
constexpr auto* kRandomBarrier = "!$omp barrier @x.c:3";
constexpr const char* kLockWaits[] = {"omp_lock_contention_critical", "omp_lock_contention_api",
                                      "pthread_lock_contention_mutex_lock"};

/// What happens, one thing after the other; each thread has its own time.
class RandomThreads {
  public:
    explicit RandomThreads(unsigned seed) : random_(seed), now_(kThreads, 0) {
        for (const char* region : {"pthread_mutex_lock", "pthread_mutex_unlock"})
            trace_.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
        on(0).enter(0, "main");
    }

    /// A parallel region of the whole team.
    void region(unsigned steps) {
        const Tick fork = now_[0];
        on(0).fork(fork, kThreads);
        for (unsigned thread = 0; thread < kThreads; ++thread)
            on(thread).teamBegin(fork).enter(fork, kRandomParallel);
        std::fill(now_.begin(), now_.end(), fork);
        for (unsigned i = 0; i < steps; ++i) step();
        barrier();
        for (unsigned thread = 0; thread < kThreads; ++thread) on(thread).leave(now_[0]).teamEnd(now_[0]);
        on(0).join(now_[0]);
    }

    /// Ends the run; how long it was.
    Tick finish() {
        on(0).leave(now_[0]);
        return now_[0];
    }
    const TraceBuilder& trace() const { return trace_; }

  private:
    LocationScript& on(unsigned thread) { return trace_.on(0, thread); }
    unsigned number(unsigned below) { return static_cast<unsigned>(random_() % below); }

    void step() {
        const unsigned thread = number(kThreads);
        switch (number(8)) {
            case 0:
                return barrier();
            case 1:
            case 2:
                return critical(thread);
            case 3:
                return lock(thread, "omp_set_lock", "omp_unset_lock");
            case 4:
                return lock(thread, "pthread_mutex_lock", "pthread_mutex_unlock");
            default:
                return work(thread);
        }
    }

    void work(unsigned thread) {
        const Tick end = now_[thread] + 1 + number(9);
        on(thread).call(now_[thread], end, number(2) == 0 ? "work" : "other work");
        now_[thread] = end;
    }
    /// One comes last: the critical path goes on there alone.
    void barrier() {
        const unsigned last = number(kThreads);
        const Tick come = *std::max_element(now_.begin(), now_.end()) + 1;
        on(last).call(now_[last], come, "work");
        now_[last] = come;
        for (unsigned thread = 0; thread < kThreads; ++thread)
            on(thread).call(now_[thread], come + 1, kRandomBarrier);
        std::fill(now_.begin(), now_.end(), come + 1);
    }
    /// In the order in which it is asked for.
    struct Lock {
        std::uint32_t order = 0;
        Tick released = 0;
    };
    void acquire(unsigned thread, unsigned number) {
        Lock& lock = locks_[number];
        now_[thread] = std::max(now_[thread], lock.released) + 1;
        on(thread).acquire(now_[thread], number, ++lock.order);
    }
    void release(unsigned thread, unsigned number) {
        Lock& lock = locks_[number];
        lock.released = ++now_[thread];
        on(thread).release(lock.released, number, lock.order);
    }
    void critical(unsigned thread) {
        on(thread).enter(now_[thread], "!$omp critical @x.c:2");
        acquire(thread, 0);
        if (number(2) == 0) work(thread);
        release(thread, 0);
        on(thread).leave(++now_[thread]);
    }
    /// Sometimes two, one within the other.
    void lock(unsigned thread, const char* set, const char* unset, unsigned number = 1) {
        on(thread).enter(now_[thread], set);
        acquire(thread, number);
        on(thread).leave(now_[thread]);
        work(thread);
        if (number == 1 && this->number(2) == 0) lock(thread, set, unset, 2);
        on(thread).enter(now_[thread], unset);
        release(thread, number);
        on(thread).leave(++now_[thread]);
    }

    TraceBuilder trace_{1, kThreads};
    std::mt19937 random_;
    std::vector<Tick> now_;  ///< by thread
    std::array<Lock, kLocks> locks_;
};

/// Twenty runs from the seed on.
class RandomThreadRuns : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomThreadRuns, criticalPathAndCosts_areAsLargeAsRunAndWaits) {
    for (unsigned seed = GetParam(); seed < GetParam() + 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomThreads run(seed);
        for (unsigned i = 0; i < 3; ++i) run.region(20);
        const double length = 0.001 * static_cast<double>(run.finish());
        const Findings found(run.trace());
        EXPECT_NEAR(found.total("critical_path"), length, kRounding);
        double locks = 0;
        for (const char* wait : kLockWaits) locks += found.total(wait);
        EXPECT_GT(locks, 0);
        EXPECT_NEAR(found.total("delay"), locks + found.total("omp_ebarrier_wait"), kRounding);
        EXPECT_NEAR(found.total("lock_wait_direct") + found.total("lock_wait_indirect"), locks, kRounding);
        EXPECT_NEAR(found.total("lock_wait_propagating") + found.total("lock_wait_terminal"), locks,
                    kRounding);
    }
}

INSTANTIATE_TEST_SUITE_P(FromSeed, RandomThreadRuns, ::testing::Range(0U, 100U, 20U),
                         ::testing::PrintToStringParamName());

TEST(RandomThreads, anyNumberOfWorkers_sameCosts) {
    RandomThreads run(7);
    for (unsigned i = 0; i < 3; ++i) run.region(50);
    run.finish();
    const Findings one(run.trace(), 1);
    EXPECT_GT(one.total("delay_pthread_lock_longterm"), 0);
    for (const unsigned workers : {2U, 4U})
        expectEqual(one.result().experiment, Findings(run.trace(), workers).result().experiment);
}

/// Locks are acquired that nobody released, and given back to those who are gone.
TEST(RandomThreads, eventsOfOneAreMissing_costsAreNoMoreThanWaits) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        RandomThreads run(seed);
        for (unsigned i = 0; i < 2; ++i) run.region(40);
        run.finish();
        for (unsigned thread = 0; thread < kThreads; ++thread) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", thread " + std::to_string(thread));
            const TemporaryDirectory directory;
            const auto anchor = run.trace().write(directory.path());
            const auto file = eventFile(anchor, 0, thread);
            truncate(file, std::filesystem::file_size(file) / 2);
            const Findings found(anchor, kThreads);
            EXPECT_TRUE(found.reported(analyzer::Trouble::DamagedFile));
            double locks = 0;
            for (const char* wait : kLockWaits) locks += found.total(wait);
            EXPECT_LE(found.total("delay_omp_lock_aggregate") + found.total("delay_pthread_lock_aggregate"),
                      locks + kRounding);
        }
    }
}

}  // namespace
}  // namespace holos::testing
