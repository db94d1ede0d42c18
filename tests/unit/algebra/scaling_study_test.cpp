// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "algebra/insight/scaling/growing_paths.h"
#include "algebra/insight/scaling/scalability.h"
#include "algebra/model/call_names.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra::scaling {
namespace {

using holos::testing::SmallExperiment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A run in which each process computes for `computation` seconds and is in MPI for `mpi`.
std::shared_ptr<const Experiment> runOf(int processes, double computation, double mpi,
                                        double instructions = 0) {
    const std::vector<double> none(static_cast<std::size_t>(processes), 0.0);
    const auto each = [&](double value) { return std::vector<double>(none.size(), value); };
    SmallExperiment experiment(processes, 1);
    experiment
        .metric(holos::testing::seconds("time"), "",
                {{"main/work", each(computation)}, {"main/wait", each(mpi)}})
        .metric(holos::testing::seconds("execution"), "time",
                {{"main/work", each(computation)}, {"main/wait", each(mpi)}})
        .metric(holos::testing::seconds("comp"), "execution", {{"main/work", each(computation)}})
        .metric(holos::testing::seconds("mpi"), "execution", {{"main/wait", each(mpi)}});
    if (instructions > 0)
        experiment.counter("instructions",
                           {{"main/work", each(instructions)}, {"main/wait", each(instructions)}});
    return std::make_shared<const Experiment>(experiment.take());
}

SizedRun run(const std::string& name, std::shared_ptr<const Experiment> experiment,
             std::vector<double> parameters = {}) {
    return {name, std::move(experiment), std::move(parameters)};
}

TEST(ScalingStudy, runsOfOneSize_areRepetitions) {
    const Study study({run("b", runOf(4, 2, 1)), run("a", runOf(2, 4, 1)), run("c", runOf(4, 2, 1))}, {});
    ASSERT_EQ(study.groups().size(), 2U);
    EXPECT_THAT(study.parameters(), ElementsAre("processes"));
    EXPECT_THAT(study.groups()[0].runs, ElementsAre(1));
    EXPECT_THAT(study.groups()[1].runs, ElementsAre(0, 2));
    EXPECT_THAT(study.groups()[1].at, ElementsAre(4));
}

TEST(ScalingStudy, runsOfTheSameSizeOnly_areRefused) {
    try {
        const Study study({run("a", runOf(2, 4, 1)), run("b", runOf(2, 4, 1))}, {});
        FAIL() << "nothing differs";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("same size"));
    }
    const Study study({run("a", runOf(2, 4, 1), {10}), run("b", runOf(2, 4, 1), {20})},
                      {.parameters = {"cells"}});
    EXPECT_THAT(study.parameters(), ElementsAre("cells"));
}

TEST(ScalingStudy, equalParametersOfDifferentRuns_areRefused) {
    EXPECT_THROW(Study({run("a", runOf(2, 4, 1), {10}), run("b", runOf(4, 4, 1), {10})},
                       {.size = Size::None, .parameters = {"cells"}}),
                 Error);
    EXPECT_THROW(
        Study({run("a", runOf(2, 4, 1), {0}), run("b", runOf(4, 4, 1), {10})}, {.parameters = {"cells"}}),
        Error);
}

TEST(Scalability, oneProblem_isStrongScaling) {
    // 2 processes compute 8 s in all, 4 of them 10 s: a fifth of the work is new.
    const Study study({run("a", runOf(2, 4, 1)), run("b", runOf(4, 2.5, 0.5))}, {});
    const ScalabilityTable table = scalability(study, MetricGuide({}), Scaling::Automatic);
    EXPECT_EQ(table.scaling, Scaling::Strong);
    EXPECT_TRUE(table.isFound);
    EXPECT_DOUBLE_EQ(table.workGrew, 1.25);
    EXPECT_DOUBLE_EQ(table.rows[0].computation, 1);
    EXPECT_DOUBLE_EQ(table.rows[1].computation, 0.8);
    EXPECT_DOUBLE_EQ(table.rows[1].runtime, 3);
    EXPECT_DOUBLE_EQ(table.rows[1].speedup, 5.0 / 3);
    EXPECT_DOUBLE_EQ(table.rows[1].global, 2.5 / 3 * 0.8);
    EXPECT_FALSE(table.rows[1].instructions.has_value());
}

TEST(Scalability, growingProblem_isWeakScaling) {
    const Study study({run("a", runOf(2, 4, 1)), run("b", runOf(8, 5, 1))}, {});
    const ScalabilityTable table = scalability(study, MetricGuide({}), Scaling::Automatic);
    EXPECT_EQ(table.scaling, Scaling::Weak);
    EXPECT_DOUBLE_EQ(table.rows[1].computation, 0.8);
    EXPECT_DOUBLE_EQ(table.rows[1].speedup, 4 * 5.0 / 6);
    EXPECT_EQ(scalability(study, MetricGuide({}), Scaling::Strong).scaling, Scaling::Strong);
}

TEST(Scalability, instructions_countWhereTheProgramComputes) {
    const Study study({run("a", runOf(2, 4, 1, 800)), run("b", runOf(4, 2.5, 0.5, 500))}, {});
    const SizeRow row = scalability(study, MetricGuide({}), Scaling::Strong).rows[1];
    ASSERT_TRUE(row.instructions.has_value());
    EXPECT_DOUBLE_EQ(*row.instructions, 1600.0 / 2000);
    EXPECT_FALSE(row.perCycle.has_value());
}

TEST(Scalability, experimentWithoutTrace_isNamed) {
    const auto other = std::make_shared<const Experiment>(
        SmallExperiment(4, 1).counter("page-faults", {{"main", {1, 1, 1, 1}}}).take());
    const Study study({run("good", runOf(2, 4, 1)), run("bad.cubex", other)}, {});
    try {
        scalability(study, MetricGuide({}), Scaling::Automatic);
        FAIL() << "there is no time";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("bad.cubex: "));
    }
}

TEST(GrowingPaths, theOneThatGrows_isFirst) {
    std::vector<SizedRun> runs;
    for (const int processes : {2, 4, 8, 16})
        runs.push_back(
            run(std::to_string(processes), runOf(processes, 64.0 / processes, 0.5 * std::log2(processes))));
    const Study study(std::move(runs), {});
    const auto paths = growingPaths(study, "time", {1024});
    ASSERT_EQ(paths.size(), 2U);
    EXPECT_EQ(callPathText(study.program(), *paths[0].path), "main/wait");
    EXPECT_NEAR(paths[0].predicted.value, 5, 1e-6);
    EXPECT_NEAR(paths[1].predicted.value, 64.0 / 1024, 1e-6);
    EXPECT_NEAR(paths[0].share + paths[1].share, 1, 1e-12);
    EXPECT_THAT(paths[1].measured, ElementsAre(32, 16, 8, 4));

    const auto metrics = growingMetrics(study, {"mpi", "nothing"}, {1024});
    ASSERT_EQ(metrics.size(), 1U);
    EXPECT_EQ(metrics[0].model.model().text(study.parameters()), "0.5 * log2(processes)");
}

TEST(GrowingPaths, unknownMetric_isAnError) {
    const Study study({run("a", runOf(2, 4, 1)), run("b", runOf(4, 2, 1))}, {});
    EXPECT_THROW(growingPaths(study, "nothing", {8}), Error);
    EXPECT_THROW(growingPaths(study, "time", {8}), TooFewSizes);
}

TEST(GrowingPaths, counterThatOneRunLacks_isAnErrorThatNamesTheRun) {
    const Study study({run("a", runOf(2, 8, 1, 10)), run("b", runOf(4, 4, 1, 10)), run("c", runOf(8, 2, 1)),
                       run("d", runOf(16, 1, 1, 10))},
                      {});
    try {
        growingPaths(study, "instructions", {32});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("c: the experiment has no metric \"instructions\""));
    }
}

TEST(GrowingSubtrees, callPathsWithNothingThemselves_haveWhatTheyCall) {
    const Study study({run("a", runOf(2, 4, 1)), run("b", runOf(4, 4, 2)), run("c", runOf(8, 4, 4)),
                       run("d", runOf(16, 4, 8))},
                      {});
    const std::vector<Growing> found = growingSubtrees(study, "time", {32});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(callPathText(study.program(), *found.front().path), "main");
    EXPECT_THAT(found.front().measured, ElementsAre(5, 6, 8, 12));
    EXPECT_NEAR(found.front().predicted.value, 20, 1e-6);
    EXPECT_TRUE(growingSubtrees(study, "mpi", {32}).size() == 1U);
}

/// A quotient is not divided among threads.
TEST(ScalingStudy, ratios_stayAsTheyAre) {
    const auto counted = [](int processes) {
        const std::vector<double> each(static_cast<std::size_t>(processes), 100);
        Metric ratio;
        ratio.uniqueName = ratio.displayName = "IPC";
        ratio.origin = Origin::Ratio;
        ratio.storage = Storage::PostDerived;
        ratio.expression = "metric::ins() / metric::cyc()";
        return std::make_shared<const Experiment>(SmallExperiment(processes, 1)
                                                      .counter("ins", {{"main", each}})
                                                      .counter("cyc", {{"main", each}})
                                                      .metric(std::move(ratio), "", {})
                                                      .take());
    };
    const Study study({run("a", counted(2)), run("b", counted(8))}, {});
    EXPECT_NEAR(study.perThread(1, "IPC"), 1, 1e-9);
    EXPECT_THAT(study.perThreadAndPath(1, "IPC"), ElementsAre(1));
    EXPECT_NEAR(study.perThread(1, "ins"), 100, 1e-9);
}

}  // namespace
}  // namespace holos::algebra::scaling
