// SPDX-License-Identifier: BSD-3-Clause
// Requests that one thread begins and another thread of its process completes (MPI_THREAD_MULTIPLE), and
// receives that are completed in another order than that in which they were posted.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

using analyzer::Trouble;

constexpr auto kBarrierOperation = OTF2_COLLECTIVE_OP_BARRIER;
constexpr Share kNothing{.sent = 0, .received = 0};
constexpr const char* kMpiWait = "main/MPI_Wait";

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
    EXPECT_NEAR(found.at("mpi_latesender", kMpiWait, 1, 1), 0.008, kExact);  // 10 - 2
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
    EXPECT_NEAR(found.at("mpi_latereceiver", kMpiWait, 0, 1), 0.008, kExact);  // 10 - 2
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
    on(0, 1).waitCollective(4, 12, kBarrierOperation, kNothing, 3);
    on(1).call(1, 10, "work").startCollective(10, 11, 3, "MPI_Ibarrier");
    on(1).waitCollective(11, 12, kBarrierOperation, kNothing, 3);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_barrier_wait", kMpiWait, 0, 1), 0.006, kExact);  // 10 - 4
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_barrier", "main/work", 1), 0.006, kExact);
    EXPECT_EQ(found.total("syncs_coll"), 2);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

TEST_F(RequestsOfThreads, collectivesCompletedInAnyOrder_areThoseOfTheirBegin) {
    on(0, 0).startCollective(0, 1, 3, "MPI_Ibarrier").startCollective(1, 2, 4, "MPI_Iallreduce");
    on(0, 1).waitCollective(4, 12, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 4);
    on(0, 1).waitCollective(12, 13, kBarrierOperation, kNothing, 3);
    on(1).startCollective(5, 6, 3, "MPI_Ibarrier").startCollective(10, 11, 4, "MPI_Iallreduce");
    on(1).waitCollective(11, 12, kBarrierOperation, kNothing, 3);
    on(1).waitCollective(12, 13, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 4);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_wait_nxn", kMpiWait, 0, 1), 0.006, kExact);  // 10 - 4
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

TEST_F(RequestsOfThreads, collectiveThatNobodyBegan_isLeftOut) {
    on(0, 1).waitCollective(4, 12, kBarrierOperation, kNothing, 3);
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

constexpr auto kAsked = OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
constexpr auto kAskedTogether = kAsked | OTF2_IO_OPERATION_FLAG_COLLECTIVE;
constexpr auto kWrite = OTF2_IO_OPERATION_MODE_WRITE;
constexpr const char* kIwrite = "MPI_File_iwrite";
constexpr const char* kIwriteAll = "MPI_File_iwrite_all";

/// Two processes of two threads each, within `main`, that have two files open.
class FilesOfThreads : public ::testing::Test {
  protected:
    FilesOfThreads() : first_(trace_.file()), second_(trace_.file()) {
        for (const char* region : {kIwrite, kIwriteAll, "MPI_File_iread"})
            trace_.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
        for (unsigned rank = 0; rank < 2; ++rank)
            for (unsigned thread = 0; thread < 2; ++thread) on(rank, thread).enter(0, "main");
    }
    LocationScript& on(unsigned rank, unsigned thread) { return trace_.on(rank, thread); }

    /// Asks for 32 bytes in a call of one tick.
    void ask(LocationScript& script, Tick tick, const char* region, std::uint64_t operation,
             OTF2_IoOperationFlag flags = kAsked, OTF2_IoOperationMode mode = kWrite) {
        const auto time = trace_.timestamp(tick);
        script.enter(tick, region).record([=, file = first_](auto* out) {
            return OTF2_EvtWriter_IoOperationBegin(out, nullptr, time, file, mode, flags, 32, operation);
        });
        script.leave(tick + 1);
    }
    void wait(LocationScript& script, Tick from, Tick to, std::uint64_t bytes, std::uint64_t operation) {
        wait(script, from, to, bytes, operation, first_);
    }
    void wait(LocationScript& script, Tick from, Tick to, std::uint64_t bytes, std::uint64_t operation,
              OTF2_IoHandleRef file) {
        const auto time = trace_.timestamp(to);
        script.enter(from, "MPI_Wait").record([=](auto* out) {
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, time, file, bytes, operation);
        });
        script.leave(to);
    }
    void waitCancelled(LocationScript& script, Tick from, Tick to, std::uint64_t operation) {
        const auto time = trace_.timestamp(to);
        script.enter(from, "MPI_Wait").record([=, file = first_](auto* out) {
            return OTF2_EvtWriter_IoOperationCancelled(out, nullptr, time, file, operation);
        });
        script.leave(to);
    }
    Findings analyze() {
        for (unsigned rank = 0; rank < 2; ++rank)
            for (unsigned thread = 0; thread < 2; ++thread) on(rank, thread).leave(100);
        return Findings(trace_);
    }

    TraceBuilder trace_{2, 2};
    OTF2_IoHandleRef first_;
    OTF2_IoHandleRef second_;
};

TEST_F(FilesOfThreads, transfer_movedWhatItsEndSaysWhereItWasAskedFor) {
    ask(on(0, 0), 1, kIwrite, 7);
    ask(on(0, 1), 2, "MPI_File_iread", 8, kAsked, OTF2_IO_OPERATION_MODE_READ);
    wait(on(0, 1), 4, 5, 20, 7);
    wait(on(0, 0), 4, 5, 12, 8);
    const Findings found = analyze();
    EXPECT_EQ(found.at("mpi_io_bytes_written", "main/MPI_File_iwrite", 0, 0), 20);
    EXPECT_EQ(found.at("mpi_io_bytes_read", "main/MPI_File_iread", 0, 1), 12);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 20);
    EXPECT_EQ(found.total("mpi_io_bytes_read"), 12);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

TEST_F(FilesOfThreads, cancelledTransfer_movedNothing) {
    ask(on(0, 0), 1, kIwrite, 7);
    waitCancelled(on(0, 1), 4, 5, 7);
    EXPECT_EQ(analyze().total("mpi_io_bytes_written"), 0);
}

TEST_F(FilesOfThreads, numberGivenOutAgain_countsBoth) {
    ask(on(0, 0), 1, kIwrite, 7);
    wait(on(0, 1), 2, 3, 20, 7);
    ask(on(0, 0), 4, kIwrite, 7);
    wait(on(0, 1), 6, 7, 8, 7);
    const Findings found = analyze();
    EXPECT_EQ(found.at("mpi_io_bytes_written", "main/MPI_File_iwrite", 0, 0), 28);  // 20 + 8
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 28);
}

TEST_F(FilesOfThreads, otherFileOrOtherProcessOrEarlierEnd_isNotItsEnd) {
    ask(on(0, 0), 10, kIwrite, 7);
    wait(on(0, 1), 5, 6, 1, 7);             // before it was begun
    wait(on(0, 1), 11, 12, 2, 7, second_);  // of another file
    wait(on(1, 1), 12, 13, 3, 7);           // in another process
    const Findings found = analyze();
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 32);  // what was asked for
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

// 0.0  ─Iwrite_all─────────────
// 0.1  ──────Wait▒▒▒▒▒▒────────
// 1.0  ─work──────Iwrite_all Wait
TEST_F(FilesOfThreads, collectiveTransfer_waitsWhereItIsCompleted) {
    ask(on(0, 0), 1, kIwriteAll, 1, kAskedTogether);
    wait(on(0, 1), 5, 12, 32, 1);
    on(1, 0).call(1, 8, "work");
    ask(on(1, 0), 8, kIwriteAll, 1, kAskedTogether);
    wait(on(1, 0), 10, 12, 32, 1);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kMpiWait, 0, 1), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.003, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", kMpiWait, 0, 1), 0.004, kExact);  // 12 - 5 without it
    EXPECT_NEAR(found.at("delay_io", "main/work", 1, 0), 0.003, kExact);
    EXPECT_EQ(found.at("mpi_io_bytes_written", "main/MPI_File_iwrite_all", 0, 0), 32);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 64);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

// The second operation of rank 0 is completed by the thread that did not begin it, the first by the one that
// did: what counts is the order of their starts.
TEST_F(FilesOfThreads, collectiveTransfersCompletedInAnyOrder_areThoseOfTheirBegin) {
    ask(on(0, 0), 1, kIwriteAll, 1, kAskedTogether);
    ask(on(0, 0), 2, kIwriteAll, 2, kAskedTogether);
    wait(on(0, 1), 4, 12, 32, 2);
    wait(on(0, 0), 13, 14, 32, 1);
    ask(on(1, 0), 3, kIwriteAll, 1, kAskedTogether);
    ask(on(1, 0), 10, kIwriteAll, 2, kAskedTogether);
    wait(on(1, 0), 11, 12, 32, 1);
    wait(on(1, 0), 12, 13, 32, 2);
    const Findings found = analyze();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kMpiWait, 0, 1), 0.006, kExact);  // 10 - 4
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.006, kExact);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedCollective));
}

/// Rank 0 holds the lock until 9; one thread of rank 1 requests 16 bytes, and the other one completes that.
class AccessesOfThreads : public ::testing::Test {
  protected:
    Findings complete(std::uint64_t operation) {
        WindowTrace run(3, 2);
        run.lock(0, 1, 2, 2);
        run.unlock(0, 8, 9, 2);
        run.lock(1, 2, 3, 2);
        run.requestGet(1, 3, 4, 2, 7);
        run.thread = 1;
        run.complete(1, 5, 12, "MPI_Wait", operation);
        run.thread = 0;
        run.unlock(1, 13, 14, 2);
        return run.findings();
    }
};

TEST_F(AccessesOfThreads, lockHeldByAnother_isWaitedForWhereTheRequestIsCompleted) {
    const Findings found = complete(7);
    EXPECT_NEAR(found.at("mpi_rma_comm_lock_competition", kMpiWait, 1, 1), 0.004, kExact);  // 9 - 5
    EXPECT_NEAR(found.total("mpi_rma_comm_lock_competition"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_rma_sync_lock_competition"), 0);
    EXPECT_NEAR(found.at("mpi_point2point", kMpiWait, 1, 1), 0.003, kExact);  // 12 - 5 without it
    EXPECT_EQ(found.at("bytes_get", "main/MPI_Rget", 1, 0), 16);
    EXPECT_EQ(found.total("bytes_get"), 16);
}

TEST_F(AccessesOfThreads, otherOperation_isNotWaitedFor) {
    EXPECT_EQ(complete(8).total("mpi_rma_comm_lock_competition"), 0);
}

}  // namespace
}  // namespace holos::testing
