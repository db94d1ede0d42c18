// SPDX-License-Identifier: BSD-3-Clause
// Requests that one thread begins and another thread of its process completes (MPI_THREAD_MULTIPLE), and
// receives that are completed in another order than that in which they were posted.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::Trouble;

constexpr auto kBarrier = OTF2_COLLECTIVE_OP_BARRIER;
constexpr Share kNothing{.sent = 0, .received = 0};
constexpr const char* kWait = "main/MPI_Wait";

/// Two processes of two threads, each within `main`.
class RequestsOfThreads : public ::testing::Test {
  protected:
    RequestsOfThreads() {
        for (unsigned rank = 0; rank < 2; ++rank)
            for (unsigned thread = 0; thread < 2; ++thread) trace_.on(rank, thread).enter(0, "main");
    }
    LocationScript& on(unsigned rank, unsigned thread = 0) { return trace_.on(rank, thread); }
    Findings analyze() {
        for (unsigned rank = 0; rank < 2; ++rank)
            for (unsigned thread = 0; thread < 2; ++thread) trace_.on(rank, thread).leave(kEnd);
        return Findings(trace_);
    }

  private:
    static constexpr Tick kEnd = 100;
    TraceBuilder trace_{2, 2};
};

TEST_F(RequestsOfThreads, receive_waitsForItsSenderWhereItIsCompleted) {
    on(0).send(10, 11, {.peer = 1});
    on(1, 0).irecv(0, 1, 7);
    on(1, 1).waitRecv(2, 12, {.peer = 0}, 7);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_latesender", kWait, 1, 1), 0.008, kExact);  // 10 - 2
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedMessage));
}

// rank 0    ──Send▒▒▒▒▒▒▒▒────
// rank 1.0  ─work────Irecv────
// rank 1.1  ───────────Wait───
TEST_F(RequestsOfThreads, receive_isWaitedForUntilItsThreadPostedIt) {
    on(0).send(2, 13, {.peer = 1});
    on(1, 0).call(1, 10, "work").irecv(10, 11, 7);
    on(1, 1).waitRecv(11, 13, {.peer = 0}, 7);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Send", 0), 0.008, kExact);  // 10 - 2
    EXPECT_NEAR(found.total("mpi_latereceiver"), 0.008, kExact);
    EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1, 0), 0.008, kExact);
    EXPECT_NEAR(found.total("delay"), 0.008, kExact);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedMessage));
}

TEST_F(RequestsOfThreads, send_waitsForItsReceiverWhereItIsCompleted) {
    on(0, 0).isend(0, 1, {.peer = 1}, 5);
    on(0, 1).waitSend(2, 12, 5);
    on(1).call(1, 10, "work").recv(10, 13, {.peer = 0});
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_latereceiver", kWait, 0, 1), 0.008, kExact);  // 10 - 2
    EXPECT_NEAR(found.total("mpi_latereceiver"), 0.008, kExact);
    EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1), 0.008, kExact);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedMessage));
}

TEST_F(RequestsOfThreads, numberGivenOutAgain_isTheLatestRequest) {
    on(0).send(2, 13, {.peer = 1}).send(20, 33, {.peer = 1});
    on(1, 0).irecv(10, 11, 7).irecv(30, 31, 7);
    on(1, 1).waitRecv(11, 13, {.peer = 0}, 7).waitRecv(31, 33, {.peer = 0}, 7);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_latereceiver", "main/MPI_Send", 0), 0.018, kExact);  // 10 - 2 + 30 - 20
    EXPECT_FALSE(found.reported(Trouble::UnmatchedMessage));
}

TEST_F(RequestsOfThreads, cancelledSend_isNotMatched) {
    on(0, 0).isend(0, 1, {.peer = 1}, 5).send(20, 21, {.peer = 1});
    on(0, 1).enter(2, "MPI_Wait").requestCancelled(3, 5).leave(3);
    on(1).recv(10, 22, {.peer = 0});
    const Findings found = analyze();
    EXPECT_NEAR(found.total("mpi_latesender"), 0.010, kExact);  // 20 - 10
    EXPECT_FALSE(found.reported(Trouble::UnmatchedMessage));
}

TEST_F(RequestsOfThreads, completionThatNobodyBegan_isReported) {
    on(0, 0).isend(5, 6, {.peer = 1}, 5);
    on(0, 1).waitSend(2, 4, 5);  // before it was begun
    on(1).recv(5, 13, {.peer = 0});
    const Findings found = analyze();
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedMessage));
}

TEST_F(RequestsOfThreads, collective_waitsWhereItIsCompleted) {
    on(0, 0).startCollective(0, 1, 3, "MPI_Ibarrier");
    on(0, 1).waitCollective(4, 12, kBarrier, kNothing, 3);
    on(1).call(1, 10, "work").startCollective(10, 11, 3, "MPI_Ibarrier");
    on(1).waitCollective(11, 12, kBarrier, kNothing, 3);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_barrier_wait", kWait, 0, 1), 0.006, kExact);  // 10 - 4
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_barrier", "main/work", 1), 0.006, kExact);
    EXPECT_EQ(found.total("syncs_coll"), 2);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

TEST_F(RequestsOfThreads, collectivesCompletedInAnyOrder_areThoseOfTheirBegin) {
    on(0, 0).startCollective(0, 1, 3, "MPI_Ibarrier").startCollective(1, 2, 4, "MPI_Iallreduce");
    on(0, 1).waitCollective(4, 12, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 4);
    on(0, 1).waitCollective(12, 13, kBarrier, kNothing, 3);
    on(1).startCollective(5, 6, 3, "MPI_Ibarrier").startCollective(10, 11, 4, "MPI_Iallreduce");
    on(1).waitCollective(11, 12, kBarrier, kNothing, 3);
    on(1).waitCollective(12, 13, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 4);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_wait_nxn", kWait, 0, 1), 0.006, kExact);  // 10 - 4
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

TEST_F(RequestsOfThreads, collectiveThatNobodyBegan_isLeftOut) {
    on(0, 1).waitCollective(4, 12, kBarrier, kNothing, 3);
    const Findings found = analyze();
    EXPECT_EQ(found.total("syncs_coll"), 0);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedCollective));
}

// The first message belongs to the receive that was posted first, though that is completed last.
TEST_F(RequestsOfThreads, receivesCompletedInOtherOrder_matchAsPosted) {
    on(0).send(5, 6, {.peer = 1, .bytes = 8}).send(20, 21, {.peer = 1, .bytes = 0});
    on(1).irecv(0, 1, 1).irecv(1, 2, 2);
    on(1).waitRecv(2, 22, {.peer = 0, .bytes = 0}, 2).waitRecv(22, 23, {.peer = 0, .bytes = 8}, 1);
    const Findings found = analyze();
    EXPECT_NEAR(found.total("mpi_latesender"), 0.018, kExact);     // 20 - 2
    EXPECT_NEAR(found.total("mpi_latesender_wo"), 0.018, kExact);  // the earlier message lay unread
    EXPECT_EQ(found.total("mpi_sls_count"), 1);                    // it had no bytes
}

}  // namespace
}  // namespace holos::testing
