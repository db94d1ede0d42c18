// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of threads that sleep in functions of the C library: `programs/sleepers.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;

class RecordedSleep : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        directory = new TemporaryDirectory;
        archive = record(directory->path(), HOLOS_PROGRAMS "/sleepers");
    }
    static void TearDownTestSuite() { delete directory; }

    static TemporaryDirectory* directory;
    static std::filesystem::path archive;
};
TemporaryDirectory* RecordedSleep::directory = nullptr;
std::filesystem::path RecordedSleep::archive;

TEST_F(RecordedSleep, threadThatSleeps_isInTheFunctionThatItSleepsIn) {
    const auto events = recordedEvents(archive, true);
    const std::vector<std::string> functions{"read",
                                             "poll",
                                             "select",
                                             "epoll_wait",
                                             "recv",
                                             "sem_wait",
                                             "pthread_barrier_wait",
                                             "pthread_rwlock_wrlock",
                                             "waitpid",
                                             "nanosleep",
                                             "pause",
                                             "futex",
                                             "epoll_pwait2",
                                             "usleep"};
    ASSERT_EQ(events.size(), functions.size() + 2);  // the main thread, one that is cancelled
    auto location = std::next(events.begin());
    for (const std::string& function : functions) {
        EXPECT_THAT(with(location->second, {"THREAD_BEGIN", "ENTER", "LEAVE", "THREAD_END"}),
                    ElementsAre("THREAD_BEGIN", "ENTER sleeper", "ENTER " + function, "LEAVE " + function,
                                "LEAVE sleeper", "THREAD_END"));
        ++location;
    }
    EXPECT_EQ(location->second.back(), "THREAD_END");
}

/// A thread that has to give up its processor may do so within any call.
TEST_F(RecordedSleep, callsThatReturnAtOnce_leaveNoEvents) {
    const auto events = recordedEvents(archive, true);
    EXPECT_LT(with(events.begin()->second, {"ENTER read"}).size(), 20'000U);  // of 200,000
}

/// The main thread of the program reads so often from a file, and then joins the others.
TEST(RecordedSleepChoice, all_hasEveryCall_none_hasNone) {
    constexpr std::size_t kReads = 200'000;
    const auto callsOf = [](const char* choice) {
        const TemporaryDirectory folder;
        const auto events =
            recordedEvents(record(folder.path(), HOLOS_PROGRAMS "/sleepers", {}, {"--sleep", choice}), true);
        std::size_t calls = 0;
        for (const auto& [location, all] : events) calls += with(all, {"ENTER read", "ENTER poll"}).size();
        return calls;
    };
    EXPECT_GE(callsOf("all"), kReads + 2);  // and those of the threads that sleep there
    EXPECT_EQ(callsOf("none"), 0U);
}

TEST_F(RecordedSleep, analysis_takesSleepForWaiting) {
    const auto file = directory->path() / "analysis.cubex";
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string(), "-o", file.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(file);
    const auto waiting = experiment.findMetric("system_waiting");
    const auto computation = experiment.findMetric("comp");
    ASSERT_TRUE(waiting && computation);
    const auto of = [&](algebra::MetricId metric, algebra::CallPathId path) {
        return algebra::aggregate(experiment, {metric}, {{path, algebra::Extent::Exclusive}});
    };
    double slept = 0;
    for (const algebra::CallPathId path : experiment.callTree.ids()) {
        slept += of(*waiting, path);
        EXPECT_TRUE(of(*waiting, path) == 0 || of(*computation, path) == 0);
    }
    EXPECT_GT(slept, 11 * 0.019);  // each of them for 20 ms at least, but in three that wait for threads
}

/// The main thread computes for 20 ms at least while the other one sleeps, and then ends its waiting.
TEST_F(RecordedSleep, threadThatAnotherOneWakes_waitsForThat) {
    const auto file = directory->path() / "woken.cubex";
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string(), "-o", file.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(file);
    for (const auto& [wait, delay] :
         {std::pair("pthread_semaphore_wait", "delay_pthread_semaphore_aggregate"),
          std::pair("pthread_barrier_wait", "delay_pthread_barrier_aggregate"),
          std::pair("pthread_lock_contention_rwlock", "delay_pthread_lock_aggregate"),
          std::pair("futex_wait", "delay_futex_aggregate")}) {
        EXPECT_GT(total(experiment, wait), 0.019) << wait;
        EXPECT_GT(total(experiment, delay), 0.019) << delay;
    }
}

TEST(RecordedWakes, ofCpp20_areKnown) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/cpp20_waits");
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    constexpr double kKinds = 5, kEach = 0.019;
    EXPECT_GT(total(experiment, "futex_wait"), kKinds * kEach);
    EXPECT_GT(total(experiment, "delay_futex_aggregate"), kKinds * kEach);
}

/// `programs/yields.c`. On a busy machine its producer has no processor at times; its consumer gets it only
/// to let others have it again.
TEST(RecordedYields, ofAThreadThatWaits_areNoLackOfProcessors) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/yields");
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const algebra::LocationId consumer(0);
    constexpr double kEach = 0.005;
    EXPECT_GT(severityOfRegion(experiment, "system_waiting", "sched_yield", consumer), kEach);
    EXPECT_GT(severityOfRegion(experiment, "system_waiting", "thrd_yield", consumer), kEach);
    const auto lacking = experiment.findMetric("processor_waiting");
    const auto inConsumer = callPathEnding(experiment, "consume/WAITING FOR A PROCESSOR");
    if (lacking && inConsumer) {
        EXPECT_LT(algebra::aggregate(experiment, {*lacking}, {{*inConsumer, algebra::Extent::Exclusive}}),
                  kEach);
    }
}

TEST(RecordedSleepWithCounters, whatIsCountedInIt_belongsToTheFunctionThatSleeps) {
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/counted_sleeps", {}, {"--counters", "ru_nvcsw"});
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto waits = experiment.findMetric("ru_nvcsw");
    ASSERT_TRUE(waits);
    double asleep = 0;
    for (const algebra::CallPathId path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == "usleep")
            asleep += algebra::aggregate(experiment, {*waits}, {{path, algebra::Extent::Exclusive}});
    EXPECT_GE(asleep, 20);
}

}  // namespace
}  // namespace holos::testing
