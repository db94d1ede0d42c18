// SPDX-License-Identifier: BSD-3-Clause
// Calls that find nothing, and what they wait for.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kPolling = "mpi_latesender_polling";
constexpr auto* kTest = "main/MPI_Test";

/// Rank 0 sends at a time; rank 1 tests at 10, 14 and 18 for two ticks each, and finds the message at 30.
Findings threeTests(Tick sends, const char* finds = "MPI_Test", const char* looks = "MPI_Test") {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, sends, "work").send(sends, sends + 1, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    for (const Tick begin : {10, 14, 18})
        trace.on(1).enter(begin, looks).requestTested(begin + 2, 1).leave(begin + 2);
    trace.on(1).waitRecv(30, 31, {.peer = 0}, 1, finds).leave(40);
    return Findings(trace);
}

TEST(Polling, sendBehindAllTests_theirTimeIsTheWait) {
    const Findings found = threeTests(25);
    EXPECT_NEAR(found.at(kPolling, kTest, 1), 0.006, kExact);  // 3 of 2
    EXPECT_NEAR(found.total(kPolling), 0.006, kExact);
    EXPECT_EQ(found.total("mpi_latesender"), 0);
}

TEST(Polling, sendBeforeTheFirst_noWait) {
    EXPECT_EQ(threeTests(5).total(kPolling), 0);
    EXPECT_EQ(threeTests(10).total(kPolling), 0);
}

TEST(Polling, sendBetweenThem_thePartBefore) {
    EXPECT_NEAR(threeTests(15).total(kPolling), 0.003, kExact);  // 6 (15 - 10) / (20 - 10)
    EXPECT_NEAR(threeTests(20).total(kPolling), 0.006, kExact);
}

/// What is left of the wait is in the call that blocks.
TEST(Polling, waitBehindTests_bothHaveTheirPart) {
    const Findings found = threeTests(30, "MPI_Wait");
    EXPECT_NEAR(found.total(kPolling), 0.006, kExact);
    EXPECT_EQ(found.total("mpi_latesender"), 0);
    EXPECT_NEAR(threeTests(31, "MPI_Wait").total("mpi_latesender"), 0.001, kExact);
}

/// Calls that look, and leave it to another one to complete what they look for.
TEST(Polling, looksThatCompleteNothing_areTests) {
    for (const std::string looks : {"MPI_Parrived", "MPI_Request_get_status", "MPI_Request_get_status_all"}) {
        const Findings found = threeTests(30, "MPI_Wait", looks.c_str());
        EXPECT_NEAR(found.at(kPolling, "main/" + looks, 1), 0.006, kExact) << looks;
        EXPECT_NEAR(found.at("mpi_point2point", "main/" + looks, 1), 0.006, kExact) << looks;
    }
}

TEST(Polling, causer_isWhoSendsLate) {
    const Findings found = threeTests(25);
    EXPECT_NEAR(found.total("delay_latesender"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.006, kExact);
    EXPECT_NEAR(found.at("mpi_wait_direct_latesender", kTest, 1), 0.006, kExact);
}

/// Each of them is a row of its own, and all have one cause.
TEST(Polling, causer_isWhoSendsLate_whateverIsCalledBetween) {
    constexpr Tick kSends = 300;
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, kSends, "work").send(kSends, kSends + 1, {.peer = 1}).leave(400);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    for (Tick begin = 10; begin < kSends - 4; begin += 4)
        trace.on(1).call(begin, begin + 2, "MPI_Test").call(begin + 2, begin + 3, "look elsewhere");
    trace.on(1).waitRecv(310, 311, {.peer = 0}, 1, "MPI_Test").leave(400);
    const Findings found(trace);
    const double waited = found.at(kPolling, kTest, 1);
    EXPECT_GT(waited, 0.140);
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), waited, kExact);
    EXPECT_NEAR(found.total("delay_latesender"), waited, kExact);
    EXPECT_NEAR(found.total("mpi_wait_direct_latesender"), waited, kExact);
}

/// Two calls in one, as recorders write them that do not keep each apart: 10 to 12 and 14 to 16, and 6 more.
TEST(Polling, callThatStandsForSeveral_isAsTheyAre) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(25, 26, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).call(10, 12, "MPI_Test");
    trace.on(1).severalCalls(18, 20, "MPI_Test", 4, 6).waitRecv(30, 31, {.peer = 0}, 1, "MPI_Test").leave(40);
    const Findings found(trace);
    EXPECT_EQ(found.at("visits", kTest, 1), 6);  // 1 + 4 + 1
    EXPECT_NEAR(found.at("time", kTest, 1), 0.005, kExact);
    EXPECT_NEAR(found.total(kPolling), 0.004, kExact);
}

TEST(Polling, callThatStandsForSeveral_beginsBeforeItsEnter) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(15, 16, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    trace.on(1)
        .severalCalls(18, 20, "MPI_Test", 4, 10)
        .waitRecv(30, 31, {.peer = 0}, 1, "MPI_Test")
        .leave(40);
    EXPECT_NEAR(Findings(trace).total(kPolling), 0.001, kExact);  // 2 (15 - 10) / (20 - 10)
}

TEST(Polling, probesBeforeAReceive_waitForItsMessage) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(15, 16, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").call(10, 12, "MPI_Iprobe").call(12, 14, "MPI_Iprobe");
    trace.on(1).call(18, 19, "MPI_Iprobe").recv(30, 31, {.peer = 0}).leave(40);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kPolling, "main/MPI_Iprobe", 1), 0.002, kExact);  // of 5, 5 ninths, in whole ticks
}

/// Rank 0 works for ten ticks and sends, twice; rank 1 probes for each message and receives it.
Findings twoProbes(const char* probe, const char* receive) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "work").send(10, 11, {.peer = 1});
    trace.on(0).call(11, 21, "work").send(21, 22, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").call(1, 12, probe).recv(12, 13, {.peer = 0}, receive);
    trace.on(1).call(13, 23, probe).recv(23, 24, {.peer = 0}, receive).leave(40);
    return Findings(trace);
}

TEST(Polling, probesThatBlock_waitUntilTheirMessagesAreSent) {
    for (const auto& [probe, receive] : {std::pair{"MPI_Probe", "MPI_Recv"}, {"MPI_Mprobe", "MPI_Mrecv"}}) {
        const Findings found = twoProbes(probe, receive);
        EXPECT_NEAR(found.at(kPolling, std::string("main/") + probe, 1), 0.017, kExact);  // 10 - 1, 21 - 13
        EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.017, kExact);
        EXPECT_EQ(found.total("mpi_latesender"), 0);
    }
}

TEST(Polling, probeOfAMessageThatIsThere_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1}).leave(40);
    trace.on(1).enter(0, "main").call(5, 8, "MPI_Probe").recv(12, 13, {.peer = 0}).leave(40);
    EXPECT_EQ(Findings(trace).total(kPolling), 0);
}

/// Both wait, although nothing is called between them.
TEST(Polling, severalProbesBeforeTheReceives_eachIsAsLongAsItWaited) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").send(10, 11, {.peer = 2}).leave(40);
    trace.on(1).enter(0, "main").send(20, 21, {.peer = 2}).leave(40);
    trace.on(2).enter(0, "main").call(2, 11, "MPI_Probe").call(11, 21, "MPI_Probe");
    trace.on(2).recv(21, 22, {.peer = 0}).recv(22, 23, {.peer = 1}).leave(40);
    EXPECT_NEAR(Findings(trace).total(kPolling), 0.017, kExact);  // 10 - 2, 20 - 11
}

/// MPI_Imrecv receives what was probed for; MPI_Irecv something else.
TEST(Polling, probedMessageThatAWaitCompletes_isWaitedFor) {
    for (const auto& [post, wait] : {std::pair{"MPI_Imrecv", 0.008}, {"MPI_Irecv", 0.0}}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).leave(40);
        trace.on(1).enter(0, "main").call(2, 11, "MPI_Mprobe").irecv(12, 13, 1, post);
        trace.on(1).waitRecv(14, 15, {.peer = 0}, 1).leave(40);
        EXPECT_NEAR(Findings(trace).total(kPolling), wait, kExact) << post;
    }
}

/// What completes in between had its own tests.
TEST(Polling, eachMessage_hasTheTestsSinceTheOneBefore) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(15, 16, {.peer = 1}).send(35, 36, {.peer = 1, .tag = 1}).leave(60);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).irecv(2, 3, 2).call(10, 12, "MPI_Test");
    trace.on(1).waitRecv(20, 21, {.peer = 0}, 1, "MPI_Test").call(22, 25, "MPI_Test");
    trace.on(1).waitRecv(40, 41, {.peer = 0, .tag = 1}, 2, "MPI_Test").leave(60);
    EXPECT_NEAR(Findings(trace).total(kPolling), 0.005, kExact);  // 2 + 3
}

constexpr auto kAllreduce = OTF2_COLLECTIVE_OP_ALLREDUCE;

/// Rank 0 begins an operation at 1, tests for it at 10, 14 and 18 for two ticks each, and finds it complete
/// at 30; rank 1 begins it at a time.
Findings testsForAllOfThem(Tick begins, OTF2_CollectiveOp operation, const char* name) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, name);
    for (const Tick begin : {10, 14, 18})
        trace.on(0).enter(begin, "MPI_Test").requestTested(begin + 2, 1).leave(begin + 2);
    trace.on(0).waitCollective(30, 31, operation, {}, 1, "MPI_Test").leave(40);
    trace.on(1).enter(0, "main").startCollective(begins, begins + 1, 1, name);
    trace.on(1).waitCollective(32, 33, operation, {}, 1).leave(40);
    return Findings(trace);
}

TEST(Polling, operationThatAnotherRankBeginsLate_isWaitedFor) {
    const Findings found = testsForAllOfThem(25, kAllreduce, "MPI_Iallreduce");
    EXPECT_NEAR(found.at("mpi_collective_polling", kTest, 0), 0.006, kExact);
    EXPECT_NEAR(found.total("mpi_collective_polling"), 0.006, kExact);
    EXPECT_NEAR(found.at("mpi_collective", kTest, 0), 0.006, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", kTest, 0), 0.001, kExact);  // that which found it
    EXPECT_EQ(found.total(kPolling), 0);
}

TEST(Polling, barrierThatAnotherRankBeginsLate_isWaitedFor) {
    const Findings found = testsForAllOfThem(15, OTF2_COLLECTIVE_OP_BARRIER, "MPI_Ibarrier");
    EXPECT_NEAR(found.at("mpi_barrier_polling", kTest, 0), 0.003, kExact);  // 6 (15 - 10) / (20 - 10)
    EXPECT_EQ(found.total("mpi_collective_polling"), 0);
}

/// As those of a wait in the operation are.
TEST(Polling, causerOfTestsForAnOperation_isWhoBeginsItLate) {
    const Findings found = testsForAllOfThem(25, kAllreduce, "MPI_Iallreduce");
    EXPECT_NEAR(found.at("delay_n2n", "main", 1), 0.006, kExact);
    EXPECT_NEAR(found.total("delay_n2n"), 0.006, kExact);
    EXPECT_EQ(found.total("delay_latesender"), 0);
    const Findings barrier = testsForAllOfThem(25, OTF2_COLLECTIVE_OP_BARRIER, "MPI_Ibarrier");
    EXPECT_NEAR(barrier.at("delay_barrier", "main", 1), 0.006, kExact);
    EXPECT_EQ(barrier.total("delay_n2n"), 0);
}

/// What was done between the tests, and before rank 1 began, did not keep anybody.
TEST(Polling, criticalPath_leavesTestsWhenTheOtherBegins) {
    const Findings found = testsForAllOfThem(25, kAllreduce, "MPI_Iallreduce");
    EXPECT_NEAR(found.at("critical_path", "main", 1), 0.025, kExact);  // 0 to 25
    EXPECT_NEAR(found.at("critical_path", "main", 0), 0.014, kExact);  // 25 to 30 and 31 to 40
    EXPECT_NEAR(found.at("critical_path", kTest, 0), 0.001, kExact);   // 30 to 31
    EXPECT_NEAR(found.total("critical_path"), 0.040, kExact);
}

TEST(Polling, operationThatAllHaveBegun_isNoWait) {
    EXPECT_EQ(testsForAllOfThem(5, kAllreduce, "MPI_Iallreduce").total("mpi_collective_polling"), 0);
}

TEST(Polling, testsThatNothingEnds_areNoWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").leave(40);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).call(10, 12, "MPI_Test").leave(40);
    EXPECT_EQ(Findings(trace).total(kPolling), 0);
}

TEST(Polling, sendsThatAreTested_areNoWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 1).call(10, 12, "MPI_Test");
    trace.on(0).waitSend(20, 21, 1, "MPI_Test").leave(40);
    trace.on(1).enter(0, "main").recv(15, 21, {.peer = 0}).leave(40);
    EXPECT_EQ(Findings(trace).total(kPolling), 0);
}

/// Rank 0 begins to send at 1, and asks for the end of that at 10, 14 and 18 for two ticks each, with a pause
/// of two behind each; it finds it at 30. Rank 1 works until it posts the receive.
Findings testsOfASend(const char* sends, std::uint64_t bytes, Tick posted) {
    TraceBuilder trace(2);
    trace.region("usleep", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    trace.on(0).enter(0, "main").enter(1, sends).sendPosted(1, {.peer = 1, .bytes = bytes}, 1).leave(2);
    for (const Tick begin : {10, 14, 18})
        trace.on(0).call(begin, begin + 2, "MPI_Test").call(begin + 2, begin + 4, "usleep");
    trace.on(0).waitSend(30, 31, 1, "MPI_Test").leave(40);
    trace.on(1).enter(0, "main").call(0, posted, "work").recv(posted, 32, {.peer = 0, .bytes = bytes});
    trace.on(1).leave(40);
    return Findings(trace);
}

TEST(Polling, sendThatNeedsItsReceive_isWaitedForUntilThatIsPosted) {
    constexpr auto* kReceiver = "mpi_latereceiver_polling";
    constexpr auto* kReceiverPauses = "system_waiting_receiver_polling";
    constexpr std::uint64_t kLarge = 1'000'000;
    for (const auto& [sends, bytes] : {std::pair{"MPI_Issend", std::uint64_t{8}}, {"MPI_Isend", kLarge}}) {
        const Findings found = testsOfASend(sends, bytes, 25);
        EXPECT_NEAR(found.at(kReceiver, kTest, 0), 0.006, kExact) << sends;                // 3 of 2
        EXPECT_NEAR(found.at(kReceiverPauses, "main/usleep", 0), 0.006, kExact) << sends;  // 3 of 2
        EXPECT_EQ(found.total(kPolling), 0) << sends;
        EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1), 0.012, kExact) << sends;
        EXPECT_NEAR(found.total("mpi_wait_direct_latereceiver"), 0.012, kExact) << sends;
        EXPECT_EQ(testsOfASend(sends, bytes, 5).total(kReceiver), 0) << sends;
        EXPECT_NEAR(testsOfASend(sends, bytes, 15).total(kReceiver), 0.003, kExact) << sends;
    }
}

/// It is sent ahead: what the tests wait for is not known.
TEST(Polling, smallSendThatNeedsNoReceive_isNoWait) {
    EXPECT_EQ(testsOfASend("MPI_Isend", 8, 25).total("mpi_latereceiver_polling"), 0);
}

/// Both begin an operation at 1. Rank 1 works until 25, and is back in MPI then; rank 0 tests in vain before.
/// A thread without a processor says that our recorder made the trace.
TEST(Polling, operationOfWhichOneWorksOutsideOfMpi_isWaitedForUntilThatIsBack) {
    for (const bool isOurs : {true, false}) {
        TraceBuilder trace(2);
        for (unsigned rank = 0; rank < 2; ++rank)
            trace.on(rank).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
        for (const Tick begin : {10, 14, 18}) trace.on(0).call(begin, begin + 2, "MPI_Test");
        trace.on(0).waitCollective(26, 27, OTF2_COLLECTIVE_OP_BARRIER, {}, 1, "MPI_Test").leave(40);
        trace.on(1).call(2, 25, "work").waitCollective(25, 27, OTF2_COLLECTIVE_OP_BARRIER, {}, 1);
        trace.on(1).enter(30, "work");
        if (isOurs)
            trace.on(1).leaveStarved(35, 1).leave(40);
        else
            trace.on(1).leave(35).leave(40);
        const Findings found(trace);
        EXPECT_NEAR(found.at("mpi_barrier_polling", kTest, 0), isOurs ? 0.006 : 0.0, kExact);
        EXPECT_NEAR(found.at("delay_barrier", "main/work", 1), isOurs ? 0.006 : 0.0, kExact);
    }
}

/// Rank 2 was through before rank 1 was back at 40, so that not all needed that one: the tests of rank 0 show
/// it where they ended soon, or lacked a processor meanwhile.
TEST(Polling, operationThatSomebodyEndedBefore_isWaitedForWhereTheTestsShowIt) {
    for (const Tick without : {Tick{19}, Tick{1}}) {
        TraceBuilder trace(3);
        for (unsigned rank = 0; rank < 3; ++rank)
            trace.on(rank).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
        trace.on(0).enter(10, "MPI_Test").leaveStarved(55, without);
        trace.on(0).waitCollective(56, 57, OTF2_COLLECTIVE_OP_BARRIER, {}, 1, "MPI_Test").leave(70);
        trace.on(1).call(2, 40, "work").waitCollective(40, 57, OTF2_COLLECTIVE_OP_BARRIER, {}, 1).leave(70);
        trace.on(2).waitCollective(4, 6, OTF2_COLLECTIVE_OP_BARRIER, {}, 1).leave(70);
        const double wait = without == 19 ? 0.030 : 0.0;  // 45 (40 - 10) / (55 - 10)
        EXPECT_NEAR(Findings(trace).at("mpi_barrier_polling", kTest, 0), wait, kExact);
    }
}

/// All begin a barrier at 1, and rank 1 works until 40. Rank 0 asks each 5 ticks for a tick and sleeps in
/// between; rank 2, which was through before, is away for a moment, too.
TEST(Polling, sleepBetweenTestsForAnOperation_doesNotHideWhoWorksMeanwhile) {
    TraceBuilder trace(3);
    trace.region("usleep", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    for (unsigned rank = 0; rank < 3; ++rank)
        trace.on(rank).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
    for (Tick begin = 2; begin < 42; begin += 5)
        trace.on(0).call(begin, begin + 1, "MPI_Test").call(begin + 1, begin + 5, "usleep");
    trace.on(0).waitCollective(42, 43, OTF2_COLLECTIVE_OP_BARRIER, {}, 1, "MPI_Test").leave(70);
    trace.on(1).call(2, 40, "work").waitCollective(40, 43, OTF2_COLLECTIVE_OP_BARRIER, {}, 1);
    trace.on(1).enter(43, "work").leaveStarved(60, 1).leave(70);  // our recorder made the trace
    trace.on(2).call(3, 5, "work").waitCollective(5, 6, OTF2_COLLECTIVE_OP_BARRIER, {}, 1).leave(70);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_polling", kTest, 0), 0.008, kExact);  // eight tests until 38
    EXPECT_NEAR(found.at("system_waiting_collective_polling", "main/usleep", 0), 0.030,
                kExact);  // seven of 4, and two ticks of the last
    EXPECT_GT(found.at("delay_barrier", "main/work", 1), 0.036);
    EXPECT_EQ(found.at("delay_barrier", "main/work", 2), 0);
}

/// Two places that take turns: in the end each is one row, whatever their number.
TEST(Polling, placesThatTakeTurns_areAFewRows) {
    constexpr Tick kTurns = 1000;
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5000, 5001, {.peer = 1}).leave(6000);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    for (Tick i = 0; i < kTurns; ++i)
        trace.on(1).call(4 * i + 10, 4 * i + 11, "MPI_Test").call(4 * i + 12, 4 * i + 13, "MPI_Testany");
    trace.on(1).waitRecv(5500, 5501, {.peer = 0}, 1, "MPI_Test").leave(6000);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kPolling, kTest, 1), 1.0, kExact);
    EXPECT_NEAR(found.at(kPolling, "main/MPI_Testany", 1), 1.0, kExact);
}

const RegionKind kSystem{OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"};
constexpr auto* kPauses = "system_waiting_polling";

/// Rank 0 sends at 200. Rank 1 asks for the message for a tick, and does something for eight, again and again
/// until 280; then both meet.
Findings asksInALoop(const char* between, Tick worksFirst = 0) {
    TraceBuilder trace(2);
    trace.region(between, kSystem);
    trace.on(0)
        .enter(0, "main")
        .call(0, 200, "work")
        .send(200, 201, {.peer = 1})
        .barrier(202, 290)
        .leave(300);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    for (Tick begin = 10; begin < 280; begin += 10)
        trace.on(1).call(begin, begin + 1, "MPI_Test").call(begin + 1 + worksFirst, begin + 9, between);
    trace.on(1).waitRecv(280, 281, {.peer = 0}, 1, "MPI_Test").barrier(281, 290).leave(300);
    return Findings(trace);
}

TEST(Polling, pausesBetweenTests_areTheWaitUntilTheSend) {
    for (const char* pause : {"usleep", "poll", "sched_yield"}) {
        const Findings found = asksInALoop(pause);
        const std::string path = std::string("main/") + pause;
        EXPECT_NEAR(found.at(kPauses, path, 1), 0.152, 0.001) << pause;   // 8 of each 10 from 11 to 200
        EXPECT_NEAR(found.at("system_waiting", path, 1), 0.216, kExact);  // 27 of 8
        EXPECT_NEAR(found.at(kPolling, kTest, 1), 0.019, 0.001);
        EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.171, 0.002);
        EXPECT_NEAR(found.total("mpi_wait_direct_latesender") + found.total("mpi_wait_indirect_latesender"),
                    0.171, 0.002);
        // Rank 0 waits at the barrier, and only for what rank 1 sleeps after the send.
        EXPECT_LT(found.at("delay_barrier", path, 1), 0.080);
    }
}

/// Such sleep is not there to wait.
TEST(Polling, sleepInOtherFunctionsOrLongBehindTests_isNoWaitForTheMessage) {
    EXPECT_EQ(asksInALoop("read").total(kPolling) > 0, true);
    EXPECT_FALSE(asksInALoop("read").result().experiment.findMetric(kPauses));
    EXPECT_EQ(asksInALoop("usleep", 5).total(kPauses), 0);
}

/// The program has all it has asked for.
TEST(Polling, pausesBehindCallsThatFound_areNoWait) {
    TraceBuilder trace(2);
    trace.region("usleep", kSystem);
    trace.on(0).enter(0, "main").send(30, 31, {.peer = 1}).send(90, 91, {.peer = 1}).leave(100);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).waitRecv(31, 32, {.peer = 0}, 1, "MPI_Test");
    trace.on(1).call(32, 80, "usleep").irecv(81, 82, 2).call(83, 84, "MPI_Test");
    trace.on(1).waitRecv(92, 93, {.peer = 0}, 2, "MPI_Test").leave(100);
    const Findings found(trace);
    EXPECT_NEAR(found.total(kPolling), 0.001, kExact);
    EXPECT_EQ(found.total(kPauses), 0);
}

constexpr auto* kTestLock = "omp_test_lock";
constexpr auto* kTryLock = "pthread_mutex_trylock";

/// Thread 0 of a process has a lock until a time. Thread 1 asks for it at 10, 14 and 18 for two ticks each,
/// and has it from 31 on, in a call that begins at 30.
class LockedTrace {
  public:
    LockedTrace(Tick released, const char* asks, const char* acquires) {
        for (const char* region : {kTryLock, "pthread_mutex_lock"})
            trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).enter(0, "main");
        trace.on(0, 0).acquire(1, 1, 1).call(1, released, "work").release(released, 1, 1).leave(60);
        for (const Tick begin : {10, 14, 18}) trace.on(0, 1).call(begin, begin + 2, asks);
        trace.on(0, 1).enter(30, acquires).acquire(31, 1, 2).leave(31).release(50, 1, 2).leave(60);
    }
    Findings findings() { return Findings(trace); }

    TraceBuilder trace{1, 2};
};

Findings locked(Tick released, const char* asks = kTestLock, const char* acquires = kTestLock) {
    return LockedTrace(released, asks, acquires).findings();
}

constexpr auto* kLockPolling = "omp_lock_contention_polling";
constexpr auto* kMutexPolling = "pthread_lock_contention_polling";

TEST(LockPolling, releaseBehindAllTests_theirTimeIsTheWait) {
    const Findings found = locked(25);
    EXPECT_NEAR(found.at(kLockPolling, "main/omp_test_lock", 0, 1), 0.006, kExact);  // 3 of 2
    EXPECT_NEAR(found.total(kLockPolling), 0.006, kExact);
    EXPECT_NEAR(found.at("omp_lock_api", "main/omp_test_lock", 0, 1), 0.007, kExact);
    EXPECT_EQ(found.total("omp_lock_contention_api"), 0);
    EXPECT_EQ(found.total(kPolling), 0);
}

TEST(LockPolling, releaseBetweenThem_thePartBefore) {
    EXPECT_NEAR(locked(15).total(kLockPolling), 0.003, kExact);  // 6 (15 - 10) / (20 - 10)
    EXPECT_EQ(locked(10).total(kLockPolling), 0);
}

TEST(LockPolling, causer_isWhoHasTheLock) {
    const Findings found = locked(25);
    EXPECT_NEAR(found.at("delay_omp_lock", "main/work", 0, 0), 0.006, kExact);
    EXPECT_NEAR(found.total("delay_omp_lock_aggregate"), 0.006, kExact);
    EXPECT_NEAR(found.at("lock_wait_direct", "main/omp_test_lock", 0, 1), 0.006, kExact);
}

/// What is left of the wait is in the call that waits; the longer one has a cause.
TEST(LockPolling, callThatWaitsBehindTests_bothHaveTheirPart) {
    const Findings found = locked(31, kTestLock, "omp_set_lock");
    EXPECT_NEAR(found.total(kLockPolling), 0.006, kExact);
    EXPECT_NEAR(found.at("omp_lock_contention_api", "main/omp_set_lock", 0, 1), 0.001, kExact);
    EXPECT_NEAR(found.total("delay_omp_lock_aggregate"), 0.006, kExact);
}

TEST(LockPolling, mutex_isAMetricOfItsOwn) {
    const Findings found = locked(25, kTryLock, kTryLock);
    EXPECT_NEAR(found.at(kMutexPolling, "main/pthread_mutex_trylock", 0, 1), 0.006, kExact);
    EXPECT_NEAR(found.total("delay_pthread_lock"), 0.006, kExact);
    EXPECT_NEAR(locked(25, kTryLock, "pthread_mutex_lock").total(kMutexPolling), 0.006, kExact);
}

/// Thread 1 asks for a lock and sleeps, in turns of ten ticks; thread 0 has it until 200.
TEST(LockPolling, pausesBetweenTests_areTheWaitUntilTheRelease) {
    for (const char* asks : {kTestLock, kTryLock}) {
        TraceBuilder trace(1, 2);
        trace.region("usleep", kSystem);
        trace.region(kTryLock, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).enter(0, "main");
        trace.on(0, 0).acquire(1, 1, 1).call(1, 200, "work").release(200, 1, 1).leave(300);
        for (Tick begin = 10; begin < 210; begin += 10)
            trace.on(0, 1).call(begin, begin + 1, asks).call(begin + 1, begin + 9, "usleep");
        trace.on(0, 1).enter(210, asks).acquire(211, 1, 2).leave(211).release(250, 1, 2).leave(300);
        const Findings found(trace);
        EXPECT_NEAR(found.at("system_waiting_lock_polling", "main/usleep", 0, 1), 0.152, 0.001)
            << asks;  // 19 of 8
        EXPECT_EQ(found.total("delay_omp_lock") > 0.150 || found.total("delay_pthread_lock") > 0.150, true);
        EXPECT_NEAR(found.at("critical_path", "main/work", 0, 0), 0.199, 0.002);
    }
}

/// Of what a test of a lock takes, the recorder's own part is no wait.
TEST(LockPolling, recorderWritesWithinATest_itsTimeIsNone) {
    TraceBuilder trace(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).enter(0, "main");
    trace.on(0, 0).acquire(1, 1, 1).call(1, 40, "work").release(40, 1, 1).leave(60);
    trace.on(0, 1).enter(10, kTestLock);
    trace.on(0, 1).record([flush = trace.timestamp(12), end = trace.timestamp(18)](auto* out) {
        return OTF2_EvtWriter_BufferFlush(out, nullptr, flush, end);
    });
    trace.on(0, 1).leave(20).call(24, 26, kTestLock);
    trace.on(0, 1).enter(45, kTestLock).acquire(46, 1, 2).leave(46).release(50, 1, 2).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kLockPolling, "main/omp_test_lock", 0, 1), 0.006, kExact);  // 10 - 6 and 2
    EXPECT_NEAR(found.at("omp_lock_api", "main/omp_test_lock", 0, 1), 0.007, kExact);
}

TEST(LockPolling, lockOfAnotherKind_isNotWhatTheyAskedFor) {
    EXPECT_EQ(locked(25, kTestLock, kTryLock).total("omp_lock_api"), 0.006);
    EXPECT_EQ(locked(25, kTestLock, kTryLock).total(kLockPolling), 0);
}

/// A thread that has the lock itself waits for nobody.
TEST(LockPolling, ownLock_isNoWait) {
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").acquire(1, 1, 1).call(2, 4, kTestLock).release(5, 1, 1);
    trace.on(0, 0).enter(6, kTestLock).acquire(7, 1, 2).leave(7).leave(20);
    trace.on(0, 1).enter(0, "main").leave(20);
    EXPECT_EQ(Findings(trace).total(kLockPolling), 0);
}

}  // namespace
}  // namespace holos::testing
