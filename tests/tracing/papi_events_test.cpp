// SPDX-License-Identifier: BSD-3-Clause
// Counters of PAPI in recordings, with the library that `programs/made_up_papi.cpp` makes up.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kMadeUpPapi{"env", "LD_LIBRARY_PATH=" HOLOS_PROGRAMS};

std::string lastWord(const std::string& event) {
    return event.substr(event.rfind(' ') + 1);
}

TEST(RecordedPapi, eventOfThreads_readAtBeginAndEnd) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(
        record(directory.path(), HOLOS_PROGRAMS "/faults", kMadeUpPapi, {"--counters", "PAPI_TOT_INS"}));
    ASSERT_EQ(events.size(), 1U);
    const auto& ofProgram = events.begin()->second;
    ASSERT_GE(ofProgram.size(), 2U);
    EXPECT_EQ(std::stoi(lastWord(ofProgram.back())) - std::stoi(lastWord(ofProgram.front())), 200);
}

/// Read once for the node, by time: a value below zero, and a real one.
TEST(RecordedPapi, sensorsOfTheNode_haveALocationOfTheirOwn) {
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/threads", kMadeUpPapi,
               {"--counters", "room:::TEMPERATURE,room:::LOAD,room:::ENERGY", "--counters-async", "10s"});
    const auto print = runCommand({"otf2-print", archive / "traces.otf2"}).output;
    EXPECT_THAT(print, HasSubstr("\"room:::TEMPERATURE\" <"));
    EXPECT_THAT(print, HasSubstr("INT64; -5)"));
    EXPECT_THAT(print, HasSubstr("DOUBLE; 0.25"));
    const auto events = recordedEvents(archive);
    EXPECT_EQ(std::count_if(events.begin(), events.end(),
                            [](const auto& one) { return !with(one.second, {"METRIC room"}).empty(); }),
              1);

    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto load =
        runCommand({HOLOS_PROGRAM, "export", archive / "analysis.cubex", "--metric", "room:::LOAD"});
    EXPECT_THAT(load.output, HasSubstr("0.25"));
    const auto temperature =
        runCommand({HOLOS_PROGRAM, "export", archive / "analysis.cubex", "--metric", "room:::TEMPERATURE"});
    EXPECT_THAT(temperature.output, HasSubstr("-5"));
}

/// Half a joule for each reading: at the beginning and at the end of the program.
TEST(RecordedPapi, realValuesOfThreads_areAddedUp) {
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), HOLOS_PROGRAMS "/faults", kMadeUpPapi, {"--counters", "made::WORK"});
    const auto print = runCommand({"otf2-print", archive / "traces.otf2"}).output;
    EXPECT_THAT(print, HasSubstr("\"made::WORK\" <"));
    EXPECT_THAT(print, HasSubstr("DOUBLE; 1"));
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto work =
        runCommand({HOLOS_PROGRAM, "show", archive / "analysis.cubex", "--metric", "made::WORK"});
    EXPECT_THAT(work.output, HasSubstr("0.5 J"));
}

TEST(RecordedPapi, realValuesWhereWholeNumbersAreNeeded_areRefused) {
    for (const char* option : {"--profile", "--compensate"}) {
        const auto result =
            runCommand(kMadeUpPapi + std::vector<std::string>{HOLOS_PROGRAM, "record", option, "--counters",
                                                              "made::WORK", "--", "true"});
        EXPECT_EQ(result.exitCode, 2) << option;
        EXPECT_THAT(result.output, HasSubstr(std::string(option) + ": takes whole numbers only"));
    }
}

const std::string kCountsByPapi = HOLOS_PROGRAMS "/counts_by_papi";

std::string notesOf(const std::filesystem::path& archive) {
    return runCommand({HOLOS_PROGRAM, "info", archive}).output;
}

TEST(RecordedPapi, programThatCountsItself_goesOnAndIsToldOf) {
    ASSERT_EQ(runCommand({kCountsByPapi}).exitCode, 0);
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), kCountsByPapi, kMadeUpPapi, {"--counters", "PAPI_TOT_INS"});
    EXPECT_THAT(notesOf(archive), HasSubstr("the program uses PAPI itself"));
}

TEST(RecordedPapi, programThatCountsItself_sharesOtherCountersAndComponents) {
    const TemporaryDirectory directory;
    const auto archive =
        record(directory.path(), kCountsByPapi, kMadeUpPapi, {"--counters", "ru_minflt,room:::ENERGY"});
    EXPECT_THAT(notesOf(archive), ::testing::Not(HasSubstr("by PAPI itself")));
    const auto events = recordedEvents(archive);
    EXPECT_GE(with(events.begin()->second, {"METRIC ru_minflt"}).size(), 2U);
}

TEST(ListedPapi, components_haveTheirReasonsAndEvents) {
    const auto text =
        runCommand(kMadeUpPapi + std::vector<std::string>{HOLOS_PROGRAM, "counters", "list"}).output;
    for (const char* part :
         {"PAPI, per thread\n", "+ component perf_event", "PAPI's components of the node, per node\n",
          "- component absent", "not here: The driver 'absent' is not loaded.",
          "+ room:::TEMPERATURE         degrees C Of the room", "not here: PAPI: Event does not exist",
          "+ made::LOADS:HIT"})
        EXPECT_THAT(text, HasSubstr(part));
    const auto json =
        nlohmann::json::parse(runCommand(kMadeUpPapi + std::vector<std::string>{HOLOS_PROGRAM, "counters",
                                                                                "list", "--format", "json"})
                                  .output);
    const auto ofNode = std::find_if(json.begin(), json.end(), [](const auto& source) {
        return source.at("source") == "PAPI's components of the node";
    });
    ASSERT_NE(ofNode, json.end());
    EXPECT_EQ(ofNode->at("components")[1].at("reason"), "The driver 'absent' is not loaded.");
}

}  // namespace
}  // namespace holos::testing
