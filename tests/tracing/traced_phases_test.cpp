// SPDX-License-Identifier: BSD-3-Clause
// A profile of a whole run and a trace of some instances of a phase.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "algebra/files/experiment_file.h"
#include "algebra/model/wait_files.h"
#include "report/tables/estimates.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"
#include "tracing/recordings/format/settings.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A recording of so many iterations of two processes, and its analysis.
class TracedPhases : public ::testing::Test {
  protected:
    void SetUp() override {
        launched_ = launcher(2, "openmpi");
        if (launched_.empty()) GTEST_SKIP() << "no launcher of Open MPI";
    }
    void recordIterations(int iterations, const Words& options) {
        folder_ = record(directory_.path(), HOLOS_PROGRAMS "/iterations_openmpi", launched_,
                         Words{"--profile"} + options, {std::to_string(iterations)});
        const auto analysis = runCommand({HOLOS_PROGRAM, "analyze", folder_});
        ASSERT_EQ(analysis.exitCode, 0) << analysis.output;
        said_ = analysis.output;
    }
    algebra::Experiment profile() const { return algebra::readExperiment(folder_ / "profile.cubex"); }
    algebra::Experiment analysis() const { return algebra::readExperiment(folder_ / "analysis.cubex"); }
    /// Of all processes.
    static double sumOf(const algebra::Experiment& experiment, const std::string& metric,
                        const std::string& region) {
        const auto& table = experiment.severities.table(*experiment.findMetric(metric));
        double sum = 0;
        for (const auto path : experiment.callTree.ids())
            for (std::size_t i = 0; i < experiment.system.locations.size(); ++i)
                if (experiment.regionOf(path).name == region) sum += table.at(path, algebra::LocationId(i));
        return sum;
    }

    TemporaryDirectory directory_;
    Words launched_;
    fs::path folder_;
    std::string said_;
};

TEST_F(TracedPhases, firstCountAndEvery_profileHasAllAndTraceThose) {
    recordIterations(40, {"--trace-phase", "step:5+2/10"});
    EXPECT_EQ(sumOf(profile(), "visits", "step"), 2 * 40);
    EXPECT_EQ(sumOf(profile(), "visits", "MPI_Allreduce"), 2 * 40);
    EXPECT_EQ(sumOf(analysis(), "visits", "step"), 2 * 8);
    EXPECT_EQ(sumOf(analysis(), "visits", "MPI_Allreduce"), 2 * 8);
    EXPECT_EQ(sumOf(analysis(), "visits", "MPI_Send"), 8);
    EXPECT_EQ(algebra::periodWaitsOf(analysis()).lengths.size(), 8u);
}

/// Each message that was traced has both ends, so that none of them was chosen by one process alone.
TEST_F(TracedPhases, share_allProcessesChooseTheSame) {
    recordIterations(60, {"--trace-phase", "step", "--trace-share", "20%"});
    EXPECT_EQ(sumOf(profile(), "visits", "step"), 2 * 60);
    EXPECT_EQ(sumOf(analysis(), "visits", "step"), 2 * 12);
    EXPECT_EQ(sumOf(analysis(), "visits", "MPI_Send"), sumOf(analysis(), "visits", "MPI_Recv"));
    for (const char* trouble : {"unmatched", "unbalanced"})
        EXPECT_THAT(said_, ::testing::Not(::testing::HasSubstr(trouble)));
    const auto estimates = algebra::waitEstimatesOf(analysis());
    ASSERT_TRUE(estimates);
    EXPECT_EQ(estimates->traced, 12u);
    EXPECT_EQ(estimates->instances, 60);
    EXPECT_THAT(said_, ::testing::HasSubstr("Waits in all 60 instances of step"));
}

/// Of one run whose instances are all traced, estimates from some of them are held against the sum of all.
/// How often they lie within their error depends on how even the waits of a busy machine are; on the whole
/// they are neither too large nor too small.
TEST_F(TracedPhases, someOfAllInstances_estimateTheWhole) {
    recordIterations(300, {"--trace-phase", "step:1+300"});
    const auto periods = algebra::periodWaitsOf(analysis());
    ASSERT_EQ(periods.lengths.size(), 300u);
    const auto whole = tables::wholePhase(profile(), "step");
    EXPECT_EQ(whole.instances, 300);
    const auto sumOf = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    EXPECT_NEAR(whole.seconds, sumOf(periods.lengths), 0.1 * whole.seconds);
    const auto& waits = periods.waits.at("mpi_latesender");
    double mean = 0;
    constexpr int kChoices = 100;
    for (int seed = 0; seed < kChoices; ++seed) {
        const tracing::ChosenInstances chosen{.oneIn = tracing::ChosenInstances::oneInFor(0.2),
                                              .seed = static_cast<std::uint64_t>(seed)};
        algebra::PeriodWaits some;
        for (std::size_t i = 0; i < 300; ++i)
            if (chosen.has(i + 1)) {
                some.lengths.push_back(periods.lengths[i]);
                some.waits["mpi_latesender"].push_back(waits[i]);
            }
        const auto estimates = tables::estimateWaits(some, whole, "step");
        EXPECT_TRUE(estimates.waits.front().error);
        mean += estimates.waits.front().whole / kChoices;
    }
    EXPECT_NEAR(mean, sumOf(waits), 0.3 * sumOf(waits));
    const auto all = algebra::waitEstimatesOf(analysis());
    ASSERT_TRUE(all && !all->waits.empty());
    EXPECT_EQ(all->waits.front().error, 0);
}

TEST_F(TracedPhases, phaseThatIsNotEntered_isSaid) {
    folder_ = directory_.path() / "run";
    const auto result =
        runCommand(launched_ + Words{HOLOS_PROGRAM, "record", "-o", folder_, "--profile", "--trace-phase",
                                     "stride:1+1", "--", HOLOS_PROGRAMS "/iterations_openmpi", "3"});
    EXPECT_THAT(result.output,
                ::testing::HasSubstr("--trace-phase stride: the program entered no user region"));
    EXPECT_EQ(sumOf(profile(), "visits", "step"), 2 * 3);
}

TEST(TracedPhaseOption, whatIsNone_isRefused) {
    for (const Words& options :
         {Words{"--trace-phase", "step"}, Words{"--trace-phase", "step:1"},
          Words{"--trace-phase", "step:0+1"}, Words{"--trace-phase", "step:1+5/3"},
          Words{"--trace-phase", ":1+1"}, Words{"--trace-phase", "step:1+1", "--trace"},
          Words{"--trace-share", "5%"}, Words{"--trace-phase", "step", "--trace-share", "0"},
          Words{"--trace-phase", "step", "--trace-share", "101%"},
          Words{"--trace-phase", "step:1+1", "--phase", "step"}}) {
        const TemporaryDirectory directory;
        const auto result =
            runCommand(Words{HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--profile"} + options +
                       Words{"--", HOLOS_PROGRAMS "/loop", "1"});
        EXPECT_EQ(result.exitCode, 2) << result.output;
        EXPECT_THAT(result.output, ::testing::HasSubstr("--trace-")) << result.output;
    }
}

}  // namespace
}  // namespace holos::testing
