// SPDX-License-Identifier: BSD-3-Clause
// Traces of which one location ends early, in epochs of one-sided communication and collective operations on
// files: what is known of these counts, and nothing is more than it can be.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

using analyzer::Trouble;

constexpr Tick kEnd = 30;
constexpr const char* kAllWaits[] = {"mpi_rma_wait_at_fence",
                                     "mpi_rma_sync_late_post",
                                     "mpi_rma_comm_late_post",
                                     "mpi_rma_early_wait",
                                     "mpi_rma_sync_lock_competition",
                                     "mpi_rma_comm_lock_competition",
                                     "mpi_rma_sync_wait_for_progress",
                                     "mpi_rma_comm_wait_for_progress",
                                     "mpi_mgmt_file_wait",
                                     "mpi_io_collective_wait"};

double waitsOf(const Findings& found) {
    double sum = 0;
    for (const char* wait : kAllWaits) sum += found.total(wait);
    return sum;
}

/// What holds however much is missing: `complete` is the answer of the whole trace.
void expectPossible(const Findings& found, const Findings& complete) {
    EXPECT_LE(waitsOf(found), waitsOf(complete) + kExact);
    EXPECT_LE(waitsOf(found), found.total("mpi") + kExact);
    EXPECT_LE(found.total("delay_rma_aggregate") + found.total("delay_io_aggregate"),
              waitsOf(found) + kExact);
    EXPECT_LE(found.total("critical_path"), 0.030 + kExact);
}

analyzer::AnalysisOptions corrected() {
    analyzer::AnalysisOptions options;
    options.correctClocks = analyzer::clocks::ClockParameters{};
    return options;
}

/// Processes with a window and a file, of which one may end early.
class CutRun : public WindowTrace {
  public:
    explicit CutRun(unsigned processes) : WindowTrace(processes), file_(trace.file()) {}

    void close() {
        for (unsigned rank = 0; rank < trace.processes(); ++rank) trace.on(rank).leave(kEnd);
    }
    void open(unsigned rank, Tick from, Tick to) {
        const auto time = trace.timestamp(to);
        enter(rank, from, "MPI_File_open").record([=, file = file_](auto* out) {
            return OTF2_EvtWriter_IoCreateHandle(out, nullptr, time, file, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                                 OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
        });
        trace.on(rank).leave(to);
    }
    void setView(unsigned rank, Tick from, Tick to) {
        enter(rank, from, "MPI_File_set_view").leaveNaming(to, file_);
    }
    void write(unsigned rank, Tick from, Tick to, const char* region) {
        enter(rank, from, region);
        begin(rank, from, OTF2_IO_OPERATION_FLAG_COLLECTIVE);
        completeWrite(rank, to);
    }
    void writeInTwoCalls(unsigned rank, Tick from, Tick to) {
        enter(rank, from, "MPI_File_write_all_begin");
        begin(rank, from, OTF2_IO_OPERATION_FLAG_COLLECTIVE | OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
        trace.on(rank).leave(from);
        enter(rank, from, "MPI_File_write_all_end");
        completeWrite(rank, to);
    }

  private:
    LocationScript& enter(unsigned rank, Tick tick, const char* region) {
        trace.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
        return trace.on(rank).enter(tick, region);
    }
    void begin(unsigned rank, Tick tick, OTF2_IoOperationFlag flags) {
        trace.on(rank).record([=, file = file_, time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_IoOperationBegin(out, nullptr, time, file, OTF2_IO_OPERATION_MODE_WRITE,
                                                   flags, 8, 1);
        });
    }
    void completeWrite(unsigned rank, Tick tick) {
        trace.on(rank).record([=, file = file_, time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, time, file, 8, 1);
        });
        trace.on(rank).leave(tick);
    }
    OTF2_IoHandleRef file_;
};

/// `records`: how many a rank keeps; 0 for all.
template <class Build>
Findings cut(Build&& build, unsigned rank, std::size_t records,
             const analyzer::AnalysisOptions& options = {}) {
    CutRun run(3);
    build(run);
    run.close();
    if (records != 0) run.trace.on(rank).cut(records);
    return Findings(run.trace, options);
}

using Build = void (*)(CutRun&);

void epochs(CutRun& run) {
    run.fence(0, 1, 5);
    run.fence(1, 3, 5);
    run.fence(2, 2, 5);
    run.sync(0, 6, 7, "MPI_Win_start", {1});
    run.put(0, 7, 10, 1);
    run.sync(0, 11, 12, "MPI_Win_complete", {1});
    run.sync(1, 8, 9, "MPI_Win_post", {0});
    run.sync(1, 9, 13, "MPI_Win_wait", {0});
    run.lock(0, 14, 15, 2);
    run.put(0, 15, 16, 2);
    run.unlock(0, 19, 20, 2);
    run.lock(1, 15, 21, 2);
    run.requestGet(1, 21, 22, 2, 7);
    run.complete(1, 22, 23, "MPI_Wait", 7);
    run.unlock(1, 23, 24, 2);
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 13 : 25, 28);
}

void operationsOnFiles(CutRun& run) {
    for (unsigned rank = 0; rank < 3; ++rank) {
        run.open(rank, 1 + rank, 5);
        run.setView(rank, 9 - rank, 10);
        run.write(rank, 11 + 2 * (rank % 2), 15, "MPI_File_write_all");
        run.writeInTwoCalls(rank, 16 + rank, 20);
        run.write(rank, rank == 2 ? 26 : 24 - rank, 25 + rank, "MPI_File_write_ordered");
    }
}

/// One rank's events are cut everywhere; in a run of three ranks.
class CutRank : public ::testing::TestWithParam<unsigned> {
  protected:
    static void cutEverywhere(Build build) {
        const Findings complete = cut(build, 0, 0);
        EXPECT_GT(waitsOf(complete), 0);
        forEachCut(build, [&](std::size_t records) {
            const Findings found = cut(build, GetParam(), records);
            expectPossible(found, complete);
            EXPECT_TRUE(found.reported(Trouble::UnbalancedCalls));
        });
    }
    /// Whatever the correction of clocks makes of it, the analysis ends.
    static void cutEverywhereWithCorrectedClocks(Build build) {
        forEachCut(build, [&](std::size_t records) {
            EXPECT_GE(cut(build, GetParam(), records, corrected()).total("time"), 0);
        });
    }

  private:
    template <class Check>
    static void forEachCut(Build build, Check check) {
        CutRun whole(3);
        build(whole);
        const std::size_t all = whole.trace.on(GetParam()).records().size();
        for (std::size_t records = 1; records <= all; ++records) {
            SCOPED_TRACE(std::to_string(records) + " records");
            check(records);
        }
    }
};

TEST_P(CutRank, anywhereInEpochs_waitsAreNotMoreThanTheyWere) {
    cutEverywhere(&epochs);
}
TEST_P(CutRank, anywhereInEpochs_clocksAreCorrectedToTheEnd) {
    cutEverywhereWithCorrectedClocks(&epochs);
}
TEST_P(CutRank, anywhereInOperationsOnFiles_waitsAreNotMoreThanTheyWere) {
    cutEverywhere(&operationsOnFiles);
}
TEST_P(CutRank, anywhereInOperationsOnFiles_clocksAreCorrectedToTheEnd) {
    cutEverywhereWithCorrectedClocks(&operationsOnFiles);
}

INSTANTIATE_TEST_SUITE_P(OfThree, CutRank, ::testing::Range(0U, 3U), ::testing::PrintToStringParamName());

TEST(CutTrace, originEndsInItsEpoch_itsWaitForThePostIsKnown) {
    const auto build = [](CutRun& run) {
        run.sync(0, 1, 2, "MPI_Win_start", {1});
        run.put(0, 2, 6, 1);
        run.sync(0, 8, 9, "MPI_Win_complete", {1});
        run.sync(1, 4, 5, "MPI_Win_post", {0});
        run.sync(1, 6, 9, "MPI_Win_wait", {0});
    };
    const Findings found = cut(build, 0, 8);  // main, and three of each call: up to the enter of the last
    EXPECT_NEAR(found.at("mpi_rma_comm_late_post", "main/MPI_Put", 0), 0.002, kExact);  // 4 - 2
    EXPECT_EQ(found.total("mpi_rma_early_wait"), 0);                                    // not known
    EXPECT_TRUE(found.reported(Trouble::UnbalancedCalls));
}

TEST(CutTrace, targetEndsInItsWait_waitsUntilItsLastEvent) {
    const auto build = [](CutRun& run) {
        run.sync(0, 1, 2, "MPI_Win_start", {1});
        run.put(0, 2, 5, 1);
        run.sync(0, 8, 9, "MPI_Win_complete", {1});
        run.sync(1, 4, 5, "MPI_Win_post", {0});
        run.sync(1, 6, 9, "MPI_Win_wait", {0});
    };
    const Findings found = cut(build, 1, 6);                                            // without the leave
    EXPECT_NEAR(found.at("mpi_rma_comm_late_post", "main/MPI_Put", 0), 0.002, kExact);  // 4 - 2
    EXPECT_EQ(found.total("mpi_rma_early_wait"), 0);
}

TEST(CutTrace, lockThatIsNotGivenBack_itsOwnWaitIsKnown) {
    const auto build = [](CutRun& run) {
        run.lock(0, 1, 2, 2);
        run.unlock(0, 6, 7, 2);
        run.lock(1, 3, 8, 2);
        run.put(1, 8, 9, 2);
        run.unlock(1, 10, 11, 2);
    };
    const Findings found = cut(build, 1, 7);
    EXPECT_NEAR(found.at("mpi_rma_sync_lock_competition", "main/MPI_Win_lock", 1), 0.004, kExact);  // 7 - 3
    EXPECT_NEAR(found.total("delay_rma_passive_aggregate"), 0.004, kExact);
}

TEST(CutTrace, endsWithinAnOperationOnAFile_thoseBeforeCount) {
    const auto build = [](CutRun& run) {
        for (unsigned rank = 0; rank < 3; ++rank) {
            run.setView(rank, 1 + 2 * rank, 6);
            run.write(rank, 10 + rank, 20, "MPI_File_write_all");
        }
    };
    const Findings found = cut(build, 1, 5);  // main, two of the first call, two of the second
    EXPECT_NEAR(found.total("mpi_mgmt_file_wait"), 0.006, kExact);  // 5 - 1 and 5 - 3
    EXPECT_EQ(found.total("mpi_io_collective_wait"), 0);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedCollective));
    EXPECT_NEAR(found.total("mpi_io_bytes_written"), 24, kExact);  // as asked for
}

TEST(CutTrace, endsBeforeACallThatChangesAFileIsLeft_thatDoesNotCount) {
    const auto build = [](CutRun& run) {
        for (unsigned rank = 0; rank < 3; ++rank) {
            run.open(rank, 1, 2);
            run.setView(rank, 3 + 2 * rank, 8);
        }
    };
    const Findings found = cut(build, 2, 5);  // main, three of the first call, one of the second
    EXPECT_EQ(found.total("mpi_mgmt_file_wait"), 0);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedCollective));
}

}  // namespace
}  // namespace holos::testing
