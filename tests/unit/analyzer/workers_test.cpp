// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace holos::analyzer::workers {
namespace {

TEST(Workers, everyUnit_runsOnce) {
    for (const unsigned count : {1U, 2U, 5U, 0U}) {
        std::vector<std::atomic<int>> runs(100);
        makeThreads(count)->forEach(runs.size(), [&](std::size_t unit) { ++runs[unit]; });
        for (const auto& run : runs) EXPECT_EQ(run, 1);
    }
}

/// Where units were handed out in another order, all threads would wait here for one that nobody has begun.
TEST(Workers, unitsThatWaitForSmallerOnes_areNotStuck) {
    for (const unsigned count : {1U, 2U, 3U}) {
        std::atomic<std::size_t> done{0};
        makeThreads(count)->forEach(20, [&](std::size_t unit) {
            for (std::size_t others = done; others < unit; others = done) done.wait(others);
            done = unit + 1;
            done.notify_all();
        });
        EXPECT_EQ(done, 20U);
    }
}

TEST(Workers, severalFailures_smallestUnitIsReported) {
    for (const unsigned count : {1U, 3U}) {
        try {
            makeThreads(count)->forEach(10, [](std::size_t unit) {
                if (unit % 3 == 2) throw std::runtime_error(std::to_string(unit));
            });
            FAIL() << "no exception";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "2");
        }
    }
}

TEST(Workers, failure_startsNoMoreUnits) {
    std::size_t started = 0;
    EXPECT_THROW(makeThreads(1)->forEach(10,
                                         [&](std::size_t unit) {
                                             ++started;
                                             if (unit == 3) throw std::runtime_error("three");
                                         }),
                 std::runtime_error);
    EXPECT_EQ(started, 4U);
}

TEST(StoppableWorkers, stoppedMeanwhile_startNoMoreUnits) {
    std::atomic<bool> stopped = false;
    std::size_t started = 0;
    Stoppable workers(makeThreads(1), &stopped);
    EXPECT_THROW(workers.forEach(10,
                                 [&](std::size_t unit) {
                                     ++started;
                                     stopped = unit == 3;
                                 }),
                 Stopped);
    EXPECT_EQ(started, 4U);
    EXPECT_THROW(workers.forEach(0, [](std::size_t) {}), Stopped);
}

TEST(StoppableWorkers, nobodyStopsThem_runEveryUnit) {
    const std::atomic<bool> stopped = false;
    for (const std::atomic<bool>* flag : {&stopped, static_cast<const std::atomic<bool>*>(nullptr)}) {
        std::size_t started = 0;
        Stoppable(makeThreads(1), flag).forEach(10, [&](std::size_t) { ++started; });
        EXPECT_EQ(started, 10U);
    }
}

TEST(Workers, nothingToDo_returns) {
    makeThreads(4)->forEach(0, [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace holos::analyzer::workers
