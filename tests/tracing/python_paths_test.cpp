// SPDX-License-Identifier: BSD-3-Clause
// Python's functions in call paths: as Python itself sees its calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "algebra/files/cubex.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/python.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::Key;

bool isOfPython(const std::string& region) {
    return region.find(".py:") != std::string::npos || region.find("<string>:") != std::string::npos;
}

/// `solver.py:<module> 12/solver.py:step 8/MPI_Barrier`: Python's functions, each with the line of the call
/// to the next, and `UNKNOWN CALLERS`.
std::string pathOf(const algebra::Experiment& experiment, algebra::CallPathId path) {
    std::string text = experiment.regionOf(path).name;
    std::int64_t line = experiment.callTree[path].line;
    for (auto at = experiment.callTree.parent(path); at; at = experiment.callTree.parent(*at)) {
        const auto& name = experiment.regionOf(*at).name;
        if (name == "UNKNOWN CALLERS") text = name + '/' + text;
        if (isOfPython(name)) text = name + ' ' + std::to_string(line) + '/' + text;
        line = experiment.callTree[*at].line;
    }
    return text;
}

/// How often a function was called by each path.
std::map<std::string, double> callsOf(const algebra::Experiment& experiment, const std::string& function) {
    std::map<std::string, double> calls;
    const auto& visits = experiment.severities.table(*experiment.findMetric("visits"));
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == function)
            for (const double value : visits.row(path)) calls[pathOf(experiment, path)] += value;
    return calls;
}

using Words = std::vector<std::string>;
using Calls = std::map<std::string, double>;

/// What is recorded of a script, and what that says itself.
class RecordedPythonProgram {
  public:
    explicit RecordedPythonProgram(std::string script = "python_paths.py") : script_(std::move(script)) {}
    Calls recorded(const Words& launcher, const std::string& python, const std::string& function,
                   const Words& options = {}) {
        const std::string archive = directory_.path() / "run";
        Words command = launcher;
        command.insert(command.end(), {HOLOS_PROGRAM, "record", "-o", archive});
        command.insert(command.end(), options.begin(), options.end());
        command.insert(command.end(), {"--", python, HOLOS_SOURCES "/" + script_, toldFile(), function});
        const auto result = runCommand(command);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
        return callsOf(algebra::readCubex(archive + "/analysis.cubex"), function);
    }
    Calls told() const {
        Calls calls;
        std::ifstream file(toldFile());
        for (std::string line; std::getline(file, line);) calls[line] += 1;
        return calls;
    }

  private:
    std::string toldFile() const { return directory_.path() / "told"; }

    std::string script_;
    TemporaryDirectory directory_;
};

class RecordedPythonPaths : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string family = familyOfMpi4py();
        if (family.empty() || launcher(1, family).empty())
            GTEST_SKIP() << "no mpi4py with its MPI's mpirun here";
        if (!isPythonKnown(kPython)) GTEST_SKIP() << "this Python is older than 3.11";
        launcher_ = launcher(1, family);
    }
    Words launcher_;
    RecordedPythonProgram program_;
};

TEST_F(RecordedPythonPaths, ofAllKindsOfFunctions_areAsPythonSeesThem) {
    const auto recorded = program_.recorded(launcher_, kPython, "MPI_Barrier");
    const auto expected = program_.told();
    ASSERT_GT(expected.size(), 20);
    EXPECT_EQ(recorded, expected);
}

TEST_F(RecordedPythonPaths, sitesAlone_areTheInnermostFunctions) {
    const auto recorded = program_.recorded(launcher_, kPython, "MPI_Barrier", {"--call-paths", "sites"});
    Calls expected;
    for (const auto& [path, calls] : program_.told()) {
        const auto before = path.rfind('/', path.rfind('/') - 1);
        expected[before == std::string::npos ? path : path.substr(before + 1)] += calls;
    }
    EXPECT_EQ(recorded, expected);
}

/// The parameter is a version, of which an interpreter may be in PATH.
class RecordedPythonVersions : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedPythonVersions, pathsOfAllKindsOfFunctions_areAsPythonSeesThem) {
    const std::string python = "python" + std::string(GetParam());
    if (!isPythonKnown(python)) GTEST_SKIP() << "no " << python << " in PATH";
    RecordedPythonProgram program;
    const auto recorded = program.recorded({}, python, "usleep");
    const auto expected = program.told();
    ASSERT_GT(expected.size(), 20);
    EXPECT_EQ(recorded, expected);
}

INSTANTIATE_TEST_SUITE_P(Interpreters, RecordedPythonVersions,
                         ::testing::Values("3", "3.11", "3.12", "3.13", "3.14"), [](const auto& version) {
                             std::string name = version.param;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return "v" + name;
                         });

TEST(RecordedGreenlets, functionsOfEach_areAsPythonSeesThem) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "no Python from 3.11 on here";
    if (runCommand({kPython, "-c", "import greenlet, gevent"}).exitCode != 0)
        GTEST_SKIP() << "no greenlet and gevent for Python here";
    RecordedPythonProgram program("greenlets.py");
    const auto recorded = program.recorded({}, kPython, "usleep");
    const auto expected = program.told();
    ASSERT_GT(expected.size(), 20);
    EXPECT_EQ(recorded, expected);
}

TEST(RecordedSubinterpreters, functionsOfEach_areAsPythonSeesThem) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "no Python from 3.11 on here";
    if (runCommand({kPython, "-c", "import _xxsubinterpreters"}).exitCode != 0)
        GTEST_SKIP() << "this Python has subinterpreters under another name";
    RecordedPythonProgram program("subinterpreters.py");
    const auto recorded = program.recorded({}, kPython, "usleep");
    const auto expected = program.told();
    ASSERT_EQ(expected.size(), 8);
    EXPECT_EQ(recorded, expected);
}

TEST(RecordedPythonThreads, thatOutliveTheInterpreter_haveTheirFunctions) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "no Python from 3.11 on here";
    const TemporaryDirectory directory;
    const std::string archive = directory.path() / "run";
    const auto recorded = runCommand({HOLOS_PROGRAM, "record", "-o", archive, "--sample", "1ms", "--",
                                      kPython, HOLOS_SOURCES "/daemons.py"});
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    EXPECT_NE(recorded.output.find("main ends\n"), std::string::npos);
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive + "/analysis.cubex");
    std::map<std::string, int> sleeps;
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == "usleep") ++sleeps[pathOf(experiment, path)];
    EXPECT_THAT(sleeps, Contains(Key(::testing::HasSubstr("daemons.py:work 12/daemons.py:work 14/usleep"))));
    const auto regions = visitsByNames(experiment, "pthread");
    EXPECT_THAT(regions, Contains(Key("THREADS/Python thread")));
}

TEST(RecordedUnknownPython, ofOtherVersions_nativeFunctionsAndOneMessage) {
    const TemporaryDirectory directory;
    const std::string archive = directory.path() / "run";
    const auto recorded =
        runCommand({HOLOS_PROGRAM, "record", "-o", archive, "--", HOLOS_PROGRAMS "/unknown_python_user"});
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    const std::string message = "Python 3.9 is not known";
    const auto at = recorded.output.find(message);
    ASSERT_NE(at, std::string::npos) << recorded.output;
    EXPECT_EQ(recorded.output.find(message, at + 1), std::string::npos) << recorded.output;
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive + "/analysis.cubex");
    std::map<std::string, int> names;
    for (const auto path : experiment.callTree.ids()) ++names[experiment.regionOf(path).name];
    EXPECT_THAT(names, Contains(Key("_PyEval_EvalFrameDefault")));
}

}  // namespace
}  // namespace holos::testing
