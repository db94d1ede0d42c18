// SPDX-License-Identifier: BSD-3-Clause
// What a campaign plans, what is left to do of it, and how it remembers.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "campaign/execution.h"
#include "campaign/state.h"
#include "tests/support/temporary_directory.h"

namespace holos::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kSpecification = R"(
registers = 2
compose ALL = A + B
compose ALL_ELSE = C + D
measure A = a
measure A = other_a
measure B = b
measure C = c
measure D = d
compute DIFFERENCE = a - b
alias d = d_here
)";

/// A machine that counts everything but these, and at most so many at a time.
WhyNotCounted machine(std::vector<std::string> missing, std::size_t most = 32) {
    return [missing, most](const std::vector<std::string>& events) -> std::optional<std::string> {
        for (const std::string& event : events)
            if (std::find(missing.begin(), missing.end(), event) != missing.end())
                return event + ": not here";
        if (events.size() > most) return "too many";
        return std::nullopt;
    };
}

Plan planOn(const WhyNotCounted& whyNot, Request request = {}) {
    return planMeasurements(specs::parse(kSpecification, "own.spec"), request, {}, whyNot);
}

std::vector<Measurement> sorted(std::vector<Measurement> measurements) {
    for (auto& each : measurements) std::sort(each.begin(), each.end());
    std::sort(measurements.begin(), measurements.end());
    return measurements;
}

TEST(CampaignPlan, twoRegisters_takeTwoRuns) {
    const Plan plan = planOn(machine({"d_here", "other_a"}));
    EXPECT_THAT(sorted(plan.measurements), ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d")));
    EXPECT_EQ(plan.atLeast, 2);
    EXPECT_TRUE(plan.refused.empty());
}

TEST(CampaignPlan, refusedEvent_isReplacedByTheNextDefinition) {
    const Plan plan = planOn(machine({"a"}), {.wanted = {"A"}});
    EXPECT_THAT(plan.measurements, ElementsAre(ElementsAre("other_a")));
    EXPECT_THAT(plan.refused, ElementsAre(std::pair<const std::string, std::string>("a", "a: not here")));
}

TEST(CampaignPlan, eventKnownByAnotherName_isCountedUnderThat) {
    EXPECT_THAT(planOn(machine({"d"}), {.wanted = {"D"}}).measurements, ElementsAre(ElementsAre("d_here")));
}

TEST(CampaignPlan, metricWithoutItsEvents_isNotMeasuredAndSaidSo) {
    const Plan plan = planOn(machine({"c"}), {.wanted = {"C", "D"}});
    EXPECT_THAT(plan.measurements, ElementsAre(ElementsAre("d")));
    ASSERT_THAT(plan.uncovered, SizeIs(1));
    EXPECT_EQ(plan.uncovered[0].metric, "C");
}

TEST(CampaignPlan, eventsRefusedTogether_areCountedApart) {
    const Plan plan = planOn(machine({}, 1), {.wanted = {"A", "B"}});
    EXPECT_THAT(sorted(plan.measurements), ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST(CampaignPlan, nothingCountable_isAnErrorWithTheReason) {
    try {
        planOn(machine({"c"}), {.wanted = {"C"}});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("c: not here"));
    }
}

State stateWith(std::vector<FinishedRun> finished, std::size_t repetitions) {
    State state;
    state.request.repetitions = repetitions;
    state.finished = std::move(finished);
    return state;
}

TEST(CampaignSchedule, repetitions_comeAfterEachMeasurementOnce) {
    const auto runs = remainingRuns({{"a"}, {"b"}}, stateWith({}, 2));
    ASSERT_THAT(runs, SizeIs(4));
    EXPECT_EQ(runs[0].name, "run-01");
    EXPECT_THAT(runs[1].events, ElementsAre("b"));
    EXPECT_THAT(runs[2].events, ElementsAre("a"));
    EXPECT_EQ(runs[3].name, "run-04");
}

TEST(CampaignSchedule, finishedRun_servesOneMeasurementThatItCovers) {
    const auto runs = remainingRuns({{"a"}, {"b"}}, stateWith({{{"run-01", {"b", "a"}}, 1.0}}, 1));
    ASSERT_THAT(runs, SizeIs(1));
    EXPECT_EQ(runs[0].name, "run-02");
    EXPECT_THAT(runs[0].events, ElementsAre("b"));
}

TEST(CampaignSchedule, multiplexedRun_countsAllEventsOnceAndServesNothingElse) {
    State state = stateWith({{{"run-01", {"a"}}, 1.0}}, 1);
    state.request.comparesMultiplexed = true;
    const auto runs = remainingRuns({{"a"}, {"b", "c"}, {"a", "d"}}, state);
    ASSERT_THAT(runs, SizeIs(3));
    EXPECT_TRUE(runs[2].isMultiplexed);
    EXPECT_EQ(runs[2].name, "run-04");
    EXPECT_THAT(runs[2].events, ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(recordCommand("holos", "d", runs[2], {"app"}), ::testing::Contains("--multiplex"));
    state.finished.push_back({runs[2], 1.0});
    EXPECT_THAT(remainingRuns({{"a"}, {"b", "c"}, {"a", "d"}}, state), SizeIs(2));
    EXPECT_EQ(runsOf({"b"}, state), 0U);
    state.finished.clear();
    EXPECT_THAT(remainingRuns({{"a"}}, state), SizeIs(1)) << "one run has all events anyhow";
}

/// Which of them are profiles; `c` needs a trace.
std::vector<bool> profilesOf(std::vector<Run> runs, const State& state) {
    chooseRecordings(runs, state, [](const Measurement& events) { return events == Measurement{"c"}; });
    std::vector<bool> are;
    for (const Run& run : runs) are.push_back(run.isProfile);
    return are;
}

TEST(CampaignSchedule, withoutWish_firstRunIsATraceAndOthersProfiles) {
    State state;
    EXPECT_THAT(profilesOf({{"1", {"a"}}, {"2", {"b"}}, {"3", {"c"}}}, state),
                ElementsAre(false, true, false));
    state.finished = {{{"1", {"a"}, false}, 1}};
    EXPECT_THAT(profilesOf({{"2", {"b"}}}, state), ElementsAre(true));
    state.finished[0].run.isProfile = true;  // as the one with the trace failed
    EXPECT_THAT(profilesOf({{"2", {"b"}}}, state), ElementsAre(false));
}

TEST(CampaignSchedule, wish_isKeptWherePossible) {
    State state;
    state.request.recording = Recording::Profiles;
    EXPECT_THAT(profilesOf({{"1", {"a"}}, {"2", {"c"}}}, state), ElementsAre(true, false));
    state.request.recording = Recording::Traces;
    EXPECT_THAT(profilesOf({{"1", {"a"}}, {"2", {"b"}}}, state), ElementsAre(false, false));
}

TEST(CampaignSchedule, timeLeft_isTheMeanOfFinishedRunsForEach) {
    const State state =
        stateWith({{{"run-01", {"a"}}, 2.0}, {{"run-02", {"b"}}, 4.0}, {{"run-03", {"c"}}, 0.0}}, 1);
    EXPECT_DOUBLE_EQ(secondsFor(3, state), 9.0);
    EXPECT_DOUBLE_EQ(secondsFor(3, State()), 0.0);
}

TEST(CampaignState, savedState_isLoadedAgain) {
    const testing::TemporaryDirectory folder;
    EXPECT_FALSE(loadState(folder.path()));
    State state = stateWith({{{"run-01", {"a", "b"}}, 1.5}}, 3);
    state.command = {"./app", "with blank"};
    state.request.wanted = {"A"};
    state.request.registers = 2;
    state.request.within = 0.05;
    state.request.most = 7;
    state.request.recording = Recording::Profiles;
    state.request.comparesMultiplexed = true;
    state.finished[0].run.isProfile = true;
    state.finished[0].run.isMultiplexed = true;
    state.refused = {{"c", "not here"}};
    state.failed = {{{"run-02", {"d"}}, "ended with exit status 3"}};
    state.scripted = {{"run-03", {"e"}}};
    saveState(state, folder.path());
    const auto loaded = loadState(folder.path());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->command, state.command);
    EXPECT_EQ(loaded->request, state.request);
    EXPECT_EQ(loaded->refused, state.refused);
    EXPECT_THAT(loaded->finished.at(0).run.events, ElementsAre("a", "b"));
    EXPECT_TRUE(loaded->finished.at(0).run.isMultiplexed);
    EXPECT_EQ(loaded->failed.at(0).reason, "ended with exit status 3");
    EXPECT_EQ(loaded->scripted.at(0).name, "run-03");
}

TEST(CampaignState, damagedFile_isAnErrorThatNamesIt) {
    const testing::TemporaryDirectory folder;
    for (const char* text : {"{\"version\": 1", "{\"version\": 2}", "[]"}) {
        std::ofstream(folder.path() / kStateFile) << text;
        EXPECT_THROW(loadState(folder.path()), Error) << text;
    }
}

TEST(CampaignScript, template_getsTheQuotedCommand) {
    const campaign::Run run{"run-01", {"a", "b"}};
    const auto record = recordCommand("/bin/holos", "/data/my study", run, {"./app", "it's"});
    const std::string script =
        fillTemplate("#SBATCH --job-name=@NAME@\n@RECORD@\n", "/data/my study", run, record);
    EXPECT_EQ(
        script,
        "#SBATCH --job-name=run-01\n/bin/holos record -o '/data/my study/run-01' --refused '/data/my "
        "study/run-01.refused.json' --counters a,b -- ./app 'it'\\''s' > '/data/my study/run-01.txt' 2>&1; "
        "echo $? > '/data/my study/run-01.status'\n");
    EXPECT_THROW(fillTemplate("srun app\n", "/data", run, record), Error);
}

}  // namespace
}  // namespace holos::campaign
