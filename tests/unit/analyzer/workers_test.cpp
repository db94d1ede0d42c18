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

TEST(Workers, unitThatWaitsForSmallerOne_isNotStuck) {
    std::atomic<bool> done{false};
    makeThreads(3)->forEach(2, [&](std::size_t unit) {
        if (unit == 0) done = true;
        done.wait(false);
        done.notify_all();
    });
    EXPECT_TRUE(done);
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

TEST(Workers, nothingToDo_returns) {
    makeThreads(4)->forEach(0, [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace holos::analyzer::workers
