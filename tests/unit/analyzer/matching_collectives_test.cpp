// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/collectives.h"

#include <gtest/gtest.h>

#include <utility>
#include "tests/unit/analyzer/single_threads.h"

namespace holos::analyzer::matching {
namespace {

using replay::Collective;
using replay::kNone;
using trace::LocationId;
using trace::ProcessId;

/// Processes of one thread each in one communicator, with operations that are written down.
class MatchCollectives : public ::testing::Test {
  protected:
    void build(std::size_t processes) {
        addSingleThreads(definitions_, processes);
        trace_.locations = ByLocation<replay::LocationTrace>(processes);
    }
    void operation(std::uint32_t at, Collective operation, std::uint32_t root = kNone,
                   trace::Ticks begin = 0) {
        replay::CollectiveRecord record;
        record.comm = 0;
        record.operation = operation;
        record.root = root;
        record.begin = begin;
        record.location = record.beginLocation = at;
        trace_.locations.own(at).messages.collectives.push_back(record);
    }
    void match() {
        auto [matches, operations] = matchCollectives(trace_, *workers_, heap());
        matches_ = std::move(matches);
        operations_ = std::move(operations);
    }
    std::uint32_t instance(std::size_t at, std::size_t index) const { return matches_.instanceOf[at][index]; }
    /// Positions of the records of each complete operation, by rank.
    std::vector<std::vector<std::uint32_t>> complete() {
        std::vector<std::vector<std::uint32_t>> all;
        const auto alone = workers::makeThreads(1);
        operations_.forEach(*alone, [&](std::size_t comm, CollectiveInstance ranks) {
            EXPECT_EQ(comm, 0U);
            auto& positions = all.emplace_back();
            for (const replay::RecordRef ref : ranks) positions.push_back(ref.position);
        });
        return all;
    }

    trace::Definitions definitions_;
    replay::ReplayedTrace trace_{definitions_, {}};
    CollectiveMatches matches_;
    CollectiveOperations operations_;
    std::unique_ptr<workers::Workers> workers_ = workers::makeThreads(2);
};

TEST_F(MatchCollectives, nthOfEachRank_areOne) {
    build(2);
    for (const std::uint32_t rank : {0U, 1U}) {
        operation(rank, Collective::Barrier);
        operation(rank, Collective::Bcast, 1);
    }
    match();
    EXPECT_EQ(matches_.complete, 2U);
    EXPECT_EQ(instance(0, 0), instance(1, 0));
    EXPECT_EQ(instance(0, 1), instance(1, 1));
    EXPECT_NE(instance(0, 0), instance(0, 1));
    EXPECT_EQ(complete(), (std::vector<std::vector<std::uint32_t>>{{0, 0}, {1, 1}}));
    EXPECT_TRUE(matches_.diagnoses.empty());
}

TEST_F(MatchCollectives, operationThatARankLacks_isReportedAndHasNoNumber) {
    build(2);
    operation(0, Collective::Barrier);
    operation(1, Collective::Barrier);
    operation(1, Collective::Barrier);
    match();
    EXPECT_EQ(matches_.complete, 1U);
    EXPECT_EQ(instance(1, 1), kNone);
    ASSERT_EQ(matches_.diagnoses.size(), 1U);
    EXPECT_EQ(matches_.diagnoses[0].trouble, Trouble::UnmatchedCollective);
    EXPECT_EQ(matches_.diagnoses[0].count, 1U);
}

TEST_F(MatchCollectives, ranksThatDisagree_areReportedAndThoseBehindAreMatched) {
    build(2);
    operation(0, Collective::Barrier);
    operation(1, Collective::Allreduce);
    operation(0, Collective::Bcast, 0);
    operation(1, Collective::Bcast, 0);
    match();
    EXPECT_EQ(matches_.complete, 1U);
    EXPECT_EQ(instance(0, 0), kNone);
    EXPECT_EQ(instance(1, 0), kNone);
    EXPECT_EQ(complete(), (std::vector<std::vector<std::uint32_t>>{{1, 1}}));
    ASSERT_EQ(matches_.diagnoses.size(), 1U);
    EXPECT_EQ(matches_.diagnoses[0].count, 1U);
}

TEST_F(MatchCollectives, rootThatIsNoRank_isADisagreement) {
    build(2);
    operation(0, Collective::Bcast, 2);
    operation(1, Collective::Bcast, 2);
    match();
    EXPECT_EQ(matches_.complete, 0U);
    EXPECT_EQ(instance(0, 0), kNone);
}

TEST_F(MatchCollectives, operationsOfSeveralThreads_areTakenByTime) {
    build(3);
    definitions_.locations[1].process = ProcessId(0);  // locations 0 and 1 are threads of process 0
    definitions_.processes[0].threads = {LocationId(0), LocationId(1)};
    definitions_.processes[1].threads = {};
    definitions_.comms[0].members = {LocationId(0), LocationId(2)};
    operation(0, Collective::Allreduce, kNone, 20);
    operation(1, Collective::Barrier, kNone, 10);
    operation(2, Collective::Barrier, kNone, 5);
    operation(2, Collective::Allreduce, kNone, 6);
    match();
    EXPECT_EQ(matches_.complete, 2U);
    EXPECT_EQ(instance(1, 0), instance(2, 0));
    EXPECT_EQ(instance(0, 0), instance(2, 1));
}

TEST_F(MatchCollectives, communicatorOfOneProcess_hasNobodyToWaitFor) {
    build(1);
    operation(0, Collective::Barrier);
    match();
    EXPECT_EQ(matches_.complete, 0U);
    EXPECT_EQ(instance(0, 0), kNone);
    EXPECT_TRUE(matches_.diagnoses.empty());
}

}  // namespace
}  // namespace holos::analyzer::matching
