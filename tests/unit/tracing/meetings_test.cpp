// SPDX-License-Identifier: BSD-3-Clause
// Communicators with processes of several worlds.
#include "tracing/recordings/archive/run/jobs.h"

#include <gmock/gmock.h>

#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tracing::MeetingSide;

constexpr std::uint32_t kBetween = 5;  ///< what processes call the communicator
constexpr std::uint32_t kMerged = 6;

RecordedProcess rank(std::uint32_t number, std::uint32_t size, std::uint64_t world) {
    RecordedProcess process;
    process.executable = "/bin/app";
    process.world = World{number, size, world};
    process.syncs = {{0, 0, static_cast<std::int64_t>(world)}};
    process.status.ended = 1;
    return process;
}

/// In a side whose members are all ranks of the world.
RecordedProcess meeting(std::uint32_t number, std::uint32_t size, std::uint64_t world, MeetingSide side,
                        std::uint32_t others, const std::string& key) {
    RecordedProcess process = rank(number, size, world);
    RecordedMeeting met{0, 3, side, 100 + world, key, size, others, number, {}};
    if (number == 0)
        for (std::uint32_t i = 0; i < size; ++i) met.worldRanks.push_back(i);
    process.meetings[kBetween] = met;
    return process;
}

TEST(Meetings, parentAndChildren_haveOneCommunicator) {
    std::vector<RecordedProcess> all{meeting(0, 1, 11, MeetingSide::Parent, 2, "a.0"),
                                     meeting(0, 2, 13, MeetingSide::Child, 1, "a.0"),
                                     meeting(1, 2, 13, MeetingSide::Child, 1, "a.0")};
    for (std::uint32_t i = 0; i < 3; ++i) {
        all[i].derivedComms[kMerged] = {kBetween, 0, 0, 3, 0, i, {}};
        if (i == 0) all[i].derivedComms[kMerged].members = {0, 1, 2};
    }
    Recording recording = unify(std::move(all));
    const Meetings meetings = joinWorlds(recording);
    ASSERT_EQ(meetings.size(), 1u);
    auto jobs = byJob(std::move(recording.processes), meetings);
    ASSERT_EQ(jobs.size(), 1u);
    const TracePlan plan = planTrace(jobs.front(), recording.definitions);
    ASSERT_EQ(plan.processes.size(), 3u);
    EXPECT_EQ(plan.processes[2].name, "MPI Rank 1 of world 2");
    const std::uint32_t between = plan.processes[0].comms.at(kBetween);
    const std::uint32_t merged = plan.processes[0].comms.at(kMerged);
    for (const TraceProcess& process : plan.processes) {
        EXPECT_EQ(process.comms.at(kBetween), between);
        EXPECT_EQ(process.comms.at(kMerged), merged);
    }
    EXPECT_THAT(plan.comms[between].group.members, ElementsAre(0, 1, 2));
    EXPECT_EQ(plan.comms[between].remoteSize, 2u);
    EXPECT_THAT(plan.comms[merged].group.members, ElementsAre(0, 1, 2));
    EXPECT_EQ(plan.comms[merged].remoteSize, 0u);
}

TEST(Meetings, ofTwoParentsAtATime_areThoseWithTheSameKey) {
    Recording recording = unify(
        {meeting(0, 1, 11, MeetingSide::Parent, 1, "a.0"), meeting(0, 1, 13, MeetingSide::Parent, 1, "b.0"),
         meeting(0, 1, 15, MeetingSide::Child, 1, "b.0"), meeting(0, 1, 17, MeetingSide::Child, 1, "a.0")});
    EXPECT_THAT(joinWorlds(recording), ElementsAre(std::pair<std::uint64_t, std::uint64_t>{13, 15},
                                                   std::pair<std::uint64_t, std::uint64_t>{11, 17}));
}

TEST(Meetings, withoutAKeyAndWithTwoParents_areNotGuessed) {
    Recording recording =
        unify({meeting(0, 1, 11, MeetingSide::Parent, 1, ""), meeting(0, 1, 13, MeetingSide::Parent, 1, ""),
               meeting(0, 1, 15, MeetingSide::Child, 1, "")});
    EXPECT_THAT(joinWorlds(recording), IsEmpty());
    EXPECT_EQ(byJob(std::move(recording.processes)).size(), 3u);
}

TEST(Meetings, whoseOtherSideWasNotRecorded_haveNoCommunicator) {
    std::vector<RecordedProcess> all{meeting(0, 1, 11, MeetingSide::Parent, 2, "a.0")};
    all[0].derivedComms[kMerged] = {kBetween, 0, 0, 3, 0, 0, {0, 1, 2}};
    Recording recording = unify(std::move(all));
    EXPECT_THAT(joinWorlds(recording), IsEmpty());
    EXPECT_FALSE(recording.processes[0].numbers.comms.find(kBetween));
    EXPECT_FALSE(recording.processes[0].numbers.comms.find(kMerged));
}

}  // namespace
}  // namespace holos::archive
