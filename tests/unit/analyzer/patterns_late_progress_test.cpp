// SPDX-License-Identifier: BSD-3-Clause
// Messages that wait until the process at their other end calls MPI again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kProgress = "mpi_lateprogress";

/// Rank 0 waits from 3 on until its message has left, and has no processor for a part of that; rank 1, which
/// has posted the receive, works until 40.
TraceBuilder& sentDuringWork(TraceBuilder& trace, Tick left, Tick without = 0) {
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 1).enter(3, "MPI_Wait").sendCompleted(left, 1);
    trace.on(0).leaveStarved(left, without).leave(70);
    trace.on(1)
        .enter(0, "main")
        .irecv(1, 2, 1)
        .call(2, 40, "work")
        .waitRecv(40, 62, {.peer = 0}, 1)
        .leave(70);
    return trace;
}

TEST(LateProgress, sendThatEndsWhenItsReceiverIsBackInMpi_waitsForThat) {
    TraceBuilder trace(2);
    const Findings found(sentDuringWork(trace, 41));
    EXPECT_NEAR(found.at(kProgress, "main/MPI_Wait", 0), 0.037, kExact);  // 40 - 3
    EXPECT_NEAR(found.total(kProgress), 0.037, kExact);
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
    // Of what rank 1 did meanwhile, its work is 38 of 39; the rest is MPI_Irecv.
    EXPECT_NEAR(found.at("delay_lateprogress", "main/work", 1), 0.037 * 38 / 39, kExact);
    EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), 0.037, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/work", 1), 0.038, kExact);
}

TEST(LateProgress, sendThatEndsLongAfterThat_hasOtherReasons) {
    TraceBuilder trace(2);
    EXPECT_EQ(Findings(sentDuringWork(trace, 60)).total(kProgress), 0);
}

/// Rank 1 is back for the message at 400, has it at once, and is in its next calls when rank 0 goes on.
TEST(LateProgress, receiverThatIsInALaterCallWhenTheSendEnds_wasWaitedForAllTheSame) {
    for (const Tick left : {430, 500}) {
        TraceBuilder trace(2);
        trace.on(0)
            .enter(0, "main")
            .isend(1, 2, {.peer = 1, .bytes = 2'000'000}, 1)
            .waitSend(3, left, 1)
            .barrier(left, 510)
            .leave(520);
        trace.on(1)
            .enter(0, "main")
            .irecv(1, 2, 1)
            .call(2, 400, "work")
            .waitRecv(400, 410, {.peer = 0, .bytes = 2'000'000}, 1)
            .call(411, 412, "MPI_Iprobe")
            .barrier(413, 510)
            .leave(520);
        const Findings found(trace);
        // 430 is soon behind 400 - 3, 500 is not.
        EXPECT_NEAR(found.at(kProgress, "main/MPI_Wait", 0), left == 430 ? 0.397 : 0.0, kExact);
        EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), left == 430 ? 0.397 : 0.0, kExact);
    }
}

/// Both ends are through with a large message at about the same time: it moved since rank 1 was back, at 40.
TEST(LateProgress, largeMessageThatTakesItsTimeAtBothEnds_waitsForTheOneThatCameLast) {
    for (const std::uint64_t bytes : {std::uint64_t{1'000'000}, std::uint64_t{8}}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1, .bytes = bytes}, 1).waitSend(3, 55, 1).leave(70);
        trace.on(1)
            .enter(0, "main")
            .irecv(1, 2, 1)
            .call(2, 40, "work")
            .waitRecv(40, 54, {.peer = 0, .bytes = bytes}, 1)
            .leave(70);
        EXPECT_NEAR(Findings(trace).at(kProgress, "main/MPI_Wait", 0), bytes == 8 ? 0.0 : 0.037, kExact);
    }
}

/// The other end need not receive the message: any call of MPI moves it.
TEST(LateProgress, receiverThatLooksForOtherMessages_endsTheWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 51, {.peer = 1}).leave(80);
    trace.on(1)
        .enter(0, "main")
        .call(0, 50, "work")
        .call(50, 52, "MPI_Iprobe")
        .call(52, 70, "more")
        .recv(70, 71, {.peer = 0})
        .leave(80);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kProgress, "main/MPI_Send", 0), 0.045, kExact);  // 50 - 5
    EXPECT_NEAR(found.at("delay_lateprogress", "main/work", 1), 0.045, kExact);
}

TEST(LateProgress, receiverThatComesForTheMessage_isALateReceiver) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 51, {.peer = 1}).leave(60);
    trace.on(1).enter(0, "main").call(0, 50, "work").recv(50, 52, {.peer = 0}).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latereceiver"), 0.045, kExact);
    EXPECT_EQ(found.total(kProgress), 0);
}

/// A receive may need its sender, too.
TEST(LateProgress, receiveOfAMessageWhoseSenderWorks_waitsForThat) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .isend(1, 2, {.peer = 1}, 1)
        .call(2, 40, "work")
        .waitSend(40, 42, 1)
        .leave(50);
    trace.on(1).enter(0, "main").recv(4, 41, {.peer = 0}).leave(50);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kProgress, "main/MPI_Recv", 1), 0.036, kExact);  // 40 - 4
    EXPECT_EQ(found.total("mpi_latesender"), 0);
}

TEST(LateProgress, receiveWhoseSenderIsLate_isThat) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 40, "work").send(40, 41, {.peer = 1}).leave(50);
    trace.on(1).enter(0, "main").recv(4, 41, {.peer = 0}).leave(50);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.036, kExact);
    EXPECT_EQ(found.total(kProgress), 0);
}

/// In a ring, each rank sends to the next one. Rank 1 has the message of rank 0 at once, and cannot send its
/// own before rank 2 comes, at 40; that takes 15 ticks.
double waitInARing(const char* call, std::uint64_t bytes) {
    TraceBuilder trace(3);
    const auto exchange = [&](unsigned rank, Tick begin, Tick end) {
        trace.on(rank)
            .enter(begin, call)
            .sent(begin, {.peer = (rank + 1) % 3, .bytes = bytes})
            .received(end, {.peer = (rank + 2) % 3, .bytes = bytes})
            .leave(end);
    };
    for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).enter(0, "main");
    exchange(0, 1, 58);
    exchange(1, 1, 55);
    trace.on(2).call(1, 40, "work");
    exchange(2, 40, 58);
    for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", std::string("main/") + call, 0), 0.039, kExact);  // 40 - 1
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
    return found.at(kProgress, std::string("main/") + call, 1);
}

TEST(LateProgress, exchangeOfLargeMessages_waitsForItsReceiver) {
    EXPECT_NEAR(waitInARing("MPI_Sendrecv", 1'000'000), 0.039, kExact);  // 40 - 1
    EXPECT_NEAR(waitInARing("MPI_Sendrecv_replace", 1'000'000), 0.039, kExact);
}

/// A message that is sent ahead needs no receiver; what else it waited for is not known.
TEST(LateProgress, exchangeOfSmallMessagesThatEndsLongAfterThat_hasOtherReasons) {
    EXPECT_EQ(waitInARing("MPI_Sendrecv", 8), 0);
}

constexpr auto* kLacked = "mpi_point2point_processor_waiting";
constexpr auto* kNotKnown = "mpi_point2point_unexplained";

/// Two ranks exchange messages. Rank 1 has its own at 6, and works from then on until 40; rank 0 had a
/// processor for `ran` ticks of its call, which ends when rank 1 is in MPI again and others may run.
Findings exchangeOnOneProcessor(std::uint64_t bytes, Tick ran) {
    TraceBuilder trace(2);
    const Message toRank0{.peer = 0, .bytes = bytes}, toRank1{.peer = 1, .bytes = bytes};
    trace.on(0).enter(0, "main").irecv(1, 2, 1).isend(2, 3, toRank1, 2).enter(4, "MPI_Waitall");
    trace.on(0).receiveCompleted(41, toRank1, 1).sendCompleted(41, 2).leaveStarved(41, 37 - ran).leave(70);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).isend(2, 3, toRank0, 2).enter(4, "MPI_Waitall");
    trace.on(1).receiveCompleted(6, toRank0, 1).sendCompleted(6, 2).leave(6).call(6, 40, "work");
    trace.on(1).call(40, 60, "MPI_Iprobe").leave(70);
    return Findings(trace);
}

TEST(LateProgress, partnerThatHadCompletedTheMessage_isNotWaitedFor) {
    for (const std::uint64_t bytes : {std::uint64_t{1'000'000}, std::uint64_t{38'880}}) {
        const Findings found = exchangeOnOneProcessor(bytes, 0);
        EXPECT_EQ(found.total(kProgress), 0) << bytes;
        EXPECT_NEAR(found.at(kLacked, "main/MPI_Waitall", 0), 0.037, kExact) << bytes;  // 41 - 4
        EXPECT_EQ(found.total(kNotKnown), 0) << bytes;
    }
}

/// A library may keep a small message that it calls sent, but no large one: rank 0 runs all the time, and has
/// the message when its sender is in MPI again.
TEST(LateProgress, senderThatCompletedASmallMessage_mayKeepIt) {
    EXPECT_NEAR(exchangeOnOneProcessor(2'000, 37).at(kProgress, "main/MPI_Waitall", 0), 0.034,
                kExact);  // 40 - 6
    EXPECT_EQ(exchangeOnOneProcessor(1'000'000, 37).total(kProgress), 0);
}

/// Small messages seldom need their other end. Rank 0 polls until rank 1 is back, or it had no processor
/// until then, so that it is not known whether it waited.
TEST(LateProgress, smallMessageOfWhoLackedAProcessor_isNotKnownToWait) {
    for (const Tick without : {Tick{30}, Tick{36}}) {
        TraceBuilder trace(2);
        const Findings found(sentDuringWork(trace, 41, without));
        const bool isKnown = without == 30;  // it ran for 7 of 37 ticks
        EXPECT_NEAR(found.at(kProgress, "main/MPI_Wait", 0), isKnown ? 0.037 : 0, kExact);  // 40 - 3
        EXPECT_NEAR(found.at(kNotKnown, "main/MPI_Wait", 0), isKnown ? 0 : 0.035, kExact);
    }
}

/// Rank 0 has sent a message, and tests for it every 100 ticks for a tick each until 500; then it waits for
/// its end. Rank 1 receives from 30 on, and lacked a processor for a part of that.
Findings sentWithTests(std::uint64_t bytes, Tick received, Tick without) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1, .bytes = bytes}, 1);
    for (Tick now = 101; now <= 501; now += 100)
        trace.on(0).enter(now, "MPI_Test").requestTested(now + 1, 1).leave(now + 1);
    trace.on(0).waitSend(502, std::max<Tick>(received, 504) + 1, 1).leave(1000);
    trace.on(1).enter(0, "main").enter(30, "MPI_Recv").received(received, {.peer = 0, .bytes = bytes});
    trace.on(1).leaveStarved(received, without).leave(1000);
    return Findings(trace);
}

TEST(LateProgress, senderThatTestsNowAndThen_isWaitedForAllTheTime) {
    const Findings found = sentWithTests(1'000'000, 503, 400);
    EXPECT_NEAR(found.at(kProgress, "main/MPI_Recv", 1), 0.472, kExact);  // 502 - 30
    EXPECT_NEAR(found.total(kLacked), 0.001, kExact);
    EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), 0.472, kRounding);
    EXPECT_GT(found.at("delay_lateprogress", "main", 0), 0.460);
}

/// Both are through at the same time, and neither had a processor since they were both in MPI.
TEST(LateProgress, largeMessageWithoutAProcessorBehindTheTests_waitedForThese) {
    const Findings found = sentWithTests(1'000'000, 900, 860);
    EXPECT_NEAR(found.at(kProgress, "main/MPI_Recv", 1), 0.472, kExact);
    EXPECT_NEAR(found.at(kLacked, "main/MPI_Recv", 1), 0.398, kExact);  // 900 - 502
}

/// In tests that stand together nobody knows which one mattered: what the call lacks is unexplained.
TEST(LateProgress, callThatEndsAmongTests_isNotKnownToWaitForOneOfThem) {
    const Findings found = sentWithTests(1'000'000, 350, 300);
    EXPECT_EQ(found.total(kProgress), 0);
    EXPECT_EQ(found.total(kLacked), 0);
    EXPECT_NEAR(found.at(kNotKnown, "main/MPI_Recv", 1), 0.300, kExact);
}

/// Who tests all the time is in MPI.
TEST(LateProgress, senderThatTestsAllTheTime_isNotWaitedFor) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1, .bytes = 1'000'000}, 1);
    for (Tick now = 2; now <= 500; now += 2)
        trace.on(0).enter(now, "MPI_Test").requestTested(now + 1, 1).leave(now + 1);
    trace.on(0).waitSend(502, 504, 1).leave(1000);
    trace.on(1).enter(0, "main").enter(30, "MPI_Recv").received(503, {.peer = 0, .bytes = 1'000'000});
    trace.on(1).leaveStarved(503, 400).leave(1000);
    const Findings found(trace);
    EXPECT_EQ(found.total(kProgress), 0);
    EXPECT_NEAR(found.at(kLacked, "main/MPI_Recv", 1), 0.400, kExact);
}

}  // namespace
}  // namespace holos::testing
