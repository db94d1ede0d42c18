// SPDX-License-Identifier: BSD-3-Clause
// Where the time between two events of an unprepared program is booked: `programs/rounds.c`.
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

constexpr double kRounds = 4;
/// The least time of one computation, in seconds; clocks may differ a little.
constexpr double kComputation = 0.99 * 0.005;

class TimeBetweenRecordedEvents : public RecordedMpi {
  protected:
    void analyze(const std::string& program) {
        const auto archive = archiveOf(program, 2);
        ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
        experiment_ = algebra::readCubex(archive / "analysis.cubex");
    }

    /// Of the first process: of a function itself, below all callers.
    double valueOf(const std::string& metric, const std::string& function) const {
        const auto& table = experiment_.severities.table(*experiment_.findMetric(metric));
        double sum = 0;
        for (const auto path : experiment_.callTree.ids())
            if (experiment_.regionOf(path).name == function) sum += table.row(path)[0];
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

INSTANTIATE_TEST_SUITE_P(Libraries, TimeBetweenRecordedEvents, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
