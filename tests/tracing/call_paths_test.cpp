// SPDX-License-Identifier: BSD-3-Clause
// Call paths of events of a program that nobody prepared: those of the same program compiled by `holos cc`,
// which tells of each function. `programs/call_paths.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_mpi.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

/// The program's functions: the C library's, as `qsort`, are none that `holos cc` tells of.
const std::set<std::string> kFunctions{"main",       "run",     "solve",          "norm",   "recurse",
                                       "with_array", "compare", "with_operation", "pass_on"};

/// How often each function of MPI was called, by the functions that led there.
std::map<std::string, double> callsOfMpi(const algebra::Experiment& experiment) {
    return visitsByNames(experiment, "mpi", kFunctions);
}

class RecordedCallPaths : public RecordedMpi {
  protected:
    std::string analysisFileOf(const std::string& program, const Words& options = {}) {
        const auto archive = archiveOf(program, 2, options);
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
        return archive / "analysis.cubex";
    }
    algebra::Experiment experimentOf(const std::string& program, const Words& options = {}) {
        return algebra::readCubex(analysisFileOf(program, options));
    }
    /// What the script for users finds, of a program that tells of each function and of others.
    static CommandResult compared(const std::string& instrumented, const Words& others) {
        return runCommand(Words{HOLOS_PYTHON, HOLOS_SOURCE "/scripts/compare_call_paths.py", "--holos",
                                HOLOS_PROGRAM, instrumented} +
                          others);
    }
};

TEST_P(RecordedCallPaths, ofAnUnpreparedProgram_areThoseOfTheInstrumentedOne) {
    const auto instrumented = analysisFileOf("call_paths_instrumented", {"--call-paths", "none"});
    const auto expected = callsOfMpi(algebra::readCubex(instrumented));
    ASSERT_THAT(expected, Contains(Key("main/run/with_array/solve/norm/MPI_Allreduce")));
    ASSERT_THAT(expected, Contains(Key("main/compare/norm/MPI_Allreduce")));
    ASSERT_THAT(expected, Contains(Key("main/run/pass_on/MPI_Barrier")));
    ASSERT_THAT(expected, Contains(Key("main/run/recurse/recurse/recurse/norm/MPI_Allreduce")));
    Words others{analysisFileOf("call_paths_plain"), analysisFileOf("call_paths_optimised")};
    if (std::filesystem::exists(path("call_paths_clang")))
        others.push_back(analysisFileOf("call_paths_clang"));
    const auto [exitCode, output] = compared(instrumented, others);
    EXPECT_EQ(exitCode, 0) << output;
    EXPECT_THAT(output, HasSubstr("28 of 28 call paths are equal, with 116 of 116 calls"));
}

TEST_P(RecordedCallPaths, ofEachCall_areThoseOfTheInstrumentedProgram) {
    const auto instrumented = archiveOf("call_paths_instrumented", 2, {"--call-paths", "none"});
    const auto sites = archiveOf("call_paths_plain", 2, {"--call-paths", "sites"});
    const auto [exitCode, output] =
        runCommand({HOLOS_PYTHON, HOLOS_SOURCE "/scripts/compare_call_paths.py", "--each-call",
                    HOLOS_LIST_CALLS, instrumented, archiveOf("call_paths_optimised", 2), sites});
    EXPECT_EQ(exitCode, 1) << "of call sites alone";
    EXPECT_THAT(output, HasSubstr("108 of 108 calls have equal call paths, one by one\n"));
    EXPECT_THAT(output,
                HasSubstr("thread 0, call 1: main/compare/norm/MPI_Allreduce, here norm/MPI_Allreduce\n"));
}

TEST_P(RecordedCallPaths, thatDiffer_areSaidByTheScript) {
    const auto instrumented = analysisFileOf("call_paths_instrumented", {"--call-paths", "none"});
    const auto [exitCode, output] =
        compared(instrumented, {analysisFileOf("call_paths_plain", {"--call-paths", "sites"})});
    EXPECT_EQ(exitCode, 1);
    EXPECT_THAT(output, HasSubstr("2 calls, here 0: main/compare/norm/MPI_Allreduce\n"));
}

TEST_P(RecordedCallPaths, twoCallSites_areTwoCallPaths) {
    const auto experiment = experimentOf("call_paths_plain");
    std::vector<std::int64_t> lines;
    for (const auto path : experiment.callTree.ids())
        if (namesOf(experiment, path, kFunctions) == "main/run/solve/MPI_Allreduce")
            lines.push_back(experiment.callTree[path].line);
    ASSERT_EQ(lines.size(), 2);
    EXPECT_EQ(lines[1] - lines[0], 4) << "behind the loop";
}

TEST_P(RecordedCallPaths, sitesAlone_areTheFunctionsThatCall) {
    const auto calls = callsOfMpi(experimentOf("call_paths_plain", {"--call-paths", "sites"}));
    EXPECT_THAT(calls, Contains(Key("norm/MPI_Allreduce")));
    EXPECT_THAT(calls, Contains(Key("solve/MPI_Barrier")));
}

TEST_P(RecordedCallPaths, notWanted_callsStandBelowTheProgram) {
    const auto calls = callsOfMpi(experimentOf("call_paths_plain", {"--call-paths", "none"}));
    EXPECT_THAT(calls, Contains(Key("MPI_Allreduce")));
    EXPECT_EQ(calls.size(), 6);
}

TEST(CallPathsOfUserRegions, functionsThatTellOfThem_areLeftOut) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/regions");
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    std::set<std::string> names;
    for (const auto path : experiment.callTree.ids()) names.insert(experiment.regionOf(path).name);
    EXPECT_THAT(names, Contains("main"));
    EXPECT_THAT(names, Not(Contains(StartsWith("holos"))));
}

/// `programs/replaced.c`. Names of the file that is there now would be wrong ones.
TEST(CallPathsOfAReplacedProgram, haveNoNames_andThatIsSaid) {
    const TemporaryDirectory directory;
    const auto program = directory.path() / "own";
    const auto other = directory.path() / "other";
    std::filesystem::copy_file(HOLOS_PROGRAMS "/replaced", program);
    const auto run = [&](const std::vector<std::string>& words) {
        const auto recorded = runCommand(std::vector<std::string>{HOLOS_PROGRAM, "record", "--force", "-o",
                                                                  directory.path() / "run", "--", program} +
                                         words);
        EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", directory.path() / "run"}).exitCode, 0);
        const auto visits =
            visitsByNames(algebra::readCubex(directory.path() / "run" / "analysis.cubex"), "user");
        return std::pair(recorded.output, visits);
    };
    EXPECT_THAT(run({}).second, Contains(Pair("main/solve/step", 1)));
    std::filesystem::copy_file(HOLOS_PROGRAMS "/regions", other);
    const auto [output, visits] = run({other});
    EXPECT_THAT(visits, Contains(Pair("own (another build)/own (another build)/step", 1)));
    EXPECT_THAT(output, HasSubstr("own is not the build that ran"));
}

/// A program, and how it is found out where its parts lie.
using Loaded = std::pair<const char*, const char*>;
class PathsOfAProgramInParts : public ::testing::TestWithParam<Loaded> {};

TEST_P(PathsOfAProgramInParts, areWholeAndNamed) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS + std::string("/") + GetParam().first,
                                {"env", GetParam().second});
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto visits = visitsByNames(algebra::readCubex(archive / "analysis.cubex"), "user");
    EXPECT_THAT(visits, Contains(Pair("main/empty", 20000)));
}

INSTANTIATE_TEST_SUITE_P(Ways, PathsOfAProgramInParts,
                         ::testing::Values(Loaded{"regions_apart", "HOLOS="},
                                           Loaded{"regions_apart", "HOLOS_FILE_TABLE=1"},
                                           Loaded{"regions_apart_fixed", "HOLOS="}),
                         [](const auto& way) {
                             return std::string(way.param.first) +
                                    (way.param.second == std::string("HOLOS=") ? "" : "_byTable");
                         });

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedCallPaths, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
