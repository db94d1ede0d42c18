// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/measurement/measurement.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/temporary_directory.h"

namespace holos::measurement {
namespace {

/// With something in each member.
Measurement full() {
    Measurement all{.run = "1f", .holos = "1.0", .begin = "2026-01-02T03:04:05Z", .clock = "tsc"};
    all.libraries = {"3.0", "MPI"};
    all.compiler = {"gcc", "-O2"};
    all.processes = {{.pid = 3,
                      .host = "n1",
                      .program = "/bin/a",
                      .arguments = {"a", "b"},
                      .rank = 0,
                      .endedInOrder = true,
                      .end = {"signal", 3, 9, "SIGKILL", true, 0.5},
                      .lostEvents = 7,
                      .threads = {{.name = "main",
                                   .mayUse = "0-3",
                                   .mayUseAtEnd = "0",
                                   .processorsSeen = 2,
                                   .changesSeen = 5,
                                   .processor = 1,
                                   .migrations = -1,
                                   .nanosecondsOnProcessors = 8,
                                   .nanosecondsWaitingForProcessors = 9,
                                   .place = ThreadPlace{1, 2, 3, 4, 5, 6}}},
                      .otherThreads = {{"not seen", "pool", "libpool.so", 11}}}};
    all.activeShares["cycles"] = {0.25, 0.5, 0.125};
    all.readInUserSpace["cycles"] = {0.5, 1, std::nullopt};
    all.hardware["n1"] = {"CPU", 8, 1, 2, 4, 4, 2, {{"L3", 1 << 20, 1}}};
    all.moves = "2 threads moved";
    all.furtherJobs = 2;
    all.ends = "all exited";
    all.laws = {{"span", false, "3 outside"}};
    all.notChecked = "a snapshot";
    all.locations = 4;
    all.events = 5'000'000'000;
    all.lostEvents = 12;
    all.notes = {"one", "two"};
    return all;
}

Command command() {
    Command command{.settings = RecordSettings(), .arguments = {"./a", "1"}, .counters = {"cycles"}};
    command.workingDirectory = "/work";
    command.sampled = {"energy"};
    command.callStacks = "time:1000";
    command.openMpRuntime = "/lib/libomp.so";
    command.attached = {1, 2};
    command.host.name = "n1";
    command.host.processor = {"CPU", "GenuineIntel", 6, 143, 8, 2.5e9};
    command.host.logicalProcessors = 8;
    command.host.memoryBytes = std::int64_t{1} << 40;
    command.host.counterRegisters = 4;
    command.host.peaks = {1e12, 2e11};
    command.host.peaksMissing = "damaged";
    command.environment["OMP_NUM_THREADS"] = "4";
    return command;
}

class MeasurementFile : public ::testing::Test {
  protected:
    MeasurementFile() { std::ofstream(folder_.path() / kCommandFile) << commandText(command()); }

    testing::TemporaryDirectory folder_;
};

TEST_F(MeasurementFile, everyMember_isReadAsItWasWritten) {
    const std::string text = measurementText(full(), folder_.path());
    std::ofstream(folder_.path() / kMeasurementFile) << text;
    const auto read = readMeasurement(folder_.path());
    ASSERT_TRUE(read);
    EXPECT_EQ(measurementText(*read, folder_.path()), text);
    EXPECT_EQ(commandText(read->command), commandText(command()));
    EXPECT_EQ(recordedRun(folder_.path()), "1f");
    EXPECT_EQ(readSettings(folder_.path()), RecordSettings());
}

TEST_F(MeasurementFile, nothingKnown_hasNoMembersForIt) {
    const auto written = nlohmann::json::parse(measurementText(Measurement(), folder_.path() / "nowhere"));
    for (const char* name : {"run", "compiler", "activeShares", "hardware", "moves", "furtherJobs", "laws"})
        EXPECT_FALSE(written.contains(name)) << name;
    EXPECT_TRUE(written["lostEvents"].is_null());
    EXPECT_EQ(written["processes"], nlohmann::json::array());
}

/// One value of each kind of JSON, and numbers that no member has.
const std::vector<nlohmann::json>& valuesOfAllKinds() {
    static const std::vector<nlohmann::json> values{nlohmann::json(),
                                                    nlohmann::json(true),
                                                    nlohmann::json(-1),
                                                    nlohmann::json(1e308),
                                                    nlohmann::json("text"),
                                                    nlohmann::json::array({-1, 1.5, nullptr}),
                                                    nlohmann::json::object({{"member", "x"}})};
    return values;
}

/// Whether a member may have the value. Structures have no member that must be there; in maps all are alike.
bool canBe(const std::string& member, const nlohmann::json& usual, const nlohmann::json& value) {
    const bool isMapOfOthers =
        member == "hardware" || member == "activeShares" || member == "readInUserSpace";
    if (value.is_object()) return usual.is_object() && !isMapOfOthers;
    return (value.is_string() && usual.is_string()) || (value.is_null() && member == "lostEvents");
}

TEST_F(MeasurementFile, eachMember_ofAnotherKind_isNamedAndTheOthersAreRead) {
    const nlohmann::json whole = nlohmann::json::parse(measurementText(full(), folder_.path()));
    EXPECT_EQ(damageText(measurementIn(whole)), "");
    for (const char* member : {"command",
                               "counters",
                               "sampledCounters",
                               "callStackSamples",
                               "openmpRuntime",
                               "attached",
                               "settings",
                               "workingDirectory",
                               "host",
                               "environment",
                               "run",
                               "holos",
                               "begin",
                               "clock",
                               "libraries",
                               "compiler",
                               "processes",
                               "activeShares",
                               "readInUserSpace",
                               "hardware",
                               "moves",
                               "furtherJobs",
                               "ends",
                               "laws",
                               "notChecked",
                               "locations",
                               "events",
                               "lostEvents",
                               "notes"}) {
        ASSERT_TRUE(whole.contains(member)) << member;
        for (const nlohmann::json& value : valuesOfAllKinds()) {
            if (canBe(member, whole[member], value)) continue;
            nlohmann::json changed = whole;
            changed[member] = value;
            const Measurement read = measurementIn(changed);
            EXPECT_THAT(damageText(read),
                        ::testing::StartsWith(std::string("measurement.json is damaged or was "
                                                          "changed: ") +
                                              member))
                << value;
            EXPECT_TRUE(read.run == "1f" || std::string(member) == "run");
        }
    }
}

TEST_F(MeasurementFile, membersThatAreAlwaysWritten_areMissed) {
    const nlohmann::json whole = nlohmann::json::parse(measurementText(full(), folder_.path()));
    for (const char* member :
         {"command", "counters", "host", "environment", "holos", "begin", "clock", "libraries", "processes",
          "ends", "locations", "events", "lostEvents", "notes"}) {
        nlohmann::json changed = whole;
        changed.erase(member);
        EXPECT_EQ(measurementIn(changed).damaged, std::vector<std::string>{member});
    }
    for (const char* member : {"compiler", "moves", "laws", "hardware", "notChecked", "furtherJobs"}) {
        nlohmann::json changed = whole;
        changed.erase(member);
        EXPECT_EQ(damageText(measurementIn(changed)), "") << member;
    }
}

TEST_F(MeasurementFile, damageWithin_isNamedByItsWay) {
    nlohmann::json changed = nlohmann::json::parse(measurementText(full(), folder_.path()));
    changed["processes"][0]["end"]["exitCode"] = "three";
    changed["processes"][0]["threads"].push_back(-1);
    changed["processes"].push_back(-4);
    changed["hardware"]["n1"]["caches"][0]["bytes"] = -1;
    changed["host"]["memoryBytes"] = 1e30;
    const Measurement read = measurementIn(changed);
    EXPECT_THAT(read.damaged,
                ::testing::UnorderedElementsAre("processes.end.exitCode", "processes.threads", "processes",
                                                "hardware.n1.caches.bytes", "host.memoryBytes"));
    EXPECT_THAT(damageText(read), ::testing::HasSubstr(" and 2 more members are missing or not of the form"));
    ASSERT_EQ(read.processes.size(), 1U);
    EXPECT_EQ(read.processes[0].end.signal, 9);
}

TEST_F(MeasurementFile, otherFiles_areNoDescriptionOfARun) {
    const auto damageOf = [&](const std::string& text) {
        std::ofstream(folder_.path() / kMeasurementFile) << text;
        return damageIn(folder_.path(), readMeasurement(folder_.path()));
    };
    EXPECT_EQ(damageIn(folder_.path(), std::nullopt), "") << "there is no file";
    for (const char* text : {"", "{", "[1]", "3", "null", "{}", R"({"a": 1}{"a": 1})"})
        EXPECT_THAT(damageOf(text), ::testing::StartsWith("measurement.json cannot be read or says nothing"));
    EXPECT_EQ(damageOf(R"({"tasks": [1], "version": "2.0.0"})"), damageOf("{"));
    EXPECT_EQ(damageOf(measurementText(full(), folder_.path())), "");
    EXPECT_EQ(damageOf(R"({"run": "1f"})"), "") << "of another tool";
}

TEST_F(MeasurementFile, membersOfAnotherKind_areUnknown) {
    const Measurement read = measurementIn(nlohmann::json::parse(
        R"({"run": 1, "events": -1, "laws": [3, {"law": "span", "holds": "no"}], "notes": {},
            "processes": [{"pid": "x", "end": []}], "settings": {"polls": "some"}, "host": "n1"})"));
    EXPECT_EQ(read.run, "");
    EXPECT_EQ(read.events, 0U);
    ASSERT_EQ(read.laws.size(), 1U);
    EXPECT_TRUE(read.laws[0].holds);
    ASSERT_EQ(read.processes.size(), 1U);
    EXPECT_EQ(read.processes[0].pid, 0U);
    EXPECT_FALSE(read.command.settings);
    EXPECT_EQ(read.command.host.name, "");
}

TEST_F(MeasurementFile, whatAnotherVersionSaidOfTheCommand_stays) {
    std::ofstream(folder_.path() / kCommandFile) << R"({"futureMember": [1, 2], "settings": {"future": 1}})";
    const auto written = nlohmann::json::parse(measurementText(Measurement(), folder_.path()));
    EXPECT_EQ(written["futureMember"], (nlohmann::json{1, 2}));
    EXPECT_EQ(written["settings"]["future"], 1);
}

}  // namespace
}  // namespace holos::measurement
