// SPDX-License-Identifier: BSD-3-Clause
// What Python programs say of themselves, and their functions as regions: `holos_regions`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/python.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPythonModules = HOLOS_SOURCE "/tracing/recorder/user/python";
constexpr const char* kMarkedProgram = HOLOS_SOURCE "/tests/tracing/programs/python_regions.py";

class RecordedPythonRegions : public ::testing::Test {
  protected:
    void SetUp() override {
        if (runCommand({kPython, "-c", ""}).exitCode != 0) GTEST_SKIP() << "no " << kPython;
    }
    /// `arguments`: of Python, in front of the program.
    void record(const std::vector<std::string>& options, std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.end(), {kMarkedProgram, kPythonModules});
        archive_ = testing::record(directory_.path(), kPython, {}, options, arguments);
        const auto all = recordedEvents(archive_);
        ASSERT_EQ(all.size(), 2u);
        main_ = all.begin()->second;
        thread_ = all.rbegin()->second;
    }

    TemporaryDirectory directory_;
    std::filesystem::path archive_;
    std::vector<std::string> main_, thread_;  ///< events
};

TEST_F(RecordedPythonRegions, regionsPhasesParametersMetricsAndPauses_exactSequence) {
    record({});
    EXPECT_THAT(with(main_, {"step", "number", "queue", "energy", "unseen", "failing", "MEASUREMENT"}),
                ElementsAre("ENTER steps", "ENTER step", "PARAMETER_INT64 number 0", "METRIC queue -3",
                            "METRIC energy 0", "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                            "LEAVE step", "ENTER step", "PARAMETER_INT64 number 1", "METRIC queue -2",
                            "METRIC energy 1.5", "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                            "LEAVE step", "LEAVE steps", "ENTER failing", "LEAVE failing"));
    EXPECT_THAT(with(thread_, {"in a thread"}), ElementsAre("ENTER in a thread", "LEAVE in a thread"));
}

TEST_F(RecordedPythonRegions, functionsOfTheModule_areNotInCallPaths) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "its functions are not known";
    record({});
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive_}).exitCode, 0);
    const auto shown =
        runCommand({HOLOS_PROGRAM, "show", archive_, "--tree", "calls", "--hide", "0", "--all"});
    EXPECT_THAT(shown.output, HasSubstr("python_regions.py:<module>"));
    EXPECT_THAT(shown.output, HasSubstr("steps"));
    EXPECT_THAT(shown.output, Not(HasSubstr("holos_regions.py")));
}

TEST_F(RecordedPythonRegions, functionsOfTheProgram_areRegionsThatNest) {
    record({"--call-paths", "none"}, {std::string(kPythonModules) + "/holos_regions.py"});
    EXPECT_THAT(with(main_, {"short", "some", "failing"}),
                ElementsAre("ENTER python_regions.py:some", "ENTER python_regions.py:short",
                            "LEAVE python_regions.py:short", "LEAVE python_regions.py:some",
                            "ENTER python_regions.py:some", "ENTER python_regions.py:short",
                            "LEAVE python_regions.py:short", "LEAVE python_regions.py:some",
                            "ENTER python_regions.py:some", "ENTER python_regions.py:short",
                            "LEAVE python_regions.py:short", "LEAVE python_regions.py:some",
                            "ENTER python_regions.py:some", "LEAVE python_regions.py:some",  // its end
                            "ENTER failing", "ENTER python_regions.py:failing",
                            "LEAVE python_regions.py:failing", "LEAVE failing"));
    EXPECT_THAT(with(thread_, {"short"}),
                ElementsAre("ENTER python_regions.py:short", "LEAVE python_regions.py:short"));
}

TEST_F(RecordedPythonRegions, shortFunctions_areLeftOutAfterSomeCalls_andItIsSaid) {
    constexpr const char* kAlways = "1e9";
    record({"--call-paths", "none"}, {std::string(kPythonModules) + "/holos_regions.py", "--throttle", "2",
                                      "--throttle-below", kAlways});
    EXPECT_EQ(with(main_, {"ENTER python_regions.py:short"}).size(), 2u);
    EXPECT_EQ(with(thread_, {"python_regions.py:short"}).size(), 0u);
    std::ifstream file(archive_ / "measurement.json");
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                HasSubstr("python_regions.py:short: 2 calls of process 0"));
}

TEST(PythonRegions, notRecorded_nothingHappens) {
    if (runCommand({kPython, "-c", ""}).exitCode != 0) GTEST_SKIP() << "no " << kPython;
    const auto plain = runCommand({kPython, kMarkedProgram, kPythonModules});
    EXPECT_EQ(plain.exitCode, 0) << plain.output;
    const auto run = runCommand(
        {kPython, std::string(kPythonModules) + "/holos_regions.py", kMarkedProgram, kPythonModules});
    EXPECT_EQ(run.exitCode, 0) << run.output;
}

}  // namespace
}  // namespace holos::testing
