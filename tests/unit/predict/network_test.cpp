// SPDX-License-Identifier: BSD-3-Clause
// Messages and collective operations on another network.
#include <gtest/gtest.h>

#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Messages of 1000 and 5000 bytes take 3 and 7: a latency of 2, and 1 for each 1000 bytes. The receiver
/// works for 10 after each.
TraceBuilder& twoMessages(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").call(0, 10, "work").send(10, 11, {.peer = 1, .bytes = 1000});
    trace.on(0).call(11, 31, "work").send(31, 32, {.peer = 1, .bytes = 5000}).leave(32);
    trace.on(1).enter(0, "main").recv(0, 13, {.peer = 0, .bytes = 1000}).call(13, 23, "use");
    trace.on(1).recv(23, 38, {.peer = 0, .bytes = 5000}).call(38, 48, "use").leave(48);
    return trace;
}

TEST(Network, isEstimatedFromTheMessages) {
    TraceBuilder trace(2);
    const Predicted run(twoMessages(trace));
    const analyzer::NetworkFacts& network = run.predictor().facts().network;
    EXPECT_NEAR(network.latency, 0.002, 1e-9);
    EXPECT_NEAR(network.bandwidth, 1e6, 1);  // 1000 bytes in a thousandth of a second
    EXPECT_FALSE(network.eager);
    EXPECT_FALSE(network.rendezvous);
    EXPECT_EQ(network.messages, 2);
    EXPECT_EQ(network.sizes, 2);
}

TEST(Network, latencyAndBandwidth_moveTheReceiver) {
    TraceBuilder trace(2);
    const Predicted run(twoMessages(trace));
    EXPECT_EQ(run.replayed(), 48);
    EXPECT_EQ(run.with("latency=2ms"), 48);
    EXPECT_EQ(run.with("latency=0"), 46);
    EXPECT_EQ(run.with("latency=12ms"), 58);
    EXPECT_EQ(run.with("bandwidth=5M"), 44);  // 5000 bytes in 1
    EXPECT_EQ(run.with("bandwidth=500K"), 53);
    EXPECT_EQ(run.with("latency=0", "bandwidth=infinite"), 41);
}

TEST(Network, ideal_leavesOnlyWorkAndWaiting) {
    TraceBuilder trace(2);
    // Sent at 10 and 30; used until 20, and from 30 to 40.
    EXPECT_EQ(Predicted(twoMessages(trace)).with("network=ideal"), 40);
}

/// It waits for the sender until 10, and lacks a processor for 15 of the 20 that it needs then.
TEST(Network, ideal_givesNobodyAProcessor) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(0, "work").leaveStarved(10, 1).send(10, 11, {.peer = 1}).leave(12);
    trace.on(1)
        .enter(0, "main")
        .enter(2, "MPI_Recv")
        .received(30, {.peer = 0})
        .leaveStarved(30, 15)
        .leave(40);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 40);
    EXPECT_EQ(run.with("network=ideal"), 35);  // 10 + 15, and 10
}

/// The test finds nothing, although the message has been sent: it lacked a processor for 25 of its 30.
TEST(Network, ideal_givesNobodyAProcessorInTests) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(0, 1, {.peer = 1}).call(1, 20, "work").leave(20);
    trace.on(1).enter(0, "main").call(0, 10, "work").enter(10, "MPI_Test").leaveStarved(40, 25);
    trace.on(1).enter(40, "MPI_Test").received(42, {.peer = 0}).leave(42).call(42, 50, "work").leave(50);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 50);
    EXPECT_EQ(run.with("network=ideal"), 43);  // 10, 25 and 8
    EXPECT_EQ(run.with("network=ideal", "network=ideal"), 43);
    EXPECT_EQ(run.with("network=ideal", "remove MPI_Test"), 19);
}

/// The message is sent while the receiver asks for it: at 20, and no processor is needed before.
TEST(Network, ideal_givesNobodyAProcessorInTestsThatWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 20, "work").send(20, 21, {.peer = 1}).leave(21);
    trace.on(1).enter(0, "main").call(0, 10, "work").enter(10, "MPI_Test").leaveStarved(40, 15);
    trace.on(1).enter(40, "MPI_Test").received(42, {.peer = 0}).leave(42).call(42, 50, "work").leave(50);
    EXPECT_EQ(Predicted(trace).with("network=ideal"), 43);  // 20, 15 and 8
}

/// Nothing makes a run longer that takes nothing but time away.
TEST(PredictedRange, ofWhatOnlyShortens_endsAtTheRecordedRun) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 100, "work").send(100, 101, {.peer = 1}).leave(101);
    trace.on(1).enter(0, "main").recv(0, 101, {.peer = 0}).leave(101);
    const Predicted run(trace);
    const auto range = [&](const char* condition) {
        const auto parsed = analyzer::predict::parseCondition(condition);
        return analyzer::predictedTime(run.predictor(), {&parsed, 1});
    };
    EXPECT_NEAR(range("network=ideal").most, 0.101, 1e-9);
    EXPECT_NEAR(range("speedup work=1").most, 0.101, 1e-9);
    EXPECT_NEAR(range("speedup work=0.5").most, 0.201 * 1.02 + 0.001, 1e-4);
}

/// What the others took, is no time of the network: the first message takes 3, the second 20, of which its
/// receiver has no processor for 15.
TEST(Network, isEstimatedFromMessagesOfThreadsThatHadProcessors) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "work").send(10, 11, {.peer = 1, .bytes = 8});
    trace.on(0).call(11, 31, "work").send(31, 32, {.peer = 1, .bytes = 64}).leave(60);
    trace.on(1).enter(0, "main").recv(0, 13, {.peer = 0, .bytes = 8}).enter(20, "MPI_Recv");
    trace.on(1).received(51, {.peer = 0, .bytes = 64}).leaveStarved(51, 15).leave(60);
    const analyzer::NetworkFacts network = Predicted(trace).predictor().facts().network;
    EXPECT_NEAR(network.latency, 0.003, 1e-9);
    EXPECT_EQ(network.messages, 1);
    EXPECT_EQ(network.starved, 1);
    EXPECT_EQ(network.sizes, 1);
}

/// The sender has none before its message leaves.
TEST(Network, ofThreadsWithoutProcessors_isNotKnown) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(10, "MPI_Send").sent(28, {.peer = 1}).leaveStarved(30, 18).leave(40);
    trace.on(1).enter(0, "main").recv(0, 32, {.peer = 0}).leave(40);
    const Predicted run(trace);
    EXPECT_EQ(run.predictor().facts().network.messages, 0);
    EXPECT_EQ(run.predictor().facts().network.starved, 1);
    EXPECT_EQ(run.predictor().facts().network.latency, 0);
    EXPECT_EQ(run.replayed(), 40);
}

/// All are there at 10. Rank 1 lacks a processor until 22, and rank 0 does not wait for it.
TEST(Network, ideal_givesNobodyAProcessorInCollectiveOperations) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "work").barrier(10, 14).leave(20);
    trace.on(1).enter(0, "main").enter(5, "MPI_Barrier").collectiveBegin(5);
    trace.on(1).collectiveEnd(24, OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0});
    trace.on(1).leaveStarved(24, 12).leave(30);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 30);
    EXPECT_EQ(run.with("network=ideal"), 28);  // 10 + 12, and 6
}

TEST(Network, ideal_startsAsSlowly) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U})
        trace.on(rank)
            .enter(0, "main")
            .call(0, 10, "MPI_Init")
            .call(10, 20, "work")
            .barrier(20, 25)
            .leave(25);
    EXPECT_EQ(Predicted(trace).with("network=ideal"), 20);
}

/// The sender of a large message waits until it is received, and works for 10 then.
TraceBuilder& lateReceiver(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").send(0, 22, {.peer = 1, .bytes = 100'000}).call(22, 32, "work").leave(32);
    trace.on(1).enter(0, "main").call(0, 20, "other").recv(20, 22, {.peer = 0, .bytes = 100'000}).leave(22);
    return trace;
}

TEST(Rendezvous, waitsForTheReceiver) {
    TraceBuilder trace(2);
    const Predicted run(lateReceiver(trace));
    EXPECT_FALSE(run.predictor().facts().network.eager);
    EXPECT_EQ(run.predictor().facts().network.rendezvous, 100'000);
    EXPECT_EQ(run.with("speedup other=2"), 22);
}

TEST(Rendezvous, withLargerEagerLimit_doesNotWait) {
    TraceBuilder trace(2);
    const Predicted run(lateReceiver(trace));
    EXPECT_EQ(run.with("eager=1M"), 22);  // the receiver's end; the sender needs 2 and works for 10
    EXPECT_EQ(run.with("eager=10K"), 32);
}

/// A message that was through before its receive was posted needs nobody.
TEST(Eager, doesNotWaitForTheReceiver) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(0, 1, {.peer = 1}).call(1, 31, "work").leave(31);
    trace.on(1).enter(0, "main").call(0, 20, "other").recv(20, 21, {.peer = 0}).leave(21);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup other=0.1"), 201);
    EXPECT_EQ(run.with("speedup other=2", "speedup work=10"), 11);
}

/// Two small messages: one that is received meanwhile, and one for which the receiver has to end its work.
TEST(Eager, smallMessageThatWaitedForTheReceiver_waitsAsLongAsThatWorks) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(0, 1, {.peer = 1}).send(2, 41, {.peer = 1}).leave(50);
    trace.on(1)
        .enter(0, "main")
        .call(0, 1, "other")
        .recv(1, 2, {.peer = 0})
        .call(2, 40, "work")
        .recv(40, 42, {.peer = 0})
        .leave(50);
    const Predicted run(trace);
    EXPECT_FALSE(run.predictor().facts().network.rendezvous);
    EXPECT_EQ(run.replayed(), 50);
    EXPECT_EQ(run.with("speedup work=2"), 31);
    EXPECT_EQ(run.with("network=ideal"), 47);
}

TEST(Eager, messageThatNeedsProgress_waitsAsLongAsItsOtherEndWorks) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 1).waitSend(3, 41, 1).leave(50);
    trace.on(1)
        .enter(0, "main")
        .irecv(1, 2, 1)
        .call(2, 40, "work")
        .waitRecv(40, 42, {.peer = 0}, 1)
        .leave(50);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 50);
    EXPECT_EQ(run.with("speedup work=2"), 31);
}

TEST(SynchronousSend, waitsForTheReceiverHoweverSmall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(0, 21, {.peer = 1}, "MPI_Ssend").leave(21);
    trace.on(1).enter(0, "main").call(0, 20, "other").recv(20, 21, {.peer = 0}).leave(21);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup other=2"), 11);
    EXPECT_EQ(run.with("network=ideal"), 20);
}

TEST(Nonblocking, computationHidesTheMessage) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .call(0, 10, "work")
        .isend(10, 11, {.peer = 1}, 1)
        .waitSend(11, 12, 1)
        .leave(12);
    trace.on(1)
        .enter(0, "main")
        .irecv(0, 1, 1)
        .call(1, 30, "overlapped")
        .waitRecv(30, 31, {.peer = 0}, 1)
        .leave(31);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup work=10"), 31);
    EXPECT_EQ(run.with("speedup overlapped=29"),
              12);                                 // sent at 10: the receiver ends at 11, the sender at 12
    EXPECT_EQ(run.with("speedup work=0.25"), 42);  // sent at 40
}

/// The slower the network, the longer a barrier takes behind the last one: 3 stages of 8 ranks.
TEST(Collectives, cost_followsLatency) {
    TraceBuilder trace(8);
    trace.on(0).enter(0, "main").send(0, 1, {.peer = 1}).call(1, 20, "work").barrier(20, 26).leave(26);
    trace.on(1).enter(0, "main").recv(0, 2, {.peer = 0}).call(2, 20, "work").barrier(20, 26).leave(26);
    for (const unsigned rank : {2U, 3U, 4U, 5U, 6U, 7U})
        trace.on(rank).enter(0, "main").call(0, 20, "work").barrier(20, 26).leave(26);
    const Predicted run(trace);
    EXPECT_EQ(run.with("latency=2ms"), 26);
    EXPECT_EQ(run.with("latency=1ms"), 23);
    EXPECT_EQ(run.with("latency=4ms"), 32 + 2);  // the message, too
    EXPECT_EQ(run.with("network=ideal"), 20);
}

}  // namespace
}  // namespace holos::testing
