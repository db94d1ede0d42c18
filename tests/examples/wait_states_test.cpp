// SPDX-License-Identifier: BSD-3-Clause
// Every program of examples/wait-states, recorded and analyzed: the wait state it is about is there, and so
// is what causes it to blame for, and the summary names it where it matters. How long both are exactly, the
// tests of the analyzer say; here the machine may be busy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "algebra/insight/summary/summary.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;

struct WaitState {
    const char* program;
    unsigned ranks;  ///< 0: without MPI, with two threads
    const char* metric;
    const char* costs;  ///< of what causes it
    unsigned times;     ///< the delay
    std::vector<std::string> problems{"imbalance", "serial", "growing-imbalance",
                                      "late-communication"};  ///< of which the summary names one
};

void PrintTo(const WaitState& state, std::ostream* out) {
    *out << state.program;
}

constexpr double kDelay = 0.1;
constexpr double kMatters = 0.05;  // of the time of all threads

class WaitStates : public ::testing::TestWithParam<WaitState> {};

TEST_P(WaitStates, knownDelay_isFound) {
    const auto& [program, ranks, metric, costs, times, problems] = GetParam();
    if (ranks > 0 && launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    const TemporaryDirectory directory;
    const auto archive = (directory.path() / "run").string();
    const Words record{HOLOS_PROGRAM, "record", "-o", archive, "--"};
    const Words application{std::string(HOLOS_EXAMPLES_DIRECTORY "/wait-states/") + program,
                            std::to_string(static_cast<int>(1000 * kDelay))};
    const auto recorded = runCommand((ranks > 0 ? launcher(ranks) : Words{}) + record + application);
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;

    const auto experiment = algebra::readCubex(directory.path() / "run" / "analysis.cubex");
    // Whoever waits may have come late himself.
    for (const char* name : {metric, costs}) {
        EXPECT_GT(total(experiment, name), 0.3 * times * kDelay) << name;
    }
    if (total(experiment, metric) > kMatters * total(experiment, "time")) {
        const auto summary = algebra::summarize(experiment);
        ASSERT_TRUE(summary);
        std::vector<std::string> kinds;
        for (const algebra::Problem& found : summary->problems) kinds.push_back(found.kind);
        // On a busy machine, what costs no more than the lack of processors may be withheld behind it.
        std::vector<std::string> expected(problems.begin(), problems.end());
        for (const char* lack : {"oversubscription", "lost-processors", "processor-limit"})
            expected.emplace_back(lack);
        EXPECT_THAT(kinds, ::testing::Contains(::testing::AnyOfArray(expected))) << summary->run;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Examples, WaitStates,
    ::testing::Values(WaitState{"late_sender", 4, "mpi_latesender", "delay_latesender_aggregate", 1},
                      WaitState{"late_receiver", 4, "mpi_latereceiver", "delay_latereceiver_aggregate", 1},
                      WaitState{"wait_at_barrier", 4, "mpi_barrier_wait", "delay_barrier_aggregate", 3},
                      WaitState{"wait_at_nxn", 4, "mpi_wait_nxn", "delay_n2n_aggregate", 3},
                      WaitState{"late_broadcast", 4, "mpi_latebroadcast", "delay_12n_aggregate", 3},
                      WaitState{"early_reduce", 4, "mpi_earlyreduce", "delay_n21_aggregate", 1},
                      WaitState{"early_scan", 4, "mpi_earlyscan", "delay_scan_aggregate", 3},
                      WaitState{"openmp_barrier", 0, "omp_ebarrier_wait", "delay_ompbarrier_aggregate", 1},
                      WaitState{"critical_contention",
                                0,
                                "omp_lock_contention_critical",
                                "delay_omp_lock_aggregate",
                                1,
                                {"lock"}}),
    [](const auto& state) { return std::string(state.param.program); });

double lateSenderOfReceives(const algebra::Experiment& experiment) {
    double sum = 0.0;
    for (std::size_t at = 0; at < experiment.system.locations.size(); ++at)
        sum += severityOfRegion(experiment, "mpi_latesender", "MPI_Recv", algebra::LocationId(at));
    return sum;
}

TEST(WaitStatesRepair, ofTheRing_takesItsWaitAway) {
    if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    const TemporaryDirectory directory;
    const auto path = [&](const char* name) { return (directory.path() / name).string(); };
    for (const char* version : {"before", "after"}) {
        const auto recorded =
            runCommand(launcher(4) + Words{HOLOS_PROGRAM, "record", "-o", path(version), "--",
                                           HOLOS_EXAMPLES_DIRECTORY "/wait-states/repair", version});
        ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
        ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", path(version)}).exitCode, 0);
    }
    const auto compared = runCommand({HOLOS_PROGRAM, "diff", path("before/analysis.cubex"),
                                      path("after/analysis.cubex"), "-o", path("change.cubex")});
    ASSERT_EQ(compared.exitCode, 0) << compared.output;
    // Afterwards nobody receives before it sends.
    const double before = lateSenderOfReceives(algebra::readCubex(path("before/analysis.cubex")));
    EXPECT_GT(before, 0);
    EXPECT_DOUBLE_EQ(lateSenderOfReceives(algebra::readCubex(path("change.cubex"))), before);
    EXPECT_FALSE(callPathEnding(algebra::readCubex(path("after/analysis.cubex")), "MPI_Recv"));
}

}  // namespace
}  // namespace holos::testing
