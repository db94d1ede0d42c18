// SPDX-License-Identifier: BSD-3-Clause
// Why processes wait in collective operations between two groups. All programs take 30 ticks.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Ranks 0 and 1 are one group, rank 2 is the other one.
class TwoGroups : public ::testing::Test {
  protected:
    TwoGroups() : trace(3), comm(trace.interCommunicator({0, 1}, {2})) {
        for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).enter(0, "main");
    }
    void work(unsigned rank, Tick from, Tick to) { trace.on(rank).call(from, to, "work"); }
    void collective(unsigned rank, Tick from, Tick to, OTF2_CollectiveOp operation, Share share) {
        share.comm = comm;
        trace.on(rank).collective(from, to, operation, share);
    }
    Findings findings() {
        for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).leave(30);
        return Findings(trace);
    }

    TraceBuilder trace;
    OTF2_CommRef comm;
};

TEST_F(TwoGroups, lateGroup_paysForAllOfTheOther) {
    work(2, 0, 9);
    collective(0, 1, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(1, 3, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(2, 9, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    const Findings found = findings();
    EXPECT_NEAR(found.total("mpi_wait_nxn"), 0.014, kExact);  // 9 - 1 and 9 - 3
    EXPECT_NEAR(found.at("delay_n2n", "main/work", 2), 0.014, kExact);
    EXPECT_NEAR(found.total("delay_n2n_aggregate"), 0.014, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

// Rank 1 is late, too, but nobody of its own group waits for it.
TEST_F(TwoGroups, lateInTheOwnGroup_onlyTheOtherGroupWaits) {
    work(1, 0, 9);
    collective(0, 1, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(1, 9, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(2, 4, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    const Findings found = findings();
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 0), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 2), 0.005, kExact);  // 9 - 4
    EXPECT_NEAR(found.at("delay_n2n", "main/work", 1), 0.005, kExact);
    EXPECT_NEAR(found.total("delay_n2n_aggregate"), 0.008, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

TEST_F(TwoGroups, lateRoot_paysForTheGroupThatReceives) {
    work(2, 0, 9);
    collective(0, 1, 10, OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = 8, .root = 0});
    collective(1, 3, 10, OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = 8, .root = 0});
    collective(2, 9, 10, OTF2_COLLECTIVE_OP_BCAST,
               {.sent = 8, .received = 0, .root = OTF2_COLLECTIVE_ROOT_SELF});
    const Findings found = findings();
    EXPECT_NEAR(found.total("mpi_latebroadcast"), 0.014, kExact);  // 9 - 1 and 9 - 3
    EXPECT_NEAR(found.at("delay_12n", "main/work", 2), 0.014, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

/// Of a recording that tells of times without a processor. Rank 1 comes at 19, and all are through at 20.
class OwnGroup : public TwoGroups {
  protected:
    OwnGroup() {
        trace.shortageOf(0);
        work(1, 0, 19);
    }
    void all(OTF2_CollectiveOp operation, Share first, Share second, Tick end = 20) {
        collective(0, 1, end, operation, first);
        collective(1, 19, 20, operation, first);
        collective(2, 4, 20, operation, second);
    }
};

TEST_F(OwnGroup, lastOneBehindWhichARankIsThrough_isWaitedFor) {
    all(OTF2_COLLECTIVE_OP_ALLREDUCE, {}, {});
    const Findings found = findings();
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 0), 0.018, kExact);  // 19 - 1
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 2), 0.015, kExact);  // 19 - 4
    EXPECT_NEAR(found.at("delay_n2n", "main/work", 1), 0.033, kExact);
    EXPECT_NEAR(found.total("delay_n2n_aggregate"), 0.033, kExact);
    EXPECT_EQ(found.total("mpi_latemember"), 0);
}

TEST_F(OwnGroup, barrier_waitsForItsOwnLastRank) {
    all(OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0}, {.sent = 0, .received = 0});
    const Findings found = findings();
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.033, kExact);
    EXPECT_NEAR(found.at("delay_barrier", "main/work", 1), 0.033, kExact);
}

/// Beyond the wait for the root, 4 - 1, the data come by way of the late one.
TEST_F(OwnGroup, operationWithARoot_waitsForALateMember) {
    all(OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = 8, .root = 0},
        {.sent = 8, .received = 0, .root = OTF2_COLLECTIVE_ROOT_SELF});
    const Findings found = findings();
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Bcast", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("mpi_latemember", "main/MPI_Bcast", 0), 0.015, kExact);  // 19 - 4
    EXPECT_NEAR(found.at("delay_12n", "main/work", 1), 0.030, kExact);            // and the root's
}

TEST_F(OwnGroup, rankThatIsThroughSooner_hasNotWaitedForIt) {
    all(OTF2_COLLECTIVE_OP_ALLREDUCE, {}, {}, 5);
    EXPECT_NEAR(findings().at("mpi_wait_nxn", "main/MPI_Allreduce", 0), 0.003, kExact);
}

/// The group's last one comes at 6, and 14 behind that is not soon.
TEST_F(TwoGroups, ownGroupThatCameLongBefore_isNotWaitedFor) {
    trace.shortageOf(0);
    work(1, 0, 6);
    collective(0, 1, 20, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(1, 6, 20, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    collective(2, 4, 20, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    EXPECT_NEAR(findings().at("mpi_wait_nxn", "main/MPI_Allreduce", 0), 0.003, kExact);
}

TEST_F(TwoGroups, allAtOnce_nobodyIsToBlame) {
    for (unsigned rank = 0; rank < 3; ++rank) collective(rank, 4, 6, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    const Findings found = findings();
    EXPECT_EQ(found.total("mpi_wait_nxn"), 0);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

// Rank 1 waits 5 for the message of rank 0, which waited 8 for rank 2: since both began, rank 0 took longer
// by its wait and by nothing else.
TEST_F(TwoGroups, waitForAWaitingOne_isHandedOn) {
    work(2, 0, 9);
    collective(0, 1, 10, OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = 8, .root = 0});
    collective(1, 9, 10, OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = 8, .root = 0});
    collective(2, 9, 10, OTF2_COLLECTIVE_OP_BCAST,
               {.sent = 8, .received = 0, .root = OTF2_COLLECTIVE_ROOT_SELF});
    work(0, 10, 16);
    trace.on(0).send(16, 17, {.peer = 1});
    trace.on(1).recv(11, 17, {.peer = 0});
    const Findings found = findings();
    EXPECT_NEAR(found.total("mpi_latebroadcast"), 0.008, kExact);  // 9 - 1
    EXPECT_NEAR(found.total("mpi_latesender"), 0.005, kExact);     // 16 - 11
    EXPECT_NEAR(found.total("delay_12n_aggregate"), 0.008, kExact);
    EXPECT_NEAR(found.total("delay_latesender_aggregate"), 0.005, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

TEST_F(TwoGroups, nonblockingOperation_isPaidForAsABlockingOne) {
    for (const unsigned rank : {0U, 1U, 2U}) {
        const Tick begin = rank == 2 ? 9 : 1;
        if (rank == 2) work(rank, 0, 9);
        trace.on(rank).startCollective(begin, begin + 1, 1, "MPI_Iallreduce");
        const Share share{.sent = 8, .received = 8, .root = OTF2_COLLECTIVE_ROOT_NONE, .comm = comm};
        trace.on(rank).waitCollective(begin + 2, 12, OTF2_COLLECTIVE_OP_ALLREDUCE, share, 1);
    }
    const Findings found = findings();
    EXPECT_NEAR(found.total("mpi_wait_nxn"), 0.012, kExact);  // 9 - 3, twice
    EXPECT_NEAR(found.total("delay_n2n_aggregate"), 0.012, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

}  // namespace
}  // namespace holos::testing
