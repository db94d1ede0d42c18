// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/trace_plan.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tracing/recordings/archive/plan/other_threads.h"

namespace holos::archive {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using tracing::LocationKind;

RecordedProcess rank(std::uint32_t number, std::uint32_t size) {
    RecordedProcess process;
    process.executable = "/bin/app";
    process.world = World{number, size};
    process.syncs = {{0, 0, 0}};
    process.status.ended = 1;
    process.locations[0] = {LocationKind::Main, tracing::kNoLocation, 0, 0, "Master thread"};
    return process;
}

RecordedRegion region(const std::string& name) {
    RecordedRegion result;
    result.name = name;
    return result;
}

/// With the recording that it refers to.
struct Planned : TracePlan {
    std::unique_ptr<Recording> recording;
};

Planned planOf(std::vector<RecordedProcess> processes) {
    auto recording = std::make_unique<Recording>(unify(std::move(processes)));
    Planned plan{planTrace(*recording), nullptr};
    plan.recording = std::move(recording);
    return plan;
}

TEST(Plan, equalRegionsOfTwoProcesses_getOneNumber) {
    auto first = rank(0, 2);
    first.regions = {{1, region("a")}, {2, region("b")}};
    auto second = rank(1, 2);
    second.regions = {{1, region("b")}, {2, region("c")}};
    const Planned plan = planOf({first, second});
    ASSERT_EQ(plan.regions.size(), 3u);
    EXPECT_EQ(plan.processes[0].regions.at(2), plan.processes[1].regions.at(1));
    EXPECT_EQ(plan.regions[plan.processes[1].regions.at(2)].name, "c");
}

TEST(Plan, communicator_isKnownByItsRootAndNumber) {
    auto first = rank(0, 2);
    first.comms = {{5, {0, 7, 2, "halves", {1, 0}}}};
    auto second = rank(1, 2);
    second.comms = {{3, {0, 7, 2, "", {}}}};
    const Planned plan = planOf({first, second});
    ASSERT_EQ(plan.comms.size(), 1u);
    EXPECT_EQ(plan.comms[0].name, "halves");
    EXPECT_THAT(plan.comms[0].group.members, ElementsAre(1, 0));
    EXPECT_EQ(plan.processes[0].comms.at(5), plan.processes[1].comms.at(3));
}

TEST(Plan, communicatorWhoseRootLeftNothing_hasTheOthersAtTheirPlaces) {
    auto first = rank(0, 4);
    first.comms = {{2, {3, 7, 3, "", {}, 0, 2}}};
    auto second = rank(1, 4);
    second.comms = {{2, {3, 7, 3, "", {}, 0, 1}}};
    const Planned plan = planOf({first, second, rank(2, 4)});
    ASSERT_EQ(plan.comms.size(), 1u);
    EXPECT_THAT(plan.comms[0].group.members, ElementsAre(3, 1, 0));
    EXPECT_THAT(plan.notes, Contains(HasSubstr("its members had to be guessed")));
}

TEST(Plan, communicatorBetweenGroups_hasTheMembersOfBoth) {
    auto first = rank(0, 3);
    first.comms = {{1, {0, 0, 3, "MPI_COMM_WORLD", {}, 0, 0}}, {4, {0, 7, 1, "", {0, 1, 2}, 2, 0}}};
    auto second = rank(1, 3);
    second.comms = {{1, {0, 0, 3, "MPI_COMM_WORLD", {}, 0, 1}}, {2, {0, 7, 1, "", {}, 2, 1}}};
    const Planned plan = planOf({first, second});
    ASSERT_EQ(plan.comms.size(), 2u);
    const TraceComm& between = plan.comms.at(plan.processes[1].comms.at(2));
    EXPECT_THAT(between.group.members, ElementsAre(0, 1, 2));
    EXPECT_EQ(between.remoteSize, 2u);
    EXPECT_EQ(between.common, plan.processes[1].comms.at(1));
}

TEST(Plan, communicatorsOfOneProcess_areOneSelf) {
    auto first = rank(0, 2);
    first.comms = {{1, {0, 1, 1, "MPI_COMM_SELF", {0}}}};
    auto second = rank(1, 2);
    second.comms = {{1, {1, 1, 1, "MPI_COMM_SELF", {1}}}};
    const Planned plan = planOf({first, second});
    ASSERT_EQ(plan.comms.size(), 1u);
    EXPECT_EQ(plan.comms[0].group.kind, TraceGroup::Kind::MpiSelf);
}

TEST(Plan, rankWithoutRecording_isThereAndNoted) {
    const Planned plan = planOf({rank(0, 3), rank(2, 3)});
    ASSERT_EQ(plan.processes.size(), 3u);
    EXPECT_EQ(plan.processes[1].recorded, nullptr);
    EXPECT_EQ(plan.processes[1].name, "MPI Rank 1");
    EXPECT_THAT(plan.notes, Contains(HasSubstr("rank 1 left no recording")));
}

TEST(Plan, ranksWithoutRecording_areNotedInOneLine) {
    const Planned plan = planOf({rank(1, 600), rank(4, 600)});
    EXPECT_THAT(plan.notes, ElementsAre("ranks 0, 2-3, 5-599 left no recording"));
}

TEST(Plan, helperBesideMpiProcesses_isLeftOut) {
    RecordedProcess helper = rank(0, 1);
    helper.world.reset();
    const Planned plan = planOf({helper, rank(0, 1)});
    EXPECT_EQ(plan.processes.size(), 1u);
    EXPECT_TRUE(plan.usesMpi);
}

TEST(Plan, killedProcess_isNoted_butNotOneThatRanAnotherProgram) {
    auto killed = rank(0, 1);
    killed.status.ended = 0;
    EXPECT_THAT(planOf({killed}).notes, Contains(HasSubstr("did not end normally")));
    killed.replaced = true;
    EXPECT_TRUE(planOf({killed}).notes.empty());
}

TEST(Plan, whatIsTheSameOfManyProcesses_isNotedOnce) {
    std::vector<RecordedProcess> killed;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        killed.push_back(rank(i, 1000));
        killed.back().status.ended = 0;
        killed.back().status.lostEvents = i == 7 ? 3 : 0;
    }
    EXPECT_THAT(planOf(std::move(killed)).notes,
                UnorderedElementsAre(HasSubstr("1000 processes (0, 1, 2, 3, …) did not end normally"),
                                     "process 7 lost 3 events"));
}

TEST(Plan, threadsOfTeams_getTheirNumbersInTheLocationId) {
    auto process = rank(0, 2);
    auto other = rank(1, 2);
    other.locations[1] = {LocationKind::Place, 0, 1, 2, "OMP thread 2"};
    other.locations[2] = {LocationKind::Place, 0, 1, 1, "OMP thread 1"};
    other.locations[3] = {LocationKind::Place, 1, 2, 1, "OMP thread 1 of level 2"};
    other.teams[1] = {0, 1, 3};
    const Planned plan = planOf({process, other});
    constexpr std::uint64_t kThread = std::uint64_t{1} << 32;
    const auto& locations = plan.processes[1].locations;
    ASSERT_EQ(locations.size(), 4u);
    EXPECT_EQ(locations[1].id, 1 + kThread);
    EXPECT_EQ(locations[1].name, "OMP thread 1");
    EXPECT_EQ(locations[2].id, 1 + 2 * kThread);
    EXPECT_EQ(locations[3].id, 1 + 3 * kThread);
    EXPECT_THAT(plan.comms.at(plan.processes[1].teams.at(1)).group.members,
                ElementsAre(1, 1 + kThread, 1 + 2 * kThread));
}

TEST(Plan, samplesOfANode_areThoseOfItsFirstProcess) {
    const auto sampling = [](std::uint32_t number, const std::string& host) {
        auto process = rank(number, 3);
        process.host = host;
        process.locations[1] = {LocationKind::Samples, tracing::kNoLocation, 0, 0, "Samples"};
        process.sampled = {{"proc_rss", "kB", "", counters::Mode::Absolute, counters::Scope::Process},
                           {"mem_free", "kB", "", counters::Mode::Absolute, counters::Scope::Node}};
        return process;
    };
    const Planned plan = planOf({sampling(0, "a"), sampling(1, "a"), sampling(2, "b")});
    ASSERT_EQ(plan.sampledSets.size(), 2);
    EXPECT_THAT(plan.processes[0].samplers, ElementsAre(0, 1));
    EXPECT_THAT(plan.processes[1].samplers, ElementsAre(2));
    EXPECT_THAT(plan.processes[2].samplers, ElementsAre(3, 4));
    EXPECT_FALSE(plan.samplers[3].isOfNode);
    EXPECT_TRUE(plan.samplers[4].isOfNode);
    EXPECT_EQ(plan.samplers[4].first, 1);
    EXPECT_EQ(plan.samplers[4].location, 2 + (std::uint64_t{1} << 32));
    EXPECT_TRUE(plan.processes[2].locations[1].isSamples);
    EXPECT_FALSE(plan.processes[2].hasThreads);
}

TEST(Plan, nothingRecorded_isAnError) {
    EXPECT_THROW(planOf({}), Error);
}

/// As where the phase that is to be recorded never begins.
TEST(OtherThreads, ofOpenMp_areNotCalledTheRuntimesOwn) {
    RecordedProcess process;
    const auto add = [&](std::uint32_t id, const char* starter) {
        RecordedOtherThread& thread = process.otherThreads[{id, tracing::ThreadOrigin::Runtime}];
        thread.origin = tracing::ThreadOrigin::Runtime;
        thread.starter = starter;
        thread.time.on = 1'000'000'000;
    };
    add(11, "libgomp.so.1");
    add(12, "libomp.so.5");
    add(13, "libmpi.so.40");
    EXPECT_THAT(
        notesOfOtherThreads(process),
        ElementsAre(": 1 thread is not in the trace, 1.00 s on processors: libgomp.so.1 started it, and it "
                    "was in no parallel region that was recorded",
                    ": 1 thread is not in the trace, 1.00 s on processors: libmpi.so.40 started it, and it "
                    "is not the program's",
                    ": 1 thread is not in the trace, 1.00 s on processors: libomp.so.5 started it, and it "
                    "was in no parallel region that was recorded"));
    std::vector<std::string> reasons;
    for (const auto& thread : otherThreadsOf(process)) reasons.push_back(thread.reason);
    EXPECT_THAT(reasons,
                ElementsAre("was in no parallel region that was recorded",
                            "was in no parallel region that was recorded", "a runtime system's own"));
}

}  // namespace
}  // namespace holos::archive
