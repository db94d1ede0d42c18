// SPDX-License-Identifier: BSD-3-Clause
// Explicit tasks stand below the functions that create them, whichever thread runs them.
// `programs/task_paths.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

/// `main/!$omp parallel/produce/!$omp task`: without places, and without what only one of the compilers makes
/// known.
std::string namesOf(const algebra::Experiment& experiment, algebra::CallPathId path) {
    std::string names;
    for (auto at = std::optional(path); experiment.callTree.parent(*at);
         at = experiment.callTree.parent(*at)) {
        const std::string& name = experiment.regionOf(*at).name;
        if (!name.starts_with("!$omp single")) names = '/' + name.substr(0, name.find(" @")) + names;
    }
    return names.empty() ? names : names.substr(1);
}

/// The parameter is the program.
class RecordedTaskPaths : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::string program = std::string(HOLOS_PROGRAMS "/") + GetParam();
        if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " was not built here";
        const auto archive = record(directory_.path(), program, {}, options_);
        ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
        const auto experiment = algebra::readCubex(archive / "analysis.cubex");
        const auto& visits = experiment.severities.table(*experiment.findMetric("visits"));
        for (const auto path : experiment.callTree.ids())
            for (const double value : visits.row(path)) visits_[namesOf(experiment, path)] += value;
    }

    std::vector<std::string> options_;
    TemporaryDirectory directory_;
    std::map<std::string, double> visits_;
};

TEST_P(RecordedTaskPaths, tasks_standBelowTheFunctionsThatCreateThem) {
    const std::string region = "main/!$omp parallel/";
    EXPECT_THAT(visits_, Contains(Pair(region + "produce/!$omp create task", 5)));
    EXPECT_THAT(visits_, Contains(Pair(region + "produce/!$omp task", 5)));
    EXPECT_THAT(visits_, Contains(Pair(region + "produce/!$omp task/refine/!$omp task", 5)));
    EXPECT_THAT(visits_,
                Contains(Pair(region + "produce/!$omp task/refine/!$omp task/work/!$omp critical", 5)));
    EXPECT_THAT(visits_, Contains(Pair(region + "produce/!$omp taskwait", 1)));
    EXPECT_THAT(visits_, Contains(Pair(region + "loop/!$omp taskgroup/!$omp task/work/!$omp critical", 4)));
    EXPECT_THAT(visits_, Contains(Pair(region + "!$omp task/work/!$omp critical", 3)))
        << "undeferred, untied";
}

TEST_P(RecordedTaskPaths, tasksOfARecursiveFunction_areFewCallPaths) {
    const std::string first = "main/!$omp parallel/halve/!$omp task";
    const std::string second = first + "/halve/!$omp task";
    EXPECT_THAT(visits_, Contains(Key(first)));
    EXPECT_THAT(visits_, Contains(Key(second)));
    EXPECT_EQ(visits_[first] + visits_[second], 30);
    EXPECT_THAT(visits_, Not(Contains(Key(second + "/halve/!$omp task"))));
    EXPECT_THAT(visits_, Each(Key(Not(HasSubstr("TASKS")))));
}

class TasksOfUnknownCreators : public RecordedTaskPaths {
  protected:
    TasksOfUnknownCreators() { options_ = {"--call-paths", "none"}; }
};

TEST_P(TasksOfUnknownCreators, standBelowTasks) {
    EXPECT_THAT(visits_, Contains(Key("TASKS/!$omp task")));
}

INSTANTIATE_TEST_SUITE_P(Compilers, RecordedTaskPaths,
                         ::testing::Values("task_paths_gcc", "task_paths_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(11); });
INSTANTIATE_TEST_SUITE_P(Compilers, TasksOfUnknownCreators,
                         ::testing::Values("task_paths_gcc", "task_paths_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(11); });

}  // namespace
}  // namespace holos::testing
