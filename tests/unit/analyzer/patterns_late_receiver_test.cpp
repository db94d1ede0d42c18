// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

// rank 0  main ─Send▒▒▒▒▒▒────
// rank 1  main ───────Recv────
TEST(LateReceiver, receiveAfterBlockingSend_waitsUntilReceive) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 8, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Send", 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.total("mpi_latereceiver"), 0.005, kExact);
    EXPECT_EQ(found.total("mpi_latesender"), 0);
    EXPECT_EQ(found.total("mpi_clr_count"), 1);
}

/// Two ticks are the recorder's own.
TEST(LateReceiver, recorderMakesRoomInTheSend_waitsForTheRest) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(1, "MPI_Send").sent(1, {.peer = 1});
    trace.on(0).record([from = trace.timestamp(2), until = trace.timestamp(4)](auto* out) {
        return OTF2_EvtWriter_BufferFlush(out, nullptr, from, until);
    });
    trace.on(0).leave(8).leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Send", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("time", "main/MPI_Send", 0), 0.005, kExact);
}

TEST(LateReceiver, sendLeftBeforeReceive_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 3, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latereceiver"), 0);
}

TEST(LateReceiver, sendLeftAsReceiveBegan_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 6, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latereceiver"), 0);
}

TEST(LateReceiver, sendLeftOneTickAfterReceiveBegan_waits) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 7, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
    EXPECT_NEAR(Findings(trace).total("mpi_latereceiver"), 0.005, kExact);  // 6 - 1
}

TEST(LateReceiver, bothAtOnce_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(4, 8, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(4, 8, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latereceiver"), 0);
}

TEST(LateReceiver, synchronousSend_waits) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 8, {.peer = 1, .bytes = 0}, "MPI_Ssend").leave(10);
    trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0, .bytes = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Ssend", 0), 0.005, kExact);  // 6 - 1
    EXPECT_EQ(found.total("mpi_slr_count"), 1);
}

TEST(LateReceiver, bufferedAndReadySends_neverWait) {
    for (const auto* function : {"MPI_Bsend", "MPI_Rsend"}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(1, 8, {.peer = 1}, function).leave(10);
        trace.on(1).enter(0, "main").recv(6, 8, {.peer = 0}).leave(10);
        EXPECT_EQ(Findings(trace).total("mpi_latereceiver"), 0) << function;
    }
}

TEST(LateReceiver, nonblockingSend_waitIsInMpiWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 7).waitSend(3, 9, 7).leave(10);
    trace.on(1).enter(0, "main").recv(8, 9, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Wait", 0), 0.005, kExact);  // 8 - 3
}

TEST(LateReceiver, nonblockingReceive_countsFromItsPosting) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 9, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").irecv(4, 5, 3).waitRecv(12, 13, {.peer = 0}, 3).leave(20);
    EXPECT_NEAR(Findings(trace).total("mpi_latereceiver"), 0.003, kExact);  // 4 - 1
}

TEST(LateReceiver, severalInWaitall_largestCountsOnce) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 1).isend(2, 3, {.peer = 2}, 2);
    trace.on(0).enter(3, "MPI_Waitall").sendCompleted(11, 1).sendCompleted(11, 2).leave(11).leave(20);
    trace.on(1).enter(0, "main").recv(6, 7, {.peer = 0}).leave(20);
    trace.on(2).enter(0, "main").recv(10, 11, {.peer = 0}).leave(20);
    EXPECT_NEAR(Findings(trace).at("mpi_latereceiver", "main/MPI_Waitall", 0), 0.007, kExact);  // 10 - 3
}

TEST(LateReceiver, waitallThatAlsoWaitedForASender_none) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").irecv(1, 2, 1).isend(2, 3, {.peer = 1}, 2);
    trace.on(0)
        .enter(3, "MPI_Waitall")
        .receiveCompleted(12, {.peer = 1}, 1)
        .sendCompleted(12, 2)
        .leave(12)
        .leave(20);
    trace.on(1).enter(0, "main").send(5, 6, {.peer = 0}).recv(10, 12, {.peer = 0}).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Waitall", 0), 0.002, kExact);  // 5 - 3
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
}

}  // namespace
}  // namespace holos::testing
