// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/teams.h"

#include <gtest/gtest.h>

#include <vector>

namespace holos::analyzer::matching {
namespace {

using replay::kNone;
using trace::LocationId;
using trace::Ticks;

/// A master and a worker; teams of both are communicator 0.
class MatchTeams : public ::testing::Test {
  protected:
    MatchTeams() {
        definitions_.comms.emplace_back();
        trace_.locations = ByLocation<replay::LocationTrace>(2);
    }
    /// Times of one thread's stay, of the fork and join around it, and what the recorder took of them.
    static replay::Fork fork(std::uint32_t instance, Ticks fork, Ticks join, Ticks before = 0,
                             Ticks after = 0) {
        return {{0, instance}, replay::NodeId(3), 1, fork, join, before, after};
    }
    static replay::ParallelRecord stay(std::uint32_t instance, Ticks enter, Ticks leave) {
        return {{0, instance}, replay::NodeId(4), enter, leave, 0, 0, 0, 0};
    }
    void setForks(const std::vector<replay::Fork>& forks) {
        RecordPacker<replay::Fork> packer(heap());
        for (const replay::Fork& fork : forks) packer.append(fork);
        trace_.locations.own(0).threads.forks = packer.take();
    }
    void setStays(std::size_t location, const std::vector<replay::ParallelRecord>& stays) {
        RecordPacker<replay::ParallelRecord> packer(heap());
        for (const replay::ParallelRecord& stay : stays) packer.append(stay);
        trace_.locations.own(location).threads.parallels = packer.take();
    }
    /// Fork and join times of a location's stays.
    std::vector<std::pair<Ticks, Ticks>> timesOf(std::size_t location) {
        std::vector<std::pair<Ticks, Ticks>> times;
        ForkedStays(trace_).visit(
            trace_.locations[location].threads, LocationId(location),
            [&](const ForkedStay& forked) { times.emplace_back(forked.forkTime(), forked.joinTime()); });
        return times;
    }

    trace::Definitions definitions_;
    replay::ReplayedTrace trace_{definitions_, {}};
};

using Times = std::vector<std::pair<Ticks, Ticks>>;

TEST_F(MatchTeams, stays_haveTheForkOfTheirInstance) {
    setForks({fork(0, 10, 30), fork(1, 40, 60)});
    setStays(1, {stay(0, 12, 27), stay(1, 45, 59)});
    EXPECT_EQ(timesOf(1), (Times{{2, 3}, {5, 1}}));
}

TEST_F(MatchTeams, flushOfTheMaster_countsForTheMasterOnly) {
    setForks({fork(0, 10, 30, 4, 1)});
    setStays(0, {stay(0, 17, 25)});
    setStays(1, {stay(0, 17, 25)});
    EXPECT_EQ(timesOf(0), (Times{{3, 4}}));
    EXPECT_EQ(timesOf(1), (Times{{7, 5}}));
}

TEST_F(MatchTeams, forkWithoutJoin_hasNoJoinTime) {
    replay::Fork cut = fork(0, 10, 0);
    cut.joinSlice = kNone;
    setForks({cut});
    setStays(1, {stay(0, 12, 27)});
    EXPECT_EQ(timesOf(1), (Times{{2, 0}}));
}

TEST_F(MatchTeams, teamThatNobodyForked_isPassedOver) {
    setForks({fork(1, 10, 30)});
    setStays(1, {stay(0, 2, 8), stay(1, 12, 27), stay(7, 40, 50)});
    EXPECT_EQ(timesOf(1), (Times{{2, 3}}));
}

TEST_F(MatchTeams, lastArrival_isOfTheBarrierOfThatNumber) {
    const auto barrier = [](std::uint32_t sequence, Ticks enter) {
        replay::BarrierRecord record;
        record.team = {0, 0};
        record.sequence = sequence;
        record.enter = enter;
        return record;
    };
    const Ticks enters[2][2] = {{10, 30}, {20, 30}};  // by location and barrier
    for (std::size_t location = 0; location < 2; ++location) {
        RecordPacker<replay::BarrierRecord> packer(heap());
        for (std::uint32_t i = 0; i < 2; ++i) packer.append(barrier(i, enters[location][i]));
        trace_.locations.own(location).threads.barriers = packer.take();
    }
    const LastArrivals last(trace_);
    EXPECT_EQ(last.of(barrier(0, 0)).location, 1U);
    EXPECT_EQ(last.of(barrier(0, 0)).enter, 20);
    EXPECT_TRUE(last.of(barrier(0, 0)).isAwaited);
    EXPECT_EQ(last.of(barrier(1, 0)).location, 0U);  // both came at once
    EXPECT_FALSE(last.of(barrier(1, 0)).isAwaited);
}

}  // namespace
}  // namespace holos::analyzer::matching
