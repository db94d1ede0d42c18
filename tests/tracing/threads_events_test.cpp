// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of threads, mutexes and condition variables: `programs/threads.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;

TEST(RecordedThreads, createLockWaitAndJoin_exactSequence) {
    const TemporaryDirectory directory;
    // Signals are where the program waits for what others do, as sleep in the system is.
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/threads"), true);
    ASSERT_EQ(events.size(), 3);
    EXPECT_THAT(events.begin()->second,
                ElementsAre("ENTER pthread_create", "THREAD_CREATE", "LEAVE pthread_create",
                            "ENTER pthread_join", "THREAD_WAIT 1", "LEAVE pthread_join",  //
                            "ENTER pthread_create", "THREAD_CREATE", "LEAVE pthread_create",
                            "THREAD_ACQUIRE_LOCK 0 order 1",  // nobody was in the way: known when needed
                            "ENTER pthread_cond_wait", "THREAD_RELEASE_LOCK 0 order 1",
                            "THREAD_ACQUIRE_LOCK 1 order 2",                             // the signal
                            "THREAD_ACQUIRE_LOCK 0 order 3", "LEAVE pthread_cond_wait",  //
                            "ENTER pthread_mutex_unlock", "THREAD_RELEASE_LOCK 0 order 3",
                            "LEAVE pthread_mutex_unlock",  //
                            "ENTER pthread_join", "THREAD_WAIT 2", "LEAVE pthread_join"));
    EXPECT_THAT(
        events.rbegin()->second,
        ElementsAre("THREAD_BEGIN", "ENTER work", "ENTER pthread_mutex_lock", "THREAD_ACQUIRE_LOCK 0 order 2",
                    "LEAVE pthread_mutex_lock", "ENTER pthread_cond_signal", "THREAD_RELEASE_LOCK 1 order 1",
                    "LEAVE pthread_cond_signal", "ENTER pthread_mutex_unlock",
                    "THREAD_RELEASE_LOCK 0 order 2", "LEAVE pthread_mutex_unlock", "LEAVE work",
                    "THREAD_END"));
}

/// `programs/c11_threads.c`.
TEST(RecordedThreads, ofC11_areThreadsLikeThoseOfPosix) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/c11_threads");
    const auto events = recordedEvents(archive, true);
    ASSERT_EQ(events.size(), 3);
    EXPECT_THAT(
        events.begin()->second,
        ElementsAre("ENTER thrd_create", "THREAD_CREATE", "LEAVE thrd_create", "ENTER thrd_join",
                    "THREAD_WAIT 1", "LEAVE thrd_join",  //
                    "ENTER thrd_create", "THREAD_CREATE", "LEAVE thrd_create",
                    "THREAD_ACQUIRE_LOCK 1 order 1", "ENTER cnd_wait", "THREAD_RELEASE_LOCK 1 order 1",
                    "THREAD_ACQUIRE_LOCK 2 order 2", "THREAD_ACQUIRE_LOCK 1 order 3", "LEAVE cnd_wait",  //
                    "ENTER mtx_unlock", "THREAD_RELEASE_LOCK 1 order 3", "LEAVE mtx_unlock",             //
                    "ENTER thrd_join", "THREAD_WAIT 2", "LEAVE thrd_join"));
    EXPECT_THAT(events.rbegin()->second,
                ElementsAre("THREAD_BEGIN", "ENTER work", "ENTER mtx_lock", "THREAD_ACQUIRE_LOCK 1 order 2",
                            "LEAVE mtx_lock", "ENTER cnd_signal", "THREAD_RELEASE_LOCK 2 order 1",
                            "LEAVE cnd_signal", "ENTER mtx_unlock", "THREAD_RELEASE_LOCK 1 order 2",
                            "LEAVE mtx_unlock", "LEAVE work", "THREAD_END"));
    EXPECT_THAT(std::next(events.begin())->second,
                ElementsAre("THREAD_BEGIN", "ENTER fails", "ENTER mtx_trylock", "LEAVE mtx_trylock",
                            "ENTER mtx_timedlock", "LEAVE mtx_timedlock", "LEAVE fails", "THREAD_END"));
    const algebra::Experiment experiment = analyzer::analyze(archive).experiment;
    EXPECT_TRUE(experiment.findMetric("pthread_join_wait"));
    EXPECT_GT(total(experiment, "pthread_management"), 0);
}

/// `programs/other_c11.c`. Its threads are those of POSIX that it makes; its mutexes are nobody's business.
TEST(RecordedThreads, otherFunctionsByTheNamesOfC11_areLeftAlone) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/other_c11"));
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(events.begin()->second,
                ElementsAre("ENTER pthread_create", "THREAD_CREATE", "LEAVE pthread_create",
                            "ENTER pthread_join", "THREAD_WAIT 1", "LEAVE pthread_join"));
    EXPECT_THAT(events.rbegin()->second,
                ElementsAre("THREAD_BEGIN", "ENTER begin", "LEAVE begin", "THREAD_END"));
}

/// `programs/threads.c`, with and without symbols, and where the compiler tells of the function, too.
class CallPathsOfThreads : public ::testing::TestWithParam<const char*> {};

TEST_P(CallPathsOfThreads, beginWithTheThreadsFunction_once) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS + std::string("/") + GetParam());
    const algebra::Experiment experiment = analyzer::analyze(archive).experiment;
    std::size_t found = 0;
    for (const auto path : experiment.callTree.ids()) {
        if (experiment.regionOf(path).name != "pthread_cond_signal") continue;
        ++found;
        std::vector<std::string> names;
        for (auto at = experiment.callTree.parent(path); at; at = experiment.callTree.parent(*at))
            names.push_back(experiment.regionOf(*at).name);
        EXPECT_EQ(names.size(), 3) << "the program, THREADS, the function";
    }
    EXPECT_EQ(found, 1);
}

INSTANTIATE_TEST_SUITE_P(Programs, CallPathsOfThreads,
                         ::testing::Values("threads", "threads_stripped", "threads_instrumented"));

/// `programs/ending_threads.c`: which thread each call joins is recorded, so that waits have their causers.
TEST(RecordedThreads, joins_areWaitsForTheThreadsThatTheyJoin) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/ending_threads");
    const algebra::Experiment experiment = analyzer::analyze(archive).experiment;
    ASSERT_TRUE(experiment.findMetric("pthread_join_wait")) << "no thread's end is known that is joined";
    const double wait = total(experiment, "pthread_join_wait");
    EXPECT_LE(total(experiment, "delay_pthread_join"), wait + 1e-9) << "it may begin late";
    EXPECT_LE(wait, total(experiment, "pthread_management") + 1e-9);
}

/// `programs/ending_threads.c`.
TEST(RecordedThreads, endWithinRegions_leaveThemBefore_andTheAnalysisMissesNothing) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/ending_threads");
    const auto events = recordedEvents(archive);
    const auto ofThread = [&](std::uint64_t number) { return events.at(number << 32); };
    EXPECT_THAT(ofThread(1), ElementsAre("THREAD_BEGIN", "ENTER leaveByExit", "ENTER outer", "ENTER inner",
                                         "LEAVE inner", "LEAVE outer", "LEAVE leaveByExit", "THREAD_END"));
    EXPECT_THAT(ofThread(2), ElementsAre("THREAD_BEGIN", "ENTER waitForCancellation", "ENTER cancelled",
                                         "LEAVE cancelled", "LEAVE waitForCancellation", "THREAD_END"));
    for (const std::uint64_t ofDestructor : {3, 4}) {
        EXPECT_EQ(ofThread(ofDestructor).front(), "THREAD_BEGIN");
        EXPECT_EQ(ofThread(ofDestructor).back(), "THREAD_END");
    }
    EXPECT_THAT(ofThread(5), ElementsAre("THREAD_BEGIN", "ENTER endProgram", "ENTER last", "LEAVE last",
                                         "LEAVE endProgram"));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    EXPECT_EQ(analyzed.output, (archive / "analysis.cubex\n").string());
}

TEST(RecordedThreads, manyThatDoNothingAndOneThatDoesMuch_takeRoomForWhatTheyDo) {
    const TemporaryDirectory directory;
    const std::string recording = (directory.path() / "many_threads" / "recording").string();
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/many_threads", {}, {}, {recording}));
    ASSERT_EQ(events.size(), 102);
    EXPECT_EQ(with(events.rbegin()->second, {"tiny"}).size(), 40000);
}

TEST(RecordedThreads, mutexThatNobodyWaitsFor_isNotRecordedUntilSomebodyDoes) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/mutexes"));
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(with(events.begin()->second, {"mutex", "LOCK"}),
                ElementsAre("THREAD_ACQUIRE_LOCK 0 order 1001", "ENTER pthread_mutex_unlock",
                            "THREAD_RELEASE_LOCK 0 order 1001", "LEAVE pthread_mutex_unlock"));
    EXPECT_THAT(with(events.rbegin()->second, {"mutex", "LOCK"}),
                ElementsAre("ENTER pthread_mutex_lock", "THREAD_ACQUIRE_LOCK 0 order 1002",
                            "LEAVE pthread_mutex_lock", "ENTER pthread_mutex_unlock",
                            "THREAD_RELEASE_LOCK 0 order 1002", "LEAVE pthread_mutex_unlock"));
}

/// As a mutex: who finds it taken makes its holder record the release.
TEST(RecordedThreads, spinLock_isRecordedWhereSomebodyWaits) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/spin_locks"));
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(with(events.begin()->second, {"spin", "LOCK"}),
                ElementsAre("THREAD_ACQUIRE_LOCK 0 order 1001", "ENTER pthread_spin_unlock",
                            "THREAD_RELEASE_LOCK 0 order 1001", "LEAVE pthread_spin_unlock"));
    const auto waits = with(events.rbegin()->second, {"spin_lock", "LOCK"});
    ASSERT_GE(waits.size(), 3);
    EXPECT_EQ(waits[0], "ENTER pthread_spin_lock");
    EXPECT_EQ(waits[1], "THREAD_ACQUIRE_LOCK 0 order 1002");
    EXPECT_EQ(waits[2], "LEAVE pthread_spin_lock");
}

/// `programs/joins.c`. Attempts that do not wait, and fail, leave no events.
TEST(RecordedThreads, waitedForInEachWay_areJoined) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/joins"));
    EXPECT_THAT(with(events.begin()->second, {"join", "THREAD_WAIT"}),
                ElementsAre("ENTER pthread_timedjoin_np", "LEAVE pthread_timedjoin_np",
                            "ENTER pthread_timedjoin_np", "THREAD_WAIT 1", "LEAVE pthread_timedjoin_np",
                            "ENTER pthread_clockjoin_np", "THREAD_WAIT 2", "LEAVE pthread_clockjoin_np",
                            "ENTER pthread_tryjoin_np", "THREAD_WAIT 3", "LEAVE pthread_tryjoin_np"));
}

/// `programs/one_after_the_other.c`. An id that is used again is that of the new thread, even if this has not
/// begun when it is joined.
TEST(RecordedThreads, joinedOneAfterTheOther_areTold) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/one_after_the_other"));
    EXPECT_THAT(with(events.begin()->second, {"THREAD_WAIT"}),
                ElementsAre("THREAD_WAIT 1", "THREAD_WAIT 2", "THREAD_WAIT 3", "THREAD_WAIT 4",
                            "THREAD_WAIT 5", "THREAD_WAIT 6", "THREAD_WAIT 7", "THREAD_WAIT 8"));
}

/// `programs/thread_before_phase.c`. What it does in the phase is of the phase, whenever it began.
TEST(RecordedThreads, thatAreThereBeforeThePhase_areRecordedInIt) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(
        record(directory.path(), HOLOS_PROGRAMS "/thread_before_phase", {}, {"--phase", "phase"}));
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(with(events.rbegin()->second, {"step"}), ElementsAre("ENTER step", "LEAVE step"));
}

/// `programs/unseen_threads.c`. Each time the timer expires there is a new thread.
TEST(RecordedThreads, thatTheCLibraryStartsForATimer_areRecorded) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/unseen_threads", {}, {}, {"timer"}));
    std::size_t times = 0;
    for (const auto& [location, all] : events) times += with(all, {"ENTER on_timer"}).size();
    EXPECT_GE(times, 3);
    EXPECT_LT(events.size(), 5) << "they share locations";
}

TEST(RecordedThreads, whoseStartIsNotSeen_areNamedWithTheReason) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", (directory.path() / "run").string(), "--",
                                    HOLOS_PROGRAMS "/unseen_threads", "read"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, ::testing::HasSubstr("1 thread is not in the trace (unseen_threads)"));
    EXPECT_THAT(result.output, ::testing::HasSubstr("(aio, timers)"));
}

/// `programs/thread_destructors.c`. Its keys came before the recorder's and after it.
TEST(RecordedThreads, whatDestructorsDoAsTheyEnd_isThere) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/thread_destructors"));
    ASSERT_EQ(events.size(), 3);
    for (auto thread = std::next(events.begin()); thread != events.end(); ++thread) {
        EXPECT_EQ(std::ranges::count(thread->second, "ENTER destroy"), 20);
        EXPECT_EQ(std::ranges::count(thread->second, "ENTER destroy twice"), 2);
        EXPECT_EQ(thread->second.back(), "THREAD_END");
    }
}

/// `programs/late_ends.c`. All that it did is there.
TEST(RecordedThreads, thatHaveNotQuiteEnded_areNotMissing) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", (directory.path() / "run").string(), "--",
                                    HOLOS_PROGRAMS "/late_ends"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, ::testing::HasSubstr("2 locations"));
    EXPECT_THAT(result.output, ::testing::Not(::testing::HasSubstr("not in the trace")));
}

TEST(RecordedThreads, ofASecondCLibrary_areMissedInTheProcessorTime) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", (directory.path() / "run").string(), "--",
                                    HOLOS_PROGRAMS "/unseen_threads", "namespace"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                ::testing::ContainsRegex("processor time: process 0 used .* are of threads that "
                                         "are not in the trace, such as .* dlmopen"));
}

/// `programs/timed_waits.c`. What others had meanwhile is nobody's fault.
TEST(RecordedThreads, waitsWithTimeouts_areForWhoSignalsOrForNobody) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/timed_waits");
    const algebra::Experiment experiment = analyzer::analyze(archive).experiment;
    for (const char* metric :
         {"pthread_condition_timeout", "pthread_semaphore_timeout", "pthread_lock_timeout"}) {
        ASSERT_TRUE(experiment.findMetric(metric)) << metric;
        EXPECT_GE(total(experiment, metric), 0.099) << metric;  // one wait of 0.1 s each
    }
    EXPECT_GE(total(experiment, "pthread_condition_signal_wait"), 0.19) << "what the other one sleeps";
    EXPECT_GE(total(experiment, "delay_pthread_condition"), 0.19);
    EXPECT_LE(total(experiment, "delay_pthread_condition"),
              total(experiment, "pthread_condition_signal_wait") + 1e-9);
}

/// `programs/thread_waits.c` checks results, errno and cancellation itself. Barriers have two events of all,
/// of each round; the numbers of all are one row.
TEST(RecordedThreads, barriersSemaphoresAndSharedLocks_workAsBefore) {
    constexpr std::size_t kRounds = 1000;
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/thread_waits"), true);
    ASSERT_EQ(events.size(), 4);
    std::vector<std::string> ofBarrier;
    for (const auto& [location, all] : events)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] == "ENTER pthread_barrier_wait")
                ofBarrier.insert(ofBarrier.end(), {all[i + 1], all[i + 2]});
    ASSERT_EQ(ofBarrier.size(), 2 * 2 * kRounds);
    const auto countOf = [&](const std::string& what, std::size_t order) {
        return std::ranges::count_if(ofBarrier, [&](const std::string& event) {
            return event.starts_with(what) && event.ends_with(" order " + std::to_string(order));
        });
    };
    for (const std::size_t round : {std::size_t{0}, std::size_t{1}, kRounds - 1}) {
        EXPECT_EQ(countOf("THREAD_RELEASE_LOCK", 2 * round + 1), 1);
        EXPECT_EQ(countOf("THREAD_RELEASE_LOCK", 2 * round + 2), 1);
        EXPECT_EQ(countOf("THREAD_ACQUIRE_LOCK", 2 * round + 3), 2);
    }
}

}  // namespace
}  // namespace holos::testing
