// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "algebra/operators/history/recorded_run.h"
#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(Time, nestedCalls_exclusivePerCallPath) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(2, 5, "f").enter(6, "g").call(7, 8, "f").leave(9).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main", 0), 0.004, kExact);      // 10 - (5 - 2) - (9 - 6)
    EXPECT_NEAR(found.at("time", "main/f", 0), 0.003, kExact);    // 5 - 2
    EXPECT_NEAR(found.at("time", "main/g", 0), 0.002, kExact);    // (9 - 6) - (8 - 7)
    EXPECT_NEAR(found.at("time", "main/g/f", 0), 0.001, kExact);  // 8 - 7
    EXPECT_NEAR(found.total("time"), 0.010, kExact);
}

/// Two threads, of which one begins before the other one ends: from 5 to 10.
TEST(Time, withOneThread_isKeptOfThreadsThatComeAndGo) {
    TraceBuilder trace(1, 3);
    trace.on(0, 0).enter(0, "main").leave(20);
    trace.on(0, 1).enter(5, "work").leave(8);
    trace.on(0, 2).enter(7, "work").leave(10);
    EXPECT_NEAR(algebra::secondsWithOneThread(Findings(trace).result().experiment).value(), 0.015, kExact);
    TraceBuilder alone(1);
    alone.on(0).enter(0, "main").leave(20);
    EXPECT_FALSE(algebra::secondsWithOneThread(Findings(alone).result().experiment));
}

TEST(Time, mpiCalls_areSharedOutByKind) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main").call(0, 1, "MPI_Init").barrier(2, 4);
        trace.on(rank).collective(5, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
        trace.on(rank)
            .sendrecv(9, 13, {.peer = 1 - rank}, {.peer = 1 - rank})
            .call(14, 19, "MPI_Finalize")
            .leave(20);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi"), 2 * 0.015, kExact);  // 1 + 2 + 3 + 4 + 5
    EXPECT_NEAR(found.total("mpi_init_exit"), 2 * 0.006, kExact);
    EXPECT_NEAR(found.total("mpi_sync_collective"), 2 * 0.002, kExact);
    EXPECT_NEAR(found.total("mpi_collective"), 2 * 0.003, kExact);
    EXPECT_NEAR(found.total("mpi_point2point"), 2 * 0.004, kExact);
    EXPECT_NEAR(found.total("time"), 2 * 0.020, kExact);
}

TEST(Time, clockOfAnyResolution_isSeconds) {
    TraceBuilder trace(1);
    trace.clock(2'500'000'000, 77'000'000'000);
    trace.on(0).enter(0, "main").call(1'000'000'000, 1'250'000'000, "f").leave(2'500'000'000);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main/f", 0), 0.1, kExact);  // 0.25 / 2.5
    EXPECT_NEAR(found.total("time"), 1.0, kExact);
}

TEST(Visits, everyEnter_countsOnce) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 2, "f").call(3, 4, "f").enter(5, "f").call(6, 7, "f").leave(8).leave(
        9);
    trace.on(1).enter(0, "main").leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("visits", "main", 0), 1);
    EXPECT_EQ(found.at("visits", "main/f", 0), 3);
    EXPECT_EQ(found.at("visits", "main/f/f", 0), 1);
    EXPECT_EQ(found.at("visits", "main/f", 1), 0);
    EXPECT_EQ(found.total("visits"), 6);
}

TEST(Messages, withAndWithoutBytes_areCountedApart) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1, .bytes = 100}).send(3, 4, {.peer = 1, .bytes = 0});
    trace.on(0).send(5, 6, {.peer = 1, .bytes = 20}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 2, {.peer = 0, .bytes = 100}).recv(3, 4, {.peer = 0, .bytes = 0});
    trace.on(1).recv(5, 6, {.peer = 0, .bytes = 20}).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("comms_send", "main/MPI_Send", 0), 2);
    EXPECT_EQ(found.at("syncs_send", "main/MPI_Send", 0), 1);
    EXPECT_EQ(found.at("bytes_sent", "main/MPI_Send", 0), 120);
    EXPECT_EQ(found.at("comms_recv", "main/MPI_Recv", 1), 2);
    EXPECT_EQ(found.at("syncs_recv", "main/MPI_Recv", 1), 1);
    EXPECT_EQ(found.at("bytes_rcvd", "main/MPI_Recv", 1), 120);
    EXPECT_EQ(found.total("bytes_sent"), 120);
}

/// As a damaged trace, or one of a program that only says so, may have it.
TEST(Messages, moreBytesThanASignedNumberHolds_areNoNegativeNumber) {
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 62U;
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    for (Tick time = 1; time < 4; ++time) trace.on(0).send(time, time + 1, {.peer = 1, .bytes = kHuge});
    trace.on(0).leave(10);
    trace.on(1).enter(0, "main");
    for (Tick time = 1; time < 6; ++time) trace.on(1).send(time, time + 1, {.peer = 0, .bytes = kHuge});
    trace.on(1).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("bytes_sent_more", "main/MPI_Send", 0), 3 * 0x1p62);
    EXPECT_EQ(found.at("bytes_sent", "main/MPI_Send", 0), 3 * 0x1p62);
    EXPECT_EQ(found.at("bytes_sent", "main/MPI_Send", 1), 0x1p64);  // no more than fits
}

TEST(Messages, longerBufferThanMessage_countsWhatWasSent) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1, .bytes = 30}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 2, {.peer = 0, .bytes = 4096}).leave(10);
    EXPECT_EQ(Findings(trace).total("bytes_rcvd"), 30);
}

TEST(Messages, nonblocking_areCountedWhereTheyAreRecorded) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1, .bytes = 16}, 1).waitSend(3, 4, 1).leave(10);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).waitRecv(3, 4, {.peer = 0, .bytes = 16}, 1).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("bytes_sent", "main/MPI_Isend", 0), 16);
    EXPECT_EQ(found.at("bytes_rcvd", "main/MPI_Wait", 1), 16);
}

TEST(Collectives, bytesInAndOut_decideTheKind) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 2, OTF2_COLLECTIVE_OP_BCAST,
                                            {.sent = 24, .received = 0, .root = 0});
    trace.on(0)
        .collective(3, 4, OTF2_COLLECTIVE_OP_ALLREDUCE, {.sent = 5, .received = 7})
        .barrier(5, 6)
        .leave(10);
    trace.on(1).enter(0, "main").collective(1, 2, OTF2_COLLECTIVE_OP_BCAST,
                                            {.sent = 0, .received = 24, .root = 0});
    trace.on(1)
        .collective(3, 4, OTF2_COLLECTIVE_OP_ALLREDUCE, {.sent = 5, .received = 7})
        .barrier(5, 6)
        .leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("comms_csrc", "main/MPI_Bcast", 0), 1);
    EXPECT_EQ(found.at("comms_cdst", "main/MPI_Bcast", 1), 1);
    EXPECT_EQ(found.total("comms_cxch"), 2);
    EXPECT_EQ(found.total("syncs_coll"), 2);
    EXPECT_EQ(found.total("bytes_cout"), 24 + 5 + 5);
    EXPECT_EQ(found.total("bytes_cin"), 24 + 7 + 7);
}

}  // namespace
}  // namespace holos::testing
