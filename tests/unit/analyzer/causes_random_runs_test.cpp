// SPDX-License-Identifier: BSD-3-Clause
// Laws of causes, in runs of random length and order that could have happened: each process goes on when
// what it waits for is there, and not before.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

constexpr unsigned kRanks = 4;
constexpr unsigned kOwner = 3;  ///< of the window that is locked
constexpr const char* kAllWaits[] = {"mpi_latesender",
                                     "mpi_lateprogress",
                                     "mpi_barrier_wait",
                                     "mpi_wait_nxn",
                                     "mpi_latebroadcast",
                                     "mpi_earlyscan",
                                     "mpi_finalize_wait",
                                     "mpi_rma_wait_at_fence",
                                     "mpi_rma_sync_late_post",
                                     "mpi_rma_comm_late_post",
                                     "mpi_rma_early_wait",
                                     "mpi_rma_sync_lock_competition",
                                     "mpi_rma_comm_lock_competition",
                                     "mpi_rma_sync_wait_for_progress",
                                     "mpi_rma_comm_wait_for_progress",
                                     "mpi_mgmt_file_wait",
                                     "mpi_io_collective_wait"};

/// What happens, one thing after the other; each rank has its own time.
class RandomRun {
  public:
    explicit RandomRun(unsigned seed)
        : run_(kRanks),
          groups_(run_.trace.interCommunicator({0, 1}, {2, 3})),
          file_(run_.trace.file()),
          random_(seed),
          now_(kRanks, 0) {
        run_.trace.region("MPI_File_set_view", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
        run_.trace.region("MPI_File_write_ordered", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
    }

    void step() {
        switch (number(11)) {
            case 0:
                return message();
            case 1:
                return barrier();
            case 2:
                return between(OTF2_COLLECTIVE_OP_ALLREDUCE);
            case 3:
                return between(OTF2_COLLECTIVE_OP_BCAST);
            case 4:
                return changeFile();
            case 5:
                return writeInOrder();
            case 6:
                return epoch();
            case 7:
                return lock();
            case 8:
                return fence();
            case 9:
                return scan();
            default:
                return work();
        }
    }

    /// Ends the run; the time at which the last process came to its end.
    Tick finish() {
        const Tick last = latest();
        for (unsigned rank = 0; rank < kRanks; ++rank)
            on(rank).call(now_[rank], last + 1, "MPI_Finalize").leave(last + 1);
        return last;
    }
    const TraceBuilder& trace() const { return run_.trace; }

  private:
    LocationScript& on(unsigned rank) { return run_.trace.on(rank); }
    unsigned number(unsigned below) { return static_cast<unsigned>(random_() % below); }
    unsigned otherThan(unsigned rank) { return (rank + 1 + number(kRanks - 1)) % kRanks; }
    Tick latest() const { return *std::max_element(now_.begin(), now_.end()); }

    void work() {
        const unsigned rank = number(kRanks);
        const Tick end = now_[rank] + 1 + number(9);
        on(rank).call(now_[rank], end, number(2) == 0 ? "work" : "other work");
        now_[rank] = end;
    }
    void message() {
        const unsigned from = number(kRanks);
        const unsigned to = otherThan(from);
        on(from).send(now_[from], now_[from] + 1, {.peer = to});
        const Tick end = std::max(now_[from], now_[to]) + 1;
        on(to).recv(now_[to], end, {.peer = from});
        ++now_[from];
        now_[to] = end;
    }
    void barrier() {
        const Tick end = latest() + 1;
        for (unsigned rank = 0; rank < kRanks; ++rank) on(rank).barrier(now_[rank], end);
        std::fill(now_.begin(), now_.end(), end);
    }
    /// Each group waits for the other one; of a broadcast the second one for rank 0.
    void between(OTF2_CollectiveOp operation) {
        const bool isBroadcast = operation == OTF2_COLLECTIVE_OP_BCAST;
        const std::vector<Tick> begins = now_;
        for (unsigned rank = 0; rank < kRanks; ++rank) {
            const unsigned other = rank < 2 ? 2 : 0;
            Tick needed = begins[rank];
            if (!isBroadcast) needed = std::max({needed, begins[other], begins[other + 1]});
            if (isBroadcast && rank >= 2) needed = std::max(needed, begins[0]);
            Share share{.sent = 8, .received = 8, .root = OTF2_COLLECTIVE_ROOT_NONE, .comm = groups_};
            if (isBroadcast) {
                share.sent = rank == 0 ? 8 : 0;
                share.received = rank < 2 ? 0 : 8;
                if (rank == 0) share.root = OTF2_COLLECTIVE_ROOT_SELF;
                if (rank >= 2) share.root = 0;
            }
            on(rank).collective(begins[rank], needed + 1, operation, share);
            now_[rank] = needed + 1;
        }
    }
    /// Each waits for the ranks below.
    void scan() {
        Tick below = 0;
        for (unsigned rank = 0; rank < kRanks; ++rank) {
            below = std::max(below, now_[rank]);
            on(rank).collective(now_[rank], below + 1, OTF2_COLLECTIVE_OP_SCAN, {.sent = 8, .received = 8});
            now_[rank] = below + 1;
        }
    }
    void changeFile() {
        const Tick end = latest() + 1;
        for (unsigned rank = 0; rank < kRanks; ++rank)
            on(rank).enter(now_[rank], "MPI_File_set_view").leaveNaming(end, file_);
        std::fill(now_.begin(), now_.end(), end);
    }
    void writeInOrder() {
        Tick below = 0;
        for (unsigned rank = 0; rank < kRanks; ++rank) {
            below = std::max(below, now_[rank]);
            const auto begin = run_.trace.timestamp(now_[rank]);
            const auto end = run_.trace.timestamp(below + 1);
            on(rank).enter(now_[rank], "MPI_File_write_ordered").record([=, file = file_](auto* out) {
                OTF2_EvtWriter_IoOperationBegin(out, nullptr, begin, file, OTF2_IO_OPERATION_MODE_WRITE,
                                                OTF2_IO_OPERATION_FLAG_COLLECTIVE, 8, 1);
                return OTF2_EvtWriter_IoOperationComplete(out, nullptr, end, file, 8, 1);
            });
            on(rank).leave(below + 1);
            now_[rank] = below + 1;
        }
    }
    /// The origin's completion waits for the post, the target's wait for the completion.
    void epoch() {
        const unsigned origin = number(kRanks);
        const unsigned target = otherThan(origin);
        Tick& there = now_[target];
        Tick& here = now_[origin];
        run_.sync(origin, here, here + 1, "MPI_Win_start", {target});
        run_.put(origin, here + 1, here + 2, target);
        run_.sync(target, there, there + 1, "MPI_Win_post", {origin});
        const Tick complete = here + 2 + number(4);
        const Tick wait = there + 1 + number(4);
        here = std::max(complete, there) + 1;
        run_.sync(origin, complete, here, "MPI_Win_complete", {target});
        there = std::max(wait, complete) + 1;
        run_.sync(target, wait, there, "MPI_Win_wait", {origin});
    }
    /// In the order in which it is asked for, whatever the target does.
    void lock() {
        const unsigned origin = number(kRanks);
        Tick& here = now_[origin];
        const Tick had = std::max(here, released_) + 1;
        run_.lock(origin, here, had, kOwner);
        here = had + number(5);
        run_.unlock(origin, here, here + 1, kOwner);
        released_ = ++here;
    }
    void fence() {
        const Tick end = latest() + 1;
        for (unsigned rank = 0; rank < kRanks; ++rank) run_.fence(rank, now_[rank], end);
        std::fill(now_.begin(), now_.end(), end);
    }

    WindowTrace run_;
    OTF2_CommRef groups_;
    OTF2_IoHandleRef file_;
    std::mt19937 random_;
    std::vector<Tick> now_;  ///< by rank
    Tick released_ = 0;      ///< the lock
};

/// Ten runs from the seed on.
class RandomRuns : public ::testing::TestWithParam<unsigned> {};

// A wait has no costs where its causer took longer in nothing; in these runs there is none.
TEST_P(RandomRuns, criticalPathAndCosts_areAsLargeAsRunAndWaits) {
    for (unsigned seed = GetParam(); seed < GetParam() + 10; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomRun run(seed);
        for (unsigned i = 0; i < 40; ++i) run.step();
        const double length = 0.001 * static_cast<double>(run.finish());
        const Findings found(run.trace());
        EXPECT_NEAR(found.total("critical_path"), length, kRounding);
        double waits = 0;
        for (const char* wait : kAllWaits) waits += found.total(wait);
        EXPECT_GT(waits, 0);
        EXPECT_NEAR(found.total("delay"), waits, kRounding);
        EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
    }
}

INSTANTIATE_TEST_SUITE_P(FromSeed, RandomRuns, ::testing::Range(0U, 100U, 10U),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace holos::testing
