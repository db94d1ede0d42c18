// SPDX-License-Identifier: BSD-3-Clause
// Waits where communicators are made and end.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kWait = "mpi_mgmt_comm_wait";
constexpr auto kMake = OTF2_COLLECTIVE_OP_CREATE_HANDLE;
constexpr auto kEnd = OTF2_COLLECTIVE_OP_DESTROY_HANDLE;

LocationScript& come(LocationScript& rank, Tick begin, Tick end, OTF2_CollectiveOp operation,
                     const char* name, OTF2_CommRef comm = kWorld) {
    return rank.enter(begin, name)
        .collectiveBegin(begin)
        .collectiveEnd(end, operation, {.sent = 0, .received = 0, .comm = comm})
        .leave(end);
}

/// Ranks 0 and 2 come to an operation at 1 and 3; rank 1 works until a time; all leave it at 9.
TraceBuilder& lateTo(TraceBuilder& trace, Tick until, OTF2_CollectiveOp operation, const char* name) {
    come(trace.on(0).enter(0, "main"), 1, 9, operation, name).leave(10);
    come(trace.on(1).enter(0, "main").call(0, until, "work"), until, 9, operation, name).leave(10);
    come(trace.on(2).enter(0, "main"), 3, 9, operation, name).leave(10);
    return trace;
}

TEST(Communicators, lastRankLate_othersWaitForIt) {
    for (const auto& [operation, name] :
         {std::pair{kMake, "MPI_Comm_split"}, {kMake, "MPI_Cart_create"}, {kEnd, "MPI_Comm_free"}}) {
        TraceBuilder trace(3);
        const Findings found(lateTo(trace, 7, operation, name));
        const std::string path = std::string("main/") + name;
        EXPECT_NEAR(found.at(kWait, path, 0), 0.006, kExact) << name;  // 7 - 1
        EXPECT_NEAR(found.at(kWait, path, 2), 0.004, kExact) << name;  // 7 - 3
        EXPECT_EQ(found.at(kWait, path, 1), 0) << name;
        EXPECT_NEAR(found.at("delay_comm", "main/work", 1), 0.010, kExact) << name;
        EXPECT_EQ(found.total("syncs_coll"), 0) << name;  // as Scalasca counts
    }
}

/// MPI need not bring processes together there.
TEST(Communicators, somebodyLeftBeforeTheLastCame_noWait) {
    TraceBuilder trace(2);
    come(trace.on(0).enter(0, "main"), 1, 5, kEnd, "MPI_Comm_free").leave(10);
    come(trace.on(1).enter(0, "main"), 5, 9, kEnd, "MPI_Comm_free").leave(10);
    EXPECT_EQ(Findings(trace).total(kWait), 0);
}

/// Some recorders write operations in which only some ranks take part, such as MPI_Comm_create_group.
TEST(Communicators, operationThatOneRankLacks_othersAreMatchedAsBefore) {
    TraceBuilder trace(2);
    come(trace.on(0).enter(0, "main"), 1, 2, kMake, "MPI_Comm_create_group").barrier(3, 9).leave(10);
    trace.on(1).enter(0, "main").barrier(7, 9).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.004, kExact);  // 7 - 3
    EXPECT_EQ(found.total(kWait), 0);
}

TEST(BufferDetach, messageThatIsReceivedLate_isWaitedForAndItsReceiverToBlame) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}, "MPI_Bsend").call(3, 11, "MPI_Buffer_detach");
    trace.on(0).send(12, 13, {.peer = 1}, "MPI_Bsend").call(14, 15, "MPI_Buffer_detach").leave(20);
    trace.on(1)
        .enter(0, "main")
        .call(0, 9, "work")
        .recv(9, 11, {.peer = 0})
        .recv(12, 13, {.peer = 0})
        .leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_buffer_detach_wait", "main/MPI_Buffer_detach", 0), 0.006, kExact);  // 9 - 3
    EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1), 0.006, kExact);
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
}

/// MPI 4.1: the program keeps its buffer. Of messages that an earlier call saw off none is waited for again.
TEST(BufferDetach, bufferThatIsFlushed_isWaitedForToo) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}, "MPI_Bsend").call(3, 11, "MPI_Buffer_flush");
    trace.on(0).call(12, 14, "MPI_Buffer_detach").leave(20);
    trace.on(1).enter(0, "main").call(0, 9, "work").recv(9, 11, {.peer = 0}).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_buffer_detach_wait", "main/MPI_Buffer_flush", 0), 0.006, kExact);  // 9 - 3
    EXPECT_NEAR(found.total("mpi_buffer_detach_wait"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1), 0.006, kExact);
}

TEST(Communicators, ofTwoGroups_allWaitForTheLastOne) {
    TraceBuilder trace(3);
    const OTF2_CommRef both = trace.interCommunicator({0, 1}, {2});
    const auto merge = [&](unsigned rank, Tick begin) {
        come(trace.on(rank).enter(0, "main"), begin, 9, kMake, "MPI_Intercomm_merge", both).leave(10);
    };
    merge(0, 1);
    merge(1, 7);
    merge(2, 4);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kWait, "main/MPI_Intercomm_merge", 0), 0.006, kExact);  // 7 - 1, of its own group
    EXPECT_NEAR(found.at(kWait, "main/MPI_Intercomm_merge", 2), 0.003, kExact);  // 7 - 4
}

/// MPI_Comm_idup waits in the call that completes it.
TEST(Communicators, duplicateMadeMeanwhile_waitsWhereItIsCompleted) {
    const Share nothing{.sent = 0, .received = 0};
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .startCollective(1, 2, 1, "MPI_Comm_idup")
        .waitCollective(3, 10, kMake, nothing, 1);
    trace.on(1).enter(0, "main").call(0, 8, "work").startCollective(8, 9, 1, "MPI_Comm_idup");
    trace.on(1).waitCollective(9, 10, kMake, nothing, 1);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kWait, "main/MPI_Wait", 0), 0.005, kExact);  // 8 - 3
    EXPECT_NEAR(found.total(kWait), 0.005, kExact);
    EXPECT_NEAR(found.at("mpi_mgmt_comm", "main/MPI_Wait", 0), 0.005, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", "main/MPI_Wait", 0), 0.002, kExact);  // 7 - 5
    EXPECT_NEAR(found.total("delay_comm"), 0.005, kExact);
}

/// Both begin a duplicate at 1; rank 0 waits for it from 3 on, rank 1 works until 40 first.
double progressOfDuplicate(Tick end) {
    const Share nothing{.sent = 0, .received = 0};
    TraceBuilder trace(2);
    trace.shortageOf(0);  // a recording that would tell of it
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Comm_idup");
    trace.on(0).waitCollective(3, end, kMake, nothing, 1).leave(60);
    trace.on(1).enter(0, "main").startCollective(1, 2, 1, "MPI_Comm_idup").call(2, 40, "work");
    trace.on(1).waitCollective(40, 42, kMake, nothing, 1).leave(60);
    const Findings found(trace);
    EXPECT_EQ(found.total(kWait), 0);
    const double wait = found.at("mpi_lateprogress", "main/MPI_Wait", 0);
    EXPECT_NEAR(found.at("delay_lateprogress", "main/work", 1), wait, 0.001);
    return wait;
}

TEST(Communicators, duplicateThatAllHaveBegun_waitsForTheLastOneThatIsBackInMpi) {
    EXPECT_NEAR(progressOfDuplicate(41), 0.037, kExact);  // 40 - 3
    EXPECT_EQ(progressOfDuplicate(30), 0);                // through before that
}

}  // namespace
}  // namespace holos::testing
