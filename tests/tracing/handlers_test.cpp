// SPDX-License-Identifier: BSD-3-Clause
// Programs whose handlers of signals interrupt the recorder, or are interrupted by it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

constexpr std::size_t kJumps = 200;
constexpr std::size_t kLaterCalls = 1000;

std::size_t entersOf(const std::vector<std::string>& events, const std::string& region) {
    return with(events, {"ENTER " + region}).size();
}

std::size_t lostEvents(const std::filesystem::path& archive) {
    std::ifstream file(archive / "measurement.json");
    return nlohmann::json::parse(file)["lostEvents"].get<std::size_t>();
}

/// How deep a function was within itself.
long depthOf(const std::vector<std::string>& events, const std::string& region) {
    long depth = 0;
    long most = 0;
    for (const std::string& event : with(events, {"ENTER " + region, "LEAVE " + region}))
        most = std::max(most, depth += event.starts_with("ENTER") ? 1 : -1);
    return most;
}

/// Leaves functions in its handler for good, and goes on in others.
void expectLaterCalls(const std::string& program) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), program);
    const auto events = recordedEvents(archive).at(0);
    EXPECT_EQ(entersOf(events, "after"), kLaterCalls);
    for (const char* function : {"main", "outer", "inner"}) EXPECT_EQ(depthOf(events, function), 1);
    const std::size_t handlers = entersOf(events, "leave");
    EXPECT_GE(2 * handlers + lostEvents(archive), 2 * kJumps);
}

TEST(RecordedHandlers, jumpOutOfThem_losesNoLaterCall_andLeavesNoneOpen) {
    expectLaterCalls(HOLOS_PROGRAMS "/handler_jumps");
}

TEST(RecordedHandlers, changeOfContextOutOfThem_losesNoLaterCall_andLeavesNoneOpen) {
    expectLaterCalls(HOLOS_PROGRAMS "/handler_contexts");
}

algebra::Experiment profileOf(const std::filesystem::path& directory, const std::string& program,
                              const std::vector<std::string>& settings = {},
                              const std::vector<std::string>& options = {}) {
    std::vector<std::string> all = {"--profile"};
    all.insert(all.end(), options.begin(), options.end());
    return algebra::readCubex(record(directory, program, settings, all) / "profile.cubex");
}

TEST(RecordedHandlers, jumpOutOfThem_isInAProfileAsInATrace) {
    const TemporaryDirectory directory;
    const auto experiment =
        profileOf(directory.path(), HOLOS_PROGRAMS "/handler_jumps", {}, {"--throttle", "0"});
    const auto& visits = experiment.severities.table(*experiment.findMetric("visits"));
    double calls = 0;
    int places = 0;
    for (const auto path : experiment.callTree.ids()) {
        const std::string& name = experiment.regionOf(path).name;
        if (name == "after")
            for (const double value : visits.row(path)) calls += value;
        if (name == "outer") ++places;
    }
    EXPECT_EQ(calls, kLaterCalls);
    EXPECT_EQ(places, 1) << "a call stayed open";
}

bool hasSampleIn(const std::filesystem::path& archive, const std::string& function) {
    const std::string text = runCommand({"otf2-print", archive / "traces.otf2"}).output;
    return text.find("CALLING_CONTEXT; \"" + function + '@') != std::string::npos;
}

/// Where the notes of a recording say so, without what stands in front.
std::string noteOfRegions(const std::filesystem::path& archive) {
    std::ifstream file(archive / "measurement.json");
    const auto measurement = nlohmann::json::parse(file);
    for (const std::string note : measurement["notes"])
        if (const auto at = note.find("were begun and not ended"); at != note.npos)
            return note.substr(note.find(": ") + 2);
    return "";
}

TEST(RecordedJumps, regionsThatTheyLeave_areSaidNotToEnd) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/left_regions");
    EXPECT_EQ(noteOfRegions(archive),
              "regions were begun and not ended, as the program left functions by jumps (longjmp): left (5 "
              "times), around (once); what followed counts to them, until a region around them or the run "
              "ended");
}

TEST(RecordedJumps, regionInWhichAProgramWithoutJumpsEnds_isNotSaid) {
    const TemporaryDirectory directory;
    EXPECT_EQ(noteOfRegions(record(directory.path(), HOLOS_PROGRAMS "/left_regions", {}, {}, {"end"})), "");
}

TEST(RecordedHandlers, jumpOutOfThem_losesNoLaterSample) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/handler_jumps_plain", {},
                                {"--sample", "1ms"}, {"processor"});
    EXPECT_TRUE(hasSampleIn(archive, "after"));
}

TEST(RecordedHandlers, profilerOfTheProgram_seesTheProgram) {
    const TemporaryDirectory directory;
    record(directory.path(), HOLOS_PROGRAMS "/own_profiler", {}, {"--sample", "4ms"});
}

}  // namespace
}  // namespace holos::testing
