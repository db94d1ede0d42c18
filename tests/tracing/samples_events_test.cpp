// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack of programs that say nothing of themselves: `programs/uneven.c`, `busy.py`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/python.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kUneven = HOLOS_PROGRAMS "/uneven";

/// Of all call paths of a function, with what it calls.
double inFunction(const algebra::Experiment& experiment, const std::string& metric,
                  const std::string& function) {
    const auto values =
        algebra::perCallPath(experiment, {*experiment.findMetric(metric)}, algebra::Extent::Inclusive);
    double sum = 0;
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == function) sum += values[path.index()];
    return sum;
}

algebra::Experiment analyzed(const std::filesystem::path& archive) {
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    return algebra::readCubex(archive / "analysis.cubex");
}

/// The parameter is the way to the files that are loaded: asked of the C library, or the recorder's table.
class SampledFunctions : public ::testing::TestWithParam<std::string> {};

TEST_P(SampledFunctions, withMoreWork_haveMoreOfTheSamples) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), kUneven, {"env", GetParam()}, {"--sample", "1ms"});
    EXPECT_GT(with(recordedEvents(archive).begin()->second, {"METRIC samples "}).size(), 0);
    const auto experiment = analyzed(archive);
    const double heavy = inFunction(experiment, "samples", "heavy");
    const double light = inFunction(experiment, "samples", "light");
    EXPECT_GT(light, 0);
    EXPECT_GT(heavy, light);
    EXPECT_GE(inFunction(experiment, "samples", "main"), heavy + light);
    EXPECT_GE(inFunction(experiment, "samples", "uneven"), inFunction(experiment, "samples", "main"));
    EXPECT_NEAR(inFunction(experiment, "sampled_time", "heavy"), 0.001 * heavy, 1e-9);
    // Nobody measured these functions: samples share out the program's time.
    EXPECT_GT(inFunction(experiment, "time", "heavy"), 0);
    EXPECT_GE(inFunction(experiment, "time", "uneven"), inFunction(experiment, "time", "main"));
    EXPECT_GE(inFunction(experiment, "visits", "heavy"), 1);

    std::ifstream file(archive / "measurement.json");
    EXPECT_EQ(nlohmann::json::parse(file)["callStackSamples"], "1000000ns");
}

INSTANTIATE_TEST_SUITE_P(Ways, SampledFunctions, ::testing::Values("HOLOS=", "HOLOS_FILE_TABLE=1"),
                         [](const auto& instance) {
                             return instance.param == "HOLOS=" ? "asTheCLibraryHas" : "byTable";
                         });

TEST(RecordedSamples, machineCodeOfAFunction_hasTheSamplesOfItsInstructionsAndLines) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), kUneven, {}, {"--sample", "1ms"});
    const auto experiment = analyzed(archive);
    const auto shown =
        runCommand({HOLOS_PROGRAM, "show", archive, "--instructions", "work", "--format", "json"});
    ASSERT_EQ(shown.exitCode, 0) << shown.output;
    const auto all = nlohmann::json::parse(shown.output);
    EXPECT_LE(all["samples"].get<double>(), total(experiment, "samples"));
    EXPECT_GE(all["samples"].get<double>(),
              0.9 * total(experiment, "samples"));  // not those of the kernel's code
#ifdef __x86_64__
    ASSERT_FALSE(all["functions"].empty());
    double samples = 0, ofSource = 0;
    bool returns = false;
    for (const auto& function : all["functions"])
        for (const auto& one : function["instructions"]) {
            const double here = one["samples"];
            samples += here;
            if (one["file"].get<std::string>().ends_with("uneven.c") && one["line"] > 0) ofSource += here;
            returns |= one["instruction"] == "ret";
        }
    EXPECT_TRUE(returns);
    EXPECT_GT(samples, 0);
    EXPECT_GE(samples, inFunction(experiment, "samples", "work"));
    EXPECT_LE(samples, all["samples"].get<double>());
    EXPECT_GT(ofSource, samples / 2);
    const auto text = runCommand({HOLOS_PROGRAM, "show", archive, "--instructions", "work"});
    EXPECT_THAT(text.output, HasSubstr("uneven.c:"));
    EXPECT_THAT(text.output, HasSubstr(" samples\n"));
#endif
    const auto other = runCommand({HOLOS_PROGRAM, "show", archive, "--instructions", "nothing_like_it"});
    EXPECT_EQ(other.exitCode, 2);
    EXPECT_THAT(other.output, HasSubstr("no sample is in a function \"nothing_like_it\""));
}

TEST(RecordedSamples, functionOfAProgramThatWasBuiltAnew_isNotListed) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), kUneven, {}, {"--sample", "1ms"});
    analyzed(archive);
    const auto file = archive / "traces" / "samples";
    auto text = nlohmann::json::parse(std::ifstream(file));
    for (auto& one : text["files"]) one["buildId"] = "0123";
    std::ofstream(file) << text;
    const auto shown = runCommand({HOLOS_PROGRAM, "show", archive, "--instructions", "work"});
    EXPECT_EQ(shown.exitCode, 1);
    EXPECT_THAT(shown.output, HasSubstr("another build than the one that was sampled"));
    std::ofstream(file) << "[]";
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "show", archive, "--instructions", "work"}).output,
                HasSubstr("is no list of sampled instructions"));
}

TEST(RecordedSamples, programWithAHandlerForTheSameSignal_givesTheSameOutput) {
    const TemporaryDirectory directory;
    const auto alone = runCommand({kUneven}).output;
    const auto recorded = runCommand(
        {HOLOS_PROGRAM, "record", "--sample", "1ms", "-o", directory.path() / "run", "--", kUneven});
    EXPECT_THAT(alone, HasSubstr(", 25 signals"));
    // a signal that comes while another one is pending is one with it, so their number may be smaller
    EXPECT_THAT(recorded.output, ::testing::StartsWith(alone.substr(0, alone.find(", 25 signals"))));
}

TEST(RecordedSamples, programThatDoesAsRuntimesOfLanguages_runsAsWithout) {
    const TemporaryDirectory directory;
    const std::string run = directory.path() / "run";
    const auto result =
        runCommand({HOLOS_PROGRAM, "record", "--sample", "1ms", "-o", run, "--", HOLOS_PROGRAMS "/runtime"});
    EXPECT_EQ(result.exitCode, 5);
    EXPECT_THAT(result.output, ::testing::StartsWith("2000 faults, 1 end of the stack, 2000 switches\n"));
    EXPECT_NO_THROW(recordedEvents(run));  // samples, if any came on the thread's own stack
}

TEST(RecordedSamples, sampledFunctions_standWhereThoseOfAnInstrumentedRunDo) {
    const TemporaryDirectory one, other;
    const auto sampled = analyzed(record(one.path(), kUneven, {}, {"--sample", "1ms"}));
    const auto exact = analyzed(record(other.path(), HOLOS_PROGRAMS "/uneven_functions"));
    for (const char* path : {"main/heavy/work", "main/light/work"})
        for (const algebra::Experiment* experiment : {&sampled, &exact}) {
            const auto found = callPathEnding(*experiment, path);
            ASSERT_TRUE(found) << path;
            const auto time =
                algebra::perLocation(*experiment, {*experiment->findMetric("comp")}, {{*found}});
            EXPECT_GT(time[0], 0) << path;
        }
    EXPECT_NEAR(inFunction(sampled, "time", "uneven"), total(sampled, "time"), 1e-9);
}

/// From Linux 5.9 on, the kernel of these processors looks at timers of processor time when it returns to the
/// program.
bool handlesTimersOutsideOfCalls() {
#ifndef __x86_64__
    return false;
#endif
    utsname system{};
    ::uname(&system);
    int major = 0, minor = 0;
    return std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
           std::pair(major, minor) >= std::pair(5, 9);
}

TEST(RecordedSamples, shortWaits_areNotInterrupted) {
    if (!handlesTimersOutsideOfCalls()) GTEST_SKIP() << "this kernel interrupts system calls";
    const TemporaryDirectory directory;
    const std::string run = directory.path() / "run", program = HOLOS_PROGRAMS "/short_waits";
    const auto alone = runCommand({program}).output;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--sample", "1ms", "-o", run, "--", program});
    EXPECT_THAT(alone, HasSubstr("nanosleep: 0 of 300 interrupted"));
    EXPECT_THAT(result.output, ::testing::StartsWith(alone));
}

/// Page faults are counted everywhere; the program touches 1,000 new pages.
TEST(RecordedSamples, eventOfTheKernel_countsItsPeriod) {
    const auto available = runCommand({HOLOS_PROGRAM, "counters", "list", "--available"}).output;
    if (available.find("+ page-faults ") == std::string::npos)
        GTEST_SKIP() << "page-faults are not counted here";
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/faults", {}, {"--sample", "page-faults:10"});
    const auto experiment = analyzed(archive);
    const double samples = total(experiment, "samples");
    EXPECT_GE(samples, 90);
    EXPECT_EQ(total(experiment, "sampled_page_faults"), 10 * samples);
}

TEST(RecordedSamples, threads_haveTheirOwn) {
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/spinning_threads", {}, {"--sample", "1ms"});
    const auto events = recordedEvents(archive);
    ASSERT_EQ(events.size(), 3);
    const auto experiment = analyzed(archive);
    EXPECT_GT(inFunction(experiment, "samples", "spin"), 0);
    for (auto location = std::next(events.begin()); location != events.end(); ++location)
        EXPECT_GT(with(location->second, {"METRIC samples "}).size(), 0);
}

TEST(RecordedSamples, ofAPythonScript_areInItsFunctionsAndLines) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "no Python from 3.11 on here";
    const TemporaryDirectory directory;
    const auto archive = directory.path() / "run";
    const auto recorded = runCommand(
        {HOLOS_PROGRAM, "record", "-o", archive, "--sample", "1ms", "--", kPython, HOLOS_SOURCES "/busy.py"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    const auto experiment = analyzed(archive);
    const auto samplesIn = [&](const std::string& name) { return inFunction(experiment, "samples", name); };
    EXPECT_GT(samplesIn("busy.py:heavy"), samplesIn("busy.py:light"));
    EXPECT_GE(samplesIn("busy.py:main"), samplesIn("busy.py:heavy") + samplesIn("busy.py:light"));
    EXPECT_GE(samplesIn("busy.py:<module>"), samplesIn("busy.py:main"));
    EXPECT_EQ(
        samplesIn("busy.py:4") + samplesIn("busy.py:5") + samplesIn("busy.py:6") + samplesIn("busy.py:7"),
        samplesIn("busy.py:heavy"))
        << "in its lines";
    EXPECT_EQ(samplesIn("_PyEval_EvalFrameDefault"), 0);
}

TEST(RecordedSamples, unknownEvent_isRefusedWithTheNearest) {
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--sample", "page-fault:10", "--", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("did you mean 'page-faults'?"));
}

TEST(RecordedSamples, timeWithoutUnit_isWrongUsage) {
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--sample", "10", "--", "true"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.output, HasSubstr("such as 10ms"));
}

}  // namespace
}  // namespace holos::testing
