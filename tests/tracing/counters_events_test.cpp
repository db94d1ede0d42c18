// SPDX-License-Identifier: BSD-3-Clause
// Values of counters in traces of programs that say nothing of themselves: `programs/faults.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

/// The number behind the last blank.
std::uint64_t valueOf(const std::string& event) {
    return std::stoull(event.substr(event.rfind(' ') + 1));
}

TEST(RecordedCounters, programWithoutRegions_readAtBeginAndEnd) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/faults", {}, {"--counters", "ru_minflt"}));
    ASSERT_EQ(events.size(), 1);
    const auto& ofProgram = events.begin()->second;
    ASSERT_EQ(ofProgram.size(), 2);
    for (const auto& event : ofProgram) EXPECT_THAT(event, ::testing::StartsWith("METRIC ru_minflt "));
    EXPECT_GE(valueOf(ofProgram.back()) - valueOf(ofProgram.front()), 1000);
}

TEST(RecordedCounters, threads_readBeforeTheirEnd) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/threads", {}, {"--counters", "ru_minflt"}));
    ASSERT_EQ(events.size(), 3);
    for (const auto& [location, ofLocation] : events) {
        const auto last = ofLocation.end() - (location == events.begin()->first ? 1 : 2);
        EXPECT_THAT(*last, ::testing::StartsWith("METRIC ru_minflt "));
    }
}

/// The samples at the program's start and end are there however short it is.
TEST(RecordedCounters, ofProcess_sampledIntoALocationOfTheirOwn) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/faults", {},
                                {"--counters", "proc_rss,ru_minflt", "--counters-async", "10s"});
    const auto events = recordedEvents(archive);
    ASSERT_EQ(events.size(), 2);
    EXPECT_EQ(with(events.begin()->second, {"METRIC ru_minflt "}).size(), 2);
    const auto& samples = events.rbegin()->second;
    ASSERT_GE(samples.size(), 1);
    EXPECT_EQ(with(samples, {"METRIC proc_rss "}).size(), samples.size());
    EXPECT_GE(valueOf(samples.back()), 4'000'000);  // bytes

    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto shown =
        runCommand({HOLOS_PROGRAM, "show", archive / "analysis.cubex", "--metric", "proc_rss"});
    EXPECT_THAT(shown.output,
                ::testing::ContainsRegex(std::to_string(valueOf(samples.back())) + " .*Samples"));
    const auto imbalance = runCommand(
        {HOLOS_PROGRAM, "export", archive / "analysis.cubex", "--metric", "critical_path_imbalance"});
    EXPECT_EQ(std::count(imbalance.output.begin(), imbalance.output.end(), '\n'), 1)
        << "one thread is never out of balance with samples: " << imbalance.output;
}

/// What the recorder reads counts, too: no two readings are the same. In a very short run there may be one
/// only.
TEST(RecordedCounters, whatAProcessReads_belongsToItsCallPaths) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/faults", {},
                                {"--counters", "proc_read", "--counters-async", "10s"});
    const auto readings = with(recordedEvents(archive).rbegin()->second, {"METRIC proc_read "});
    ASSERT_FALSE(readings.empty());
    const auto growth = static_cast<double>(valueOf(readings.back()) - valueOf(readings.front()));
    EXPECT_EQ(growth > 0, readings.size() > 1);

    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    EXPECT_NEAR(total(experiment, "proc_read"), growth, 1e-9 * growth);
    EXPECT_NEAR(severityOfRegion(experiment, "proc_read", "faults", algebra::LocationId(0)), growth,
                1e-9 * growth);
    EXPECT_THAT(experiment.metrics[*experiment.findMetric("proc_read")].description,
                ::testing::HasSubstr("an attributed estimate"));
}

/// Processor time of a program that only enters and leaves regions: most of it is spent on reading it.
double processorTime(const std::filesystem::path& folder, std::vector<std::string> options) {
    std::filesystem::create_directory(folder);
    options = options + std::vector<std::string>{"--counters", "task-clock"};
    const auto archive = record(folder, HOLOS_PROGRAMS "/regions", {}, options);
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    return total(algebra::readCubex(archive / "analysis.cubex"), "task_clock");
}

TEST(RecordedCounters, compensated_doNotContainTheirReading) {
    const auto available = runCommand({HOLOS_PROGRAM, "counters", "list", "--available"}).output;
    if (available.find("+ task-clock ") == std::string::npos)
        GTEST_SKIP() << "task-clock is not counted here";
    const TemporaryDirectory directory;
    const double plain = processorTime(directory.path() / "plain", {});
    const double compensated = processorTime(directory.path() / "compensated", {"--compensate"});
    EXPECT_GT(compensated, 0.0);
    EXPECT_LT(compensated, 0.8 * plain);
}

/// A processor that counts two events at a time, whatever this machine has.
const std::vector<std::string> kTwoRegisters{"env", "LD_PRELOAD=" HOLOS_PROGRAMS "/libtwo_registers.so"};
constexpr const char* kThreeEvents = "cycles,instructions,cache-misses";

TEST(RecordedCounters, moreEventsThanRegisters_refusedWithWhatCanBeDone) {
    const TemporaryDirectory directory;
    const auto run = directory.path() / "run";
    const std::vector<std::string> command{HOLOS_PROGRAM, "record", "-o", run, "--counters", kThreeEvents};
    const std::vector<std::string> program{"--", HOLOS_PROGRAMS "/faults"};
    const auto result = runCommand(kTwoRegisters + command + program);
    EXPECT_EQ(result.exitCode, 1);
    for (const char* part : {"too few counter registers", "cycles, instructions, cache-misses",
                             "holos spec plan", "holos campaign", "--multiplex"})
        EXPECT_THAT(result.output, ::testing::HasSubstr(part));
    EXPECT_FALSE(std::filesystem::exists(run)) << "nothing was started";
}

/// Each is counted half of the time: its 100 a reading are 200.
TEST(RecordedCounters, moreEventsThanRegistersInTurns_estimatesWithTheirShare) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/faults", kTwoRegisters,
                                {"--counters", kThreeEvents, "--multiplex"});
    const auto events = recordedEvents(archive).begin()->second;
    EXPECT_EQ(valueOf(events.back()) % 200, 0);
    EXPECT_GE(valueOf(events.back()), 400) << "start and end";
    EXPECT_THAT(runCommand({"otf2-print", "-G", archive / "traces.otf2"}).output,
                ::testing::ContainsRegex(
                    "METRIC_MEMBER .*cycles.*an estimate.*Counted 50 % of the time; its sum is known "
                    "within 0 %"));
    std::ifstream file(archive / "measurement.json");
    const auto shares = nlohmann::json::parse(file).at("activeShares");
    for (const char* event : {"cycles", "instructions", "cache-misses"}) {
        EXPECT_EQ(shares.at(event).at("mean"), 0.5) << shares;
        EXPECT_EQ(shares.at(event).at("least"), 0.5);
        EXPECT_EQ(shares.at(event).at("error"), 0.0) << "it always counts as fast";
    }
}

/// The register of `readable_register.c` shows 10 more at each reading, and stood for 1000 at its start.
TEST(RecordedCounters, eventThatUserSpaceCanRead_hasTheValuesOfItsRegister) {
#ifndef __x86_64__
    GTEST_SKIP() << "the made-up processor is one of x86-64";
#endif
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/faults",
               {"env", "LD_PRELOAD=" HOLOS_PROGRAMS "/libreadable_register.so"}, {"--counters", "cycles"});
    const auto events = recordedEvents(archive).begin()->second;
    EXPECT_EQ(valueOf(events.front()) % 10, 0);
    EXPECT_GE(valueOf(events.back()), valueOf(events.front()) + 10);
    std::ifstream file(archive / "measurement.json");
    const auto shares = nlohmann::json::parse(file).at("readInUserSpace");
    EXPECT_EQ(shares.at("cycles").at("least"), 1.0);
    EXPECT_EQ(shares.at("cycles").at("mean"), 1.0);
}

TEST(RecordedCounters, asManyEventsAsRegisters_countedAllTheTime) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/faults", kTwoRegisters,
                                {"--counters", "cycles,instructions"});
    const auto events = recordedEvents(archive).begin()->second;
    EXPECT_EQ(valueOf(events.back()) % 100, 0);
    std::ifstream file(archive / "measurement.json");
    EXPECT_FALSE(nlohmann::json::parse(file).contains("activeShares"));
}

TEST(RecordedCounters, intervalWithoutAnythingToSample_isWrongUsage) {
    const auto result = runCommand(
        {HOLOS_PROGRAM, "record", "--counters", "ru_minflt", "--counters-async", "1s", "--", "true"});
    EXPECT_EQ(result.exitCode, 2) << result.output;
}

TEST(RecordedCounters, intervalWithoutUnit_isWrongUsage) {
    for (const char* option : {"--counters-async", "--clock-offsets-every", "--write-back", "--first"})
        for (const char* time : {"10", "abc", "10d", "ms", ""}) {
            const auto result = runCommand({HOLOS_PROGRAM, "record", option, time, "--", "true"});
            EXPECT_EQ(result.exitCode, 2) << result.output;
            EXPECT_THAT(result.output,
                        ::testing::HasSubstr(std::string(option) +
                                             ": expected a time with its unit (us, ms, s, min or h)"));
        }
}

TEST(RecordedCounters, turnsWithoutCounters_isWrongUsage) {
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--multiplex", "--", "true"});
    EXPECT_EQ(result.exitCode, 2) << result.output;
    EXPECT_THAT(result.output, ::testing::HasSubstr("--counters"));
}

TEST(RecordedCounters, intervalTooShort_messageSaysWhatIsPossible) {
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--counters-async", "0.1us", "--", "true"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.output, ::testing::HasSubstr("a time has to be from 1us to 24h"));
}

}  // namespace
}  // namespace holos::testing
