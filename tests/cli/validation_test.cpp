// SPDX-License-Identifier: BSD-3-Clause
// holos counters validate: microbenchmarks in fresh processes, and what is printed.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "metric-specs/machine_peaks.h"
#include "tests/support/command.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"
#include "validation/microbenchmark.h"
#include "validation/processors.h"

namespace holos::validation {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::operator+;
using Words = std::vector<std::string>;

testing::CommandResult validateCommand(const Words& words) {
    return testing::runCommand(Words{HOLOS_PROGRAM, "counters", "validate"} + words);
}

std::string contentsOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ValidateCommand, pageFaultsOfFreshProcesses_areThePagesTouched) {
    const testing::TemporaryDirectory directory;
    const std::string file = (directory.path() / "here.cubex").string();
    const auto result = validateCommand({"--events", "ru_minflt", "--microbenchmark", "page-writes", "--runs",
                                         "3", "--largest", "1000", "--format", "csv", "-o", file});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const algebra::Experiment experiment = algebra::readCubex(file);
    EXPECT_THAT(testing::valuesAt(experiment, "PREDICTED", "ru_minflt/page-writes/1000"), ElementsAre(1000));
    EXPECT_NEAR(testing::valuesAt(experiment, "REPORTED", "ru_minflt/page-writes/1000").front(), 1000, 10);
}

TEST(ValidateCommand, voluntarySwitches_areTheTimesTheThreadSlept) {
    const auto result = validateCommand(
        {"--events", "ru_nvcsw", "--microbenchmark", "hand-over", "--in-this-process", "100"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    // A busy machine takes a thread off its processor now and then, which then need not sleep.
    EXPECT_GT(std::stod(result.output), 10);
    EXPECT_LE(std::stod(result.output), 200);
}

TEST(ValidateCommand, oneCaseInThisProcess_answersProgramsInJson) {
    const Words one{"--microbenchmark", "page-writes", "--in-this-process", "100", "--format", "json"};
    const auto counted = validateCommand(one + Words{"--events", "ru_minflt"});
    ASSERT_EQ(counted.exitCode, 0) << counted.output;
    EXPECT_THAT(nlohmann::json::parse(counted.output).at("events").get<std::vector<double>>(),
                ElementsAre(DoubleNear(100, 10)));
    const auto refused = validateCommand(one + Words{"--events", "no-such"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(nlohmann::json::parse(refused.output).at("error").get<std::string>(),
                HasSubstr("no-such: no such counter"));
}

/// As figure 18 of the study: what else happens in the runs whose counts are explained.
TEST(ValidateCommand, eventsTogether_areCountedInTheSameRuns) {
    const Words events{"--events", "page-faults,ru_minflt,minor-faults", "--microbenchmark", "page-writes"};
    const auto one = validateCommand(events + Words{"--in-this-process", "100", "--format", "json"});
    ASSERT_EQ(one.exitCode, 0) << one.output;
    const auto counts = nlohmann::json::parse(one.output).at("events").get<std::vector<double>>();
    EXPECT_THAT(counts, ElementsAre(counts.at(0), DoubleNear(counts.at(0), 1), DoubleNear(counts.at(0), 1)));
    const auto table =
        validateCommand(events + Words{"--together", "--runs", "2", "--largest", "10", "--format", "csv"});
    ASSERT_EQ(table.exitCode, 0) << table.output;
    EXPECT_THAT(
        table.output,
        AllOf(HasSubstr("# Counted in the same runs: page-faults,ru_minflt,minor-faults"),
              HasSubstr("page-faults,page-writes,0,10,2,"), HasSubstr("ru_minflt,page-writes,0,10,2,")));
    EXPECT_EQ(validateCommand({"--together"}).exitCode, 2) << "which ones?";
}

TEST(ValidateCommand, everyMicrobenchmark_runsAndEnds) {
    for (const Microbenchmark& each : microbenchmarks()) {
        if (each.processors > processorCount()) continue;
        const std::string size = std::to_string(std::max<std::uint64_t>(each.smallest, 10));
        const auto result = validateCommand(
            {"--events", "ru_minflt", "--microbenchmark", each.name, "--in-this-process", size});
        EXPECT_EQ(result.exitCode, 0) << each.name << ": " << result.output;
    }
}

TEST(ValidateCommand, shippedTable_saysWhatTheStudyFound) {
    const std::string table = HOLOS_MACHINES_DIRECTORY "/origin-2000.csv";
    const auto text = validateCommand({"--table", table});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.output, AllOf(HasSubstr("MIPS R10000"), HasSubstr("multiplicative × 1.057"),
                                   HasSubstr("106.35           1.40      +6.35 %")));
    const auto json = nlohmann::json::parse(validateCommand({"--table", table, "--format", "json"}).output);
    EXPECT_EQ(json["suites"][1]["error"], "bias");
    EXPECT_EQ(json["suites"][1]["trusted_from"], 1000);
}

/// Plots of the study, as its figures 9 to 22 have them: one for each event, both processors in one.
TEST(ValidateCommand, plots_haveALineForEachProcessorAndTheError) {
    const testing::TemporaryDirectory directory;
    const auto folder = directory.path() / "new" / "pictures";
    const auto result = validateCommand(
        {"--table", HOLOS_MACHINES_DIRECTORY "/origin-2000.csv", "--plots", folder, "--format", "none"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const std::string misses = contentsOf(folder / "PAPI_L1_DCM-others-lines.svg");
    EXPECT_THAT(misses,
                AllOf(HasSubstr("<title>PAPI_L1_DCM, others-lines</title>"),
                      HasSubstr("predicted 100000, reported 100059.2, standard deviation 1.81, 100 runs"),
                      HasSubstr("processor 0: error bias"), HasSubstr("processor 1: error bias")));
    std::size_t pictures = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        pictures += file.path().extension() == ".svg";
    EXPECT_EQ(pictures, 7U) << "the study has seven events";
}

/// The curves of section 4.1 of the study: what tells the size of a page, by padding and by strides.
TEST(ValidateCommand, plotsOfThisMachine_haveTheCurvesOfItsConfiguration) {
    const testing::TemporaryDirectory directory;
    const auto folder = directory.path() / "pictures";
    const auto result =
        validateCommand({"--microbenchmark", "page-writes", "--events", "ru_minflt", "--largest", "10",
                         "--runs", "1", "--plots", folder, "--format", "json"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const auto configuration = nlohmann::json::parse(result.output).at("configuration");
    const auto& padding = configuration.at(0);
    ASSERT_EQ(padding.at("sweeps").size(), 8U) << "an offset each";
    EXPECT_EQ(padding.at("sweeps")[0].at("points").size(), 9U) << "from 1 to 256 KiB";
    EXPECT_THAT(contentsOf(folder / "page-padding.svg"),
                AllOf(HasSubstr("page, padding"), HasSubstr("page faults of its two ends"),
                      HasSubstr("begins with a page"), HasSubstr("50 % later")));
    EXPECT_THAT(contentsOf(folder / "page-strides.svg"),
                AllOf(HasSubstr("stride (KiB)"), HasSubstr("time of an access (ns)")));
    if (processorCount() > 1) {
        EXPECT_THAT(contentsOf(folder / "cache-line-false-sharing.svg"), HasSubstr("distance (bytes)"));
    }
}

TEST(ValidateCommand, wrongNames_areErrorsWithSuggestions) {
    const auto benchmark = validateCommand({"--microbenchmark", "page-write"});
    EXPECT_EQ(benchmark.exitCode, 2);
    EXPECT_THAT(benchmark.output, HasSubstr("did you mean 'page-writes'"));
    EXPECT_EQ(validateCommand({"--events", "no-such"}).exitCode, 1);
    EXPECT_EQ(validateCommand({"--runs", "0"}).exitCode, 2);
    EXPECT_EQ(validateCommand({"--table", "/no/such"}).exitCode, 1);
}

/// As `holos counters validate --peaks` stores them, which takes too long for a test.
TEST(StoredPeaks, ofTheMachine_areAttributesOfWhatIsRecordedOnIt) {
    const testing::TemporaryDirectory directory;
    specs::storePeaks(directory.path() / "holos" / "peaks", specs::machineKind(), {2.5e10, 7.5e9});
    const std::string run = directory.path() / "run";
    const auto recorded = testing::runCommand({"env", "XDG_CONFIG_HOME=" + directory.path().string(),
                                               HOLOS_PROGRAM, "record", "-o", run, "--", "true"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    ASSERT_EQ(testing::runCommand({HOLOS_PROGRAM, "analyze", run}).exitCode, 0);
    const auto info = testing::runCommand({HOLOS_PROGRAM, "info", run + "/analysis.cubex"}).output;
    EXPECT_THAT(info, HasSubstr("Peak operations [1/s]: 2.5e+10"));
    EXPECT_THAT(info, HasSubstr("Peak bandwidth [bytes/s]: 7.5e+09"));
}

TEST(StoredPeaks, damagedFile_isToldOnceAndTheRunRecorded) {
    const testing::TemporaryDirectory directory;
    std::filesystem::create_directory(directory.path() / "holos");
    std::ofstream(directory.path() / "holos" / "peaks") << "2.5e10 7.5e9 Some proc";
    const std::string run = directory.path() / "run";
    const auto recorded = testing::runCommand({"env", "XDG_CONFIG_HOME=" + directory.path().string(),
                                               HOLOS_PROGRAM, "record", "-o", run, "--", "true"});
    EXPECT_EQ(recorded.exitCode, 0);
    const std::string told = "peaks:1: is damaged";
    const std::size_t at = recorded.output.find(told);
    ASSERT_NE(at, std::string::npos) << recorded.output;
    EXPECT_EQ(recorded.output.find(told, at + 1), std::string::npos) << recorded.output;
    ASSERT_EQ(testing::runCommand({HOLOS_PROGRAM, "analyze", run}).exitCode, 0);
    const auto info = testing::runCommand({HOLOS_PROGRAM, "info", run + "/analysis.cubex"}).output;
    EXPECT_THAT(info, Not(HasSubstr("Peak operations")));
}

}  // namespace
}  // namespace holos::validation
