// SPDX-License-Identifier: BSD-3-Clause
// Commands on recordings of many processes, with counters, as traces and as profiles.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "algebra/files/experiment_file.h"
#include "algebra/model/queries.h"
#include "tests/cli/command_test.h"
#include "tests/cli/served_command.h"
#include "tests/unit/tracing/generated_run.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint32_t kProcesses = 100;
constexpr std::uint32_t kRegions = 5;
constexpr std::uint32_t kEvents = 4 * kRegions;  // each region twice
constexpr std::uint32_t kCounters = 2;

class CommandOnGeneratedRun : public CommandTest, public ::testing::WithParamInterface<bool> {
  protected:
    static bool isProfile() { return GetParam(); }
    /// Its processes have entered and left their regions, and live.
    GeneratedRun run(RunScene scene) const {
        GeneratedRun made(file("run"), {kProcesses, scene, kRegions, kCounters, isProfile()});
        made.goOn(kEvents);
        return made;
    }
    nlohmann::json watched() const {
        const auto result = holos({"watch", "--once", "--interval", "1ms", "--format", "json", file("run")});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return nlohmann::json::parse(result.output);
    }
    static double total(const algebra::Experiment& experiment, const std::string& metric) {
        const auto values = experiment.severities.rows(experiment.findMetric(metric).value());
        std::vector<double> scratch(values->locations());
        double sum = 0;
        for (const algebra::CallPathId path : experiment.callTree.ids())
            for (const double value : values->row(path, scratch)) sum += value;
        return sum;
    }
};

TEST_P(CommandOnGeneratedRun, watch_hasAllProcessesTheirEventsAndCounters) {
    const GeneratedRun generated = run(RunScene::Computing);
    const auto picture = watched();
    ASSERT_EQ(picture["processes"].size(), kProcesses);
    for (std::size_t i = 0; i < kProcesses; ++i) {
        const auto& process = picture["processes"][i];
        EXPECT_EQ(process["rank"], i);
        EXPECT_EQ(process["life"], "living");
        EXPECT_EQ(process["events"], 3 + kEvents);
        ASSERT_EQ(process["counters"].size(), kCounters);
        EXPECT_EQ(process["counters"][0]["value"], 2 + kEvents);
        EXPECT_EQ(process["counters"][1]["value"], 2 * (2 + kEvents));
    }
}

/// A profile does not tell whether the messages were sent.
TEST_P(CommandOnGeneratedRun, watchThatServes_hasTheNumbersOfAllProcesses) {
    const GeneratedRun generated = run(RunScene::Computing);
    ServedCommand served({"watch", "--serve", "0", file("run")});
    const std::string bearer = "Bearer ";
    const std::string said = served.said();
    const std::string token = said.substr(said.find(bearer) + bearer.size(), 48);
    const Connection connection(served.port());
    connection.send(get("/metrics", token));
    const std::string text = bodyOf(connection.answer());
    EXPECT_THAT(text, HasSubstr("# TYPE holos_events_total counter\nholos_events_total{rank=\"0\",host=\""));
    std::istringstream lines(text);
    std::size_t living = 0, events = 0, counters = 0, shares = 0;
    for (std::string line; std::getline(lines, line);) {
        living += line.starts_with("holos_living{") && line.ends_with("} 1");
        events +=
            line.starts_with("holos_events_total{") && line.ends_with("} " + std::to_string(3 + kEvents));
        counters += line.starts_with("holos_counter{");
        shares += line.starts_with("holos_time_share{");
    }
    EXPECT_EQ(living, kProcesses);
    EXPECT_EQ(events, kProcesses);
    EXPECT_EQ(counters, kCounters * kProcesses);
    EXPECT_EQ(shares, 5 * kProcesses);
    connection.send(get("/metrics", ""));
    EXPECT_EQ(statusOf(connection.answer()), 401);
    EXPECT_EQ(served.end(SIGINT), 0);
}

TEST_P(CommandOnGeneratedRun, watchOfARing_findsTheCycleOfAll) {
    const GeneratedRun generated = run(RunScene::Ring);
    const auto picture = watched();
    const auto& cycles = picture[isProfile() ? "possibleCycles" : "cycles"];
    ASSERT_EQ(cycles.size(), 1U);
    EXPECT_EQ(cycles[0].size(), kProcesses);
    EXPECT_EQ(picture[isProfile() ? "cycles" : "possibleCycles"].size(), 0U);
    EXPECT_EQ(picture["waits"].size(), kProcesses);
}

/// What is added up while it runs is what the events say after it: the program itself, what it was in before
/// and after its regions, and those. Counters count from their first reading on.
TEST_P(CommandOnGeneratedRun, afterItsEnd_totalsAreThoseOfItsEvents) {
    run(RunScene::Computing).end();
    const auto result = holos({"analyze", file("run")});
    EXPECT_EQ(result.exitCode, isProfile() ? 1 : 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr(isProfile() ? "holos show prints its profile" : "made a trace"));
    const std::string name = isProfile() ? "run/profile.cubex" : "run/analysis.cubex";
    const auto experiment = algebra::readExperiment(file(name));
    EXPECT_EQ(experiment.system.locations.size(), kProcesses);
    EXPECT_EQ(total(experiment, "visits"), kProcesses * (1 + 2 + kEvents / 2));
    EXPECT_EQ(total(experiment, "counter1"), kProcesses * (kEvents + 1));
    EXPECT_EQ(total(experiment, "counter2"), kProcesses * 2 * (kEvents + 1));
}

/// The numbers of a profile are known at its end.
TEST_P(CommandOnGeneratedRun, score_ofWhatWasRecordedUntilThenOrRefused) {
    const GeneratedRun generated = run(RunScene::Computing);
    const auto result = holos({"score", file("run")});
    EXPECT_EQ(result.exitCode, isProfile() ? 1 : 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr(isProfile() ? "still being added up" : "100 processes"));
}

INSTANTIATE_TEST_SUITE_P(Of, CommandOnGeneratedRun, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "profile" : "trace"; });

}  // namespace
}  // namespace holos::testing
