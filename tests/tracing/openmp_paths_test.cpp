// SPDX-License-Identifier: BSD-3-Clause
// The calls that led to each construct of OpenMP, in programs that nobody prepared.
// `programs/construct_paths.c`.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

/// `main/forks@69/inLoop@59/!$omp for`: functions with the lines that call them, and the construct.
std::set<std::string> pathsOfConstructs(const algebra::Experiment& experiment) {
    const auto isOpenMp = [&](algebra::CallPathId path) {
        return experiment.regionOf(path).paradigm == "openmp";
    };
    std::set<std::string> paths;
    for (const auto path : experiment.callTree.ids()) {
        const std::string& construct = experiment.regionOf(path).name;
        std::string text = construct.substr(0, construct.find(" @"));
        if (!isOpenMp(path)) continue;
        for (auto at = experiment.callTree.parent(path); at && experiment.callTree.parent(*at);
             at = experiment.callTree.parent(*at)) {
            if (isOpenMp(*at)) continue;
            const auto line = experiment.callTree[*at].line;
            text = experiment.regionOf(*at).name + (line > 0 ? '@' + std::to_string(line) : "") + '/' + text;
        }
        paths.insert(text);
    }
    return paths;
}

class OpenMpPaths : public ::testing::TestWithParam<std::string> {};

TEST_P(OpenMpPaths, ofEachConstruct_areThoseOfTheSource) {
    const std::string program = HOLOS_PROGRAMS "/" + GetParam();
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "not built here";
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), program);
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const std::set<std::string> expected{
        "main/omp_init_lock",
        "main/forks@69/!$omp parallel",
        "main/forks@69/!$omp implicit barrier",
        "main/forks@69/inLoop@59/!$omp for",
        "main/forks@69/inLoop@59/!$omp implicit barrier",
        "main/forks@69/inLoop@59/inCritical@29/!$omp critical",
        "main/forks@69/inLoop@59/inCritical@29/!$omp critical sblock",
        "main/forks@69/inBarrier@60/!$omp barrier",
        "main/forks@69/inSingle@61/!$omp single",
        "main/forks@69/inSingle@61/!$omp implicit barrier",
        "main/forks@69/inSingle@61/createTask@50/!$omp create task",
        "main/forks@69/inSingle@61/createTask@50/!$omp task",
        "main/forks@69/inSingle@61/createTask@50/inLock@36/omp_set_lock",
        "main/forks@69/inSingle@61/createTask@50/inLock@36/omp_unset_lock",
        "main/forks@69/inSingle@61/waitForTasks@51/!$omp taskwait",
        "main/omp_destroy_lock",
    };
    EXPECT_EQ(pathsOfConstructs(algebra::readCubex(archive / "analysis.cubex")), expected);
}

/// Functions without names that begin where a construct does, below that one.
std::set<std::string> bodiesInPaths(const algebra::Experiment& experiment) {
    std::set<std::string> places;
    for (const auto path : experiment.callTree.ids()) {
        const std::string& name = experiment.regionOf(path).name;
        if (const auto at = name.find(" @"); at != std::string::npos) places.insert(name.substr(at + 2));
    }
    std::set<std::string> bodies;
    for (const auto path : experiment.callTree.ids())
        if (places.contains(experiment.regionOf(path).name)) bodies.insert(experiment.regionOf(path).name);
    return bodies;
}

TEST(OpenMpPathsOfAStrippedProgram, bodiesOfConstructs_areNoFunctions) {
    const std::string original = HOLOS_PROGRAMS "/construct_paths_gcc";
    if (!std::filesystem::exists(original)) GTEST_SKIP() << "not built here";
    const TemporaryDirectory directory;
    std::filesystem::create_directory(directory.path() / "without_symbols");
    const std::string program = directory.path() / "without_symbols" / "stripped";
    ASSERT_EQ(runCommand({"strip", "-o", program, original}).exitCode, 0);
    const auto archive = record(directory.path(), program);
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    EXPECT_EQ(bodiesInPaths(experiment), std::set<std::string>());
    EXPECT_EQ(pathsOfConstructs(experiment).size(), 16);
}

/// `programs/forks_first.c`.
TEST(OpenMpPathsOfAThread, regionThatIsTheFirstEvent_standsBelowItsFunction) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/forks_first");
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    EXPECT_EQ(pathsOfConstructs(algebra::readCubex(archive / "analysis.cubex")),
              (std::set<std::string>{"forksFirst/!$omp parallel", "forksFirst/!$omp implicit barrier"}));
}

class OpenMpLoopsInTurn : public ::testing::TestWithParam<std::string> {};

TEST_P(OpenMpLoopsInTurn, ofEach_lineIsThatOfItsDirective) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/" + GetParam());
    std::set<std::string> loops;
    for (const auto& [location, events] : recordedEvents(archive))
        for (const std::string& event : with(events, {"ENTER !$omp for"})) loops.insert(event);
    EXPECT_EQ(loops, (std::set<std::string>{
                         "ENTER !$omp for @loops_in_turn.c:15", "ENTER !$omp for @loops_in_turn.c:17",
                         "ENTER !$omp for @loops_in_turn.c:20", "ENTER !$omp for @loops_in_turn.c:23",
                         "ENTER !$omp for @loops_in_turn.c:28"}));
}

/// Also of a construct that begins with its parallel region, which only the first thread was led to.
TEST_P(OpenMpLoopsInTurn, ofEach_threadsAreInOneCallPath) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/" + GetParam());
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const algebra::Experiment experiment = algebra::readCubex(archive / "analysis.cubex");
    std::multiset<std::string> loops;
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name.starts_with("!$omp for"))
            loops.insert(experiment.regionOf(path).name);
    for (const std::string& loop : loops) EXPECT_EQ(loops.count(loop), 1U) << loop;
    EXPECT_EQ(loops.size(), 5U);
}

INSTANTIATE_TEST_SUITE_P(Gcc, OpenMpLoopsInTurn,
                         ::testing::Values("loops_in_turn", "loops_in_turn_optimised"),
                         [](const auto& program) { return program.param; });

INSTANTIATE_TEST_SUITE_P(Compilers, OpenMpPaths,
                         ::testing::Values("construct_paths_gcc", "construct_paths_gcc_optimised",
                                           "construct_paths_clang", "construct_paths_clang_optimised"),
                         [](const auto& program) { return program.param; });

}  // namespace
}  // namespace holos::testing
