// SPDX-License-Identifier: BSD-3-Clause
// Where the time between two events of an unprepared program is booked, and how often functions were visited:
// `programs/rounds.c` and `programs/one_line.c`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

constexpr double kRounds = 4;
constexpr double kRoundsOfOneLine = 20;
/// The least time of one computation, in seconds; clocks may differ a little.
constexpr double kComputation = 0.99 * 0.005;

class TimeBetweenRecordedEvents : public RecordedMpi {
  protected:
    void analyze(const std::string& program, unsigned ranks = 2) {
        const auto archive = archiveOf(program, ranks);
        ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
        experiment_ = algebra::readCubex(archive / "analysis.cubex");
    }

    /// Of the first process: of a function itself, below all callers, with its waiting for processors.
    double valueOf(const std::string& metric, const std::string& function) const {
        const auto& table = experiment_.severities.table(*experiment_.findMetric(metric));
        double sum = 0;
        for (auto path : experiment_.callTree.ids()) {
            const auto row = table.row(path);
            if (experiment_.regionOf(path).name == "WAITING FOR A PROCESSOR")
                path =
                    experiment_.callTree.parent(path).value_or(path);  // outside of the program there is none
            if (experiment_.regionOf(path).name == function && !row.empty()) sum += row[0];
        }
        return sum;
    }

    void expectTimesWhereTheyPassed() const {
        EXPECT_EQ(valueOf("visits", "exchange"), kRounds);
        EXPECT_EQ(valueOf("visits", "sum"), kRounds);
        EXPECT_EQ(valueOf("visits", "run"), 1);
        EXPECT_EQ(valueOf("visits", "settle"), 1);
        EXPECT_GE(valueOf("time", "run"), (2 * kRounds - 1) * kComputation);  // the first comes before it
        EXPECT_GE(valueOf("time", "settle"), (kRounds - 1) * kComputation);
    }

    /// Of a region, below all callers.
    std::size_t callPathsTo(const std::string& region) const {
        const auto paths = experiment_.callTree.ids();
        return static_cast<std::size_t>(std::count_if(paths.begin(), paths.end(), [&](const auto path) {
            return experiment_.regionOf(path).name == region;
        }));
    }

    algebra::Experiment experiment_;
};

TEST_P(TimeBetweenRecordedEvents, ofALoop_standsAtTheLoopsFunction) {
    analyze("rounds_plain");
    expectTimesWhereTheyPassed();
}

TEST_P(TimeBetweenRecordedEvents, ofAnOptimisedLoop_standsAtTheLoopsFunction) {
    analyze("rounds_optimised");
    expectTimesWhereTheyPassed();
}

TEST_P(TimeBetweenRecordedEvents, ofALoopByClang_standsAtTheLoopsFunction) {
    const std::string program = "rounds_clang";
    if (!std::filesystem::exists(HOLOS_PROGRAMS "/" + program + "_" + GetParam()))
        GTEST_SKIP() << "no clang here";
    analyze(program);
    expectTimesWhereTheyPassed();
}

TEST_P(TimeBetweenRecordedEvents, ofTwoCallsInOneLine_areOfTwoVisitsAndOneCallPath) {
    for (const std::string build : {"plain", "optimised", "clang"}) {
        const std::string program = "one_line_" + build;
        if (!std::filesystem::exists(HOLOS_PROGRAMS "/" + program + "_" + GetParam())) continue;
        analyze(program, 1);
        EXPECT_EQ(valueOf("visits", "run"), 1) << build;
        EXPECT_EQ(valueOf("visits", "step"), kRoundsOfOneLine) << build;
        EXPECT_EQ(valueOf("visits", "meet"), kRoundsOfOneLine) << build;
        EXPECT_EQ(valueOf("visits", "sum"), 2 * kRoundsOfOneLine) << build;
        for (const std::string region : {"sum", "MPI_Allreduce", "MPI_Barrier"})
            EXPECT_EQ(callPathsTo(region), 1U) << build << ": " << region;
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, TimeBetweenRecordedEvents, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
