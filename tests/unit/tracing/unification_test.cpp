// SPDX-License-Identifier: BSD-3-Clause
// Definitions of many processes made one, in parallel.
#include "tracing/recordings/archive/run/unification.h"

#include <gmock/gmock.h>

#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {
namespace {

using ::testing::ElementsAre;

/// Each calls `common` and one of seven others, belongs to one of two halves, and opened a file of its own.
RecordedProcess processOf(std::uint32_t number, std::uint32_t size) {
    RecordedProcess process;
    process.executable = "/bin/app";
    process.world = World{number, size};
    process.syncs = {{0, 0, 0}};
    process.status.ended = 1;
    process.regions[1].name = "common";
    process.regions[2].name = "own" + std::to_string(number % 7);
    process.parameters[1] = "step";
    const std::uint32_t root = number < size / 2 ? 0 : size / 2;
    process.comms[1] = {root, 5, size / 2, "half", {}, 0, number - root};
    if (number == root)
        for (std::uint32_t i = 0; i < size / 2; ++i) process.comms[1].worldRanks.push_back(root + i);
    process.comms[2] = {number, 1, 1, "MPI_COMM_SELF", {}, 0, 0};
    process.windows[1] = {root, 3, 1};
    process.files[1] = "data." + std::to_string(number);
    process.handles[1] = {1, 2, 0};
    return process;
}

/// More than one worker takes at a time.
constexpr std::uint32_t kRanks = 200;

Recording manyRanks() {
    return unify(kRanks, [](std::size_t i) { return processOf(static_cast<std::uint32_t>(i), kRanks); });
}

TEST(Unification, manyProcesses_eachDefinitionOnce) {
    const Recording recording = manyRanks();
    EXPECT_EQ(recording.definitions.regions.size(), 8u);
    EXPECT_EQ(recording.definitions.parameters.size(), 1u);
    EXPECT_EQ(recording.definitions.comms.size(), 3u);
    EXPECT_EQ(recording.definitions.windows.size(), 2u);
    EXPECT_EQ(recording.definitions.files.size(), kRanks);
    EXPECT_EQ(recording.definitions.handles.size(), kRanks);
    for (const auto& process : recording.processes) {
        const auto& name = recording.definitions.regions.key(process.numbers.regions.at(2)).name;
        EXPECT_EQ(name, "own" + std::to_string(process.world->rank % 7));
        EXPECT_TRUE(process.regions.empty());
    }
}

TEST(Unification, planOfManyProcesses_numbersInTheOrderOfTheRanks) {
    Recording recording = manyRanks();
    const TracePlan plan = planTrace(recording);
    ASSERT_EQ(plan.regions.size(), 8u);
    EXPECT_EQ(plan.regions[0].name, "common");
    EXPECT_EQ(plan.regions[1].name, "own0");
    EXPECT_EQ(plan.regions[7].name, "own6");
    EXPECT_EQ(plan.processes[9].regions.at(2), 3u);  // own2
    ASSERT_EQ(plan.comms.size(), 3u);
    EXPECT_EQ(plan.comms[0].group.members.size(), kRanks / 2);
    EXPECT_EQ(plan.comms[2].group.members.front(), kRanks / 2);
    EXPECT_EQ(plan.processes[kRanks - 1].comms.at(1), 2u);
    EXPECT_EQ(plan.processes[kRanks - 1].comms.at(2), 1u);
    EXPECT_THAT(plan.windows, ElementsAre(0, 2));
    EXPECT_EQ(plan.files[plan.handles[plan.processes[42].handles.at(1)].file], "data.42");
    EXPECT_TRUE(plan.notes.empty());
}

TEST(Unification, tableOfOther_joinsWithItsNumbers) {
    Table<std::string> left;
    EXPECT_EQ(left.of("a"), 0u);
    EXPECT_EQ(left.of("b"), 1u);
    EXPECT_EQ(left.of("a"), 0u);
    Table<std::string> right;
    right.of("c");
    right.of("b");
    EXPECT_THAT(left.absorb(std::move(right)), ElementsAre(2, 1));
    EXPECT_EQ(left.key(2), "c");
    EXPECT_EQ(left.find("d"), std::nullopt);
}

TEST(Unification, communicatorKnownToOne_isKnownToAll) {
    Definitions left;
    Definitions right;
    left.comms.of({4, 2}, {"", 2, 0, {}});
    right.comms.of({4, 2}, {"pair", 2, 0, {4, 9}});
    std::vector<RecordedProcess> none;
    left.absorb(std::move(right), none.begin(), none.end());
    EXPECT_EQ(left.comms.facts(0).name, "pair");
    EXPECT_THAT(left.comms.facts(0).worldRanks, ElementsAre(4, 9));
}

TEST(NumberMap, referenceOfDamagedFile_takesNoMemory) {
    NumberMap map;
    map.set(0xFFFFFFF0u, 1);
    map.set(3, 7);
    EXPECT_EQ(map.find(0xFFFFFFF0u), std::nullopt);
    EXPECT_EQ(map.find(2), std::nullopt);
    EXPECT_EQ(map.at(3), 7u);
}

}  // namespace
}  // namespace holos::archive
