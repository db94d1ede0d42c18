// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/messages.h"

#include <gtest/gtest.h>

#include "tests/unit/analyzer/single_threads.h"

namespace holos::analyzer::matching {
namespace {

using trace::LocationId;
using trace::ProcessId;

/// Processes of one thread each in one communicator, with messages that are written down.
class MatchMessages : public ::testing::Test {
  protected:
    void build(std::size_t processes) {
        addSingleThreads(definitions_, processes);
        trace_.locations = ByLocation<replay::LocationTrace>(processes);
        for (std::size_t i = 0; i < processes; ++i) trace_.locations.own(i).messages.calls.push_back({});
    }
    void send(std::size_t from, std::uint32_t to, std::uint32_t tag, trace::Ticks time) {
        replay::Send record;
        record.call = 0;
        record.comm = 0;
        record.receiver = to;
        record.tag = tag;
        record.time = time;
        trace_.locations.own(from).messages.sends.push_back(record);
    }
    void receive(std::size_t at, std::uint32_t from, std::uint32_t tag, trace::Ticks time) {
        replay::Receive record;
        record.call = record.requestCall = 0;
        record.requestLocation = static_cast<std::uint32_t>(at);
        record.requestEvent = ++events_;
        record.comm = 0;
        record.sender = from;
        record.tag = tag;
        record.time = time;
        trace_.locations.own(at).messages.receives.push_back(record);
    }
    std::uint64_t match() {
        matches_ = matchMessages(trace_, *workers_, heap());
        return matches_.pairs;
    }
    /// Of the n-th receive of a location.
    replay::RecordRef sendOf(std::size_t at, std::size_t index) const { return matches_.sendOf[at][index]; }

    std::uint64_t events_ = 0;
    trace::Definitions definitions_;
    replay::ReplayedTrace trace_{definitions_, {}};
    MessageMatches matches_;
    std::unique_ptr<workers::Workers> workers_ = workers::makeThreads(2);
};

TEST_F(MatchMessages, sameTag_isFirstInFirstOut) {
    build(2);
    send(0, 1, 5, 10);
    send(0, 1, 5, 20);
    receive(1, 0, 5, 30);
    receive(1, 0, 5, 40);
    EXPECT_EQ(match(), 2U);
    EXPECT_EQ(sendOf(1, 0).position, 0U);
    EXPECT_EQ(sendOf(1, 1).position, 1U);
    EXPECT_EQ(matches_.receiveOf[0][1].location, 1U);
    EXPECT_EQ(matches_.receiveOf[0][1].position, 1U);
}

TEST_F(MatchMessages, otherTag_overtakes) {
    build(2);
    send(0, 1, 5, 10);
    send(0, 1, 6, 20);
    receive(1, 0, 6, 30);
    receive(1, 0, 5, 40);
    EXPECT_EQ(match(), 2U);
    EXPECT_EQ(sendOf(1, 0).position, 1U);
    EXPECT_EQ(sendOf(1, 1).position, 0U);
}

TEST_F(MatchMessages, cancelledSend_isPassedOver) {
    build(2);
    send(0, 1, 5, 10);
    trace_.locations.own(0).messages.sends[0].cancelled = true;
    send(0, 1, 5, 20);
    receive(1, 0, 5, 30);
    EXPECT_EQ(match(), 1U);
    EXPECT_EQ(sendOf(1, 0).position, 1U);
    EXPECT_TRUE(matches_.diagnoses[0].empty());
}

TEST_F(MatchMessages, withoutCounterpart_isReportedOnBothSides) {
    build(2);
    send(0, 1, 5, 10);
    receive(1, 0, 6, 30);
    receive(1, 9, 6, 40);  // there is no rank 9
    EXPECT_EQ(match(), 0U);
    ASSERT_EQ(matches_.diagnoses[0].size(), 1U);
    EXPECT_EQ(matches_.diagnoses[0][0].trouble, Trouble::UnmatchedMessage);
    ASSERT_EQ(matches_.diagnoses[1].size(), 1U);
    EXPECT_EQ(matches_.diagnoses[1][0].count, 2U);
}

TEST_F(MatchMessages, interCommunicator_ranksAreThoseOfTheOtherGroup) {
    build(4);
    definitions_.comms[0].members = {LocationId(0), LocationId(1)};
    definitions_.comms[0].remoteMembers = {LocationId(2), LocationId(3)};
    send(1, 0, 5, 10);     // to rank 0 of the other group: location 2
    receive(2, 1, 5, 30);  // from rank 1 of the other group: location 1
    EXPECT_EQ(match(), 1U);
    EXPECT_EQ(sendOf(2, 0).location, 1U);
}

TEST_F(MatchMessages, severalThreadsOfAProcess_areTakenByTime) {
    build(3);
    definitions_.locations[1].process = ProcessId(0);  // locations 0 and 1 are threads of process 0
    definitions_.processes[0].threads = {LocationId(0), LocationId(1)};
    definitions_.processes[1].threads = {};
    send(0, 2, 5, 20);
    send(1, 2, 5, 10);
    receive(2, 0, 5, 30);
    receive(2, 0, 5, 40);
    EXPECT_EQ(match(), 2U);
    EXPECT_EQ(sendOf(2, 0).location, 1U);
    EXPECT_EQ(sendOf(2, 1).location, 0U);
}

}  // namespace
}  // namespace holos::analyzer::matching
