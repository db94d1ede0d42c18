// SPDX-License-Identifier: BSD-3-Clause
// Programs that run already, seen from outside: `programs/attached.c`.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Starts the program, and a command that is given its number as `$program`; what both say.
CommandResult withProgram(const std::filesystem::path& folder, const std::string& command) {
    const std::string go = folder / "go", done = folder / "done";
    ::mkfifo(go.c_str(), 0600);
    ::mkfifo(done.c_str(), 0600);
    const std::string script = "cd '" + folder.string() +
                               "'; " HOLOS_PROGRAMS "/attached go done & program=$!; " + command +
                               "; result=$?; kill $program 2>/dev/null; wait; exit $result";
    return runCommand({"sh", "-c", script});
}

/// While the recording goes on: lets the program work, and waits until it has.
constexpr const char* kWork = "sh -c 'echo x > go; cat done >/dev/null'";

bool mayAttach() {
    return withProgram(TemporaryDirectory().path(), HOLOS_PROGRAM " record --attach $program -o try -- true")
               .exitCode == 0;
}

/// Of all call paths of a function, with what it calls.
double of(const algebra::Experiment& experiment, const std::string& metric, const std::string& function) {
    const auto values =
        algebra::perCallPath(experiment, {*experiment.findMetric(metric)}, algebra::Extent::Inclusive);
    double sum = 0;
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == function) sum += values[path.index()];
    return sum;
}

algebra::Experiment attached(const std::filesystem::path& folder, const std::string& options) {
    const auto result =
        withProgram(folder, HOLOS_PROGRAM " record --attach $program -o run " + options + " -- " + kWork);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("4002 pages, child 0"));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", folder / "run"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    return algebra::readCubex(folder / "run" / "analysis.cubex");
}

/// The stack may grow in between, and the C library may load something.
constexpr double kOthers = 300;

TEST(Attached, counters_areThoseOfAllThreadsAndChildren) {
    if (!mayAttach()) GTEST_SKIP() << "perf events are not allowed here";
    const TemporaryDirectory directory;
    const auto experiment = attached(directory.path(), "--counters page-faults:u,proc_rss,mem_free");
    EXPECT_GE(of(experiment, "page_faults:u", "attached"), 6500);
    EXPECT_LE(of(experiment, "page_faults:u", "attached"), 6500 + kOthers);
    EXPECT_GT(of(experiment, "proc_rss", "attached"), 0);
    EXPECT_GT(of(experiment, "mem_free", "attached"), 0);
    EXPECT_EQ(experiment.system.processes.size(), 2U) << "the program and its child";
}

/// As `mpirun` starts it.
TEST(Attached, rankOfALauncher_isSaid) {
    if (!mayAttach()) GTEST_SKIP() << "perf events are not allowed here";
    const TemporaryDirectory directory;
    ::setenv("PMI_RANK", "7", 1);
    const auto experiment = attached(directory.path(), "--counters page-faults:u");
    ::unsetenv("PMI_RANK");
    ASSERT_EQ(experiment.system.processes.size(), 2U);
    EXPECT_EQ(experiment.system.processes[0].name, "Process 0 (rank 7)");
    EXPECT_EQ(experiment.system.processes[1].name, "Process 1 (rank 7)") << "its child";
}

TEST(Attached, samples_knowTheCallsToThem) {
    if (!mayAttach()) GTEST_SKIP() << "perf events are not allowed here";
    const TemporaryDirectory directory;
    const auto experiment = attached(directory.path(), "--sample page-faults:u:200");
    // A thread that is moved leaves a part of a period behind on each processor.
    EXPECT_NEAR(of(experiment, "samples", "many"), 15, 2);
    EXPECT_NEAR(of(experiment, "samples", "few"), 5, 2);
    EXPECT_NEAR(of(experiment, "samples", "in_thread"), 10, 2);
    EXPECT_TRUE(callPathEnding(experiment, "main/many/touch"));
}

TEST(Attached, recorderThatIsKilled_leavesWhatThereWas) {
    if (!mayAttach()) GTEST_SKIP() << "perf events are not allowed here";
    const TemporaryDirectory directory;
    // The clock is known after a round, and the pages after the round that follows the work: a snapshot says
    // when.
    const std::string killed =
        "sh -c 'echo x > go; cat done >/dev/null; for i in $(seq 600); do " HOLOS_PROGRAM
        " analyze --snapshot run -o now.cubex >said 2>&1; if ! grep -q \"clock tick\" said && " HOLOS_PROGRAM
        " show now.cubex --metric page_faults:u --format csv 2>/dev/null | grep -q \"^attached,,-1,[1-9]\"; "
        "then break; fi; sleep 0.1; done; kill -KILL $PPID'";
    withProgram(directory.path(),
                HOLOS_PROGRAM " record --attach $program -o run --counters page-faults:u -- " + killed);
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", directory.path() / "run"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output, Not(HasSubstr("clock tick")));
    const auto experiment = algebra::readCubex(directory.path() / "run" / "analysis.cubex");
    EXPECT_GT(of(experiment, "page_faults:u", "attached"), 0);
}

TEST(Attached, whatNeedsTheRecorderInside_isRefused) {
    const auto profile = runCommand({HOLOS_PROGRAM, "record", "--attach", "1", "--profile"});
    EXPECT_EQ(profile.exitCode, 2);
    EXPECT_THAT(profile.output, HasSubstr("--attach with --profile: needs the recorder in the program"));
    const auto counter =
        runCommand({HOLOS_PROGRAM, "record", "--attach", "1", "--counters", "ru_minflt", "-o", "x"});
    EXPECT_EQ(counter.exitCode, 1);
    EXPECT_THAT(counter.output, HasSubstr("ru_minflt: is read inside the program"));
}

TEST(Attached, processThatIsNotThere_leavesNoFolder) {
    const TemporaryDirectory directory;
    const std::string run = directory.path() / "run";
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--attach", "999999999", "-o", run});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("process 999999999: there is no such process"));
    EXPECT_FALSE(std::filesystem::exists(run));
}

/// The program and its libraries are in a file system that only the program sees, and that is gone when names
/// are looked up.
TEST(Attached, programInAContainer_hasTheNamesOfItsFunctions) {
    if (!mayAttach()) GTEST_SKIP() << "perf events are not allowed here";
    if (runCommand({"unshare", "-rm", "true"}).exitCode != 0) GTEST_SKIP() << "no mount namespaces here";
    const TemporaryDirectory directory;
    const std::string folder = directory.path().string();
    const std::string inside = "mount -t tmpfs none '" + folder +
                               "/inside' && cp " HOLOS_PROGRAMS "/attached '" + folder +
                               "/inside/contained' && exec '" + folder + "/inside/contained' go done";
    const auto result = runCommand(
        {"sh", "-c",
         "cd '" + folder + "' && mkdir inside && mkfifo go done && { unshare -rm sh -c \"" + inside +
             "\" & program=$!; until grep -q contained /proc/$program/maps; do sleep 0.02; "
             "done; " HOLOS_PROGRAM " record --attach $program -o run --sample page-faults:u:100 -- " +
             kWork + "; result=$?; kill $program 2>/dev/null; wait; exit $result; }"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "inside" / "contained"));
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", folder + "/run"}).exitCode, 0);
    const auto experiment = algebra::readCubex(directory.path() / "run" / "analysis.cubex");
    EXPECT_GE(of(experiment, "samples", "many"), 25);
    EXPECT_GE(of(experiment, "samples", "few"), 8);
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "run" / "recording"));
}

}  // namespace
}  // namespace holos::testing
