// SPDX-License-Identifier: BSD-3-Clause
// Wait at collective I/O, and its causes.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto kTogether = OTF2_IO_OPERATION_FLAG_COLLECTIVE;
constexpr auto kWrite = OTF2_IO_OPERATION_MODE_WRITE;
constexpr auto kRead = OTF2_IO_OPERATION_MODE_READ;
constexpr auto kFlush = OTF2_IO_OPERATION_MODE_FLUSH;
constexpr const char* kWriteAll = "MPI_File_write_all";
constexpr const char* kAtWrite = "main/MPI_File_write_all";
constexpr const char* kOrdered = "MPI_File_write_ordered";
constexpr const char* kAtOrdered = "main/MPI_File_write_ordered";

/// Processes that have a file open.
class SharedFile {
  public:
    explicit SharedFile(unsigned processes, OTF2_CommRef comm = kWorld)
        : trace(processes), file_(trace.file(comm)) {
        for (unsigned rank = 0; rank < processes; ++rank) trace.on(rank).enter(0, "main");
    }
    Findings findings(const analyzer::AnalysisOptions& options = {}) {
        for (unsigned rank = 0; rank < trace.processes(); ++rank) trace.on(rank).leave(30);
        return Findings(trace, options);
    }

    SharedFile& begin(unsigned rank, Tick tick, OTF2_IoOperationMode mode, std::uint64_t operation,
                      OTF2_IoOperationFlag flags = kTogether) {
        const auto time = trace.timestamp(tick);
        trace.on(rank).record([=, file = file_](auto* out) {
            return OTF2_EvtWriter_IoOperationBegin(out, nullptr, time, file, mode, flags, 16, operation);
        });
        return *this;
    }
    SharedFile& complete(unsigned rank, Tick tick, std::uint64_t operation) {
        const auto time = trace.timestamp(tick);
        trace.on(rank).record([=, file = file_](auto* out) {
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, time, file, 16, operation);
        });
        return *this;
    }
    /// Starts and ends with its call.
    SharedFile& call(unsigned rank, Tick from, Tick to, const char* region, OTF2_IoOperationMode mode,
                     OTF2_IoOperationFlag flags = kTogether) {
        enter(rank, from, region);
        ++operations_;
        begin(rank, from, mode, operations_, flags).complete(rank, to, operations_);
        trace.on(rank).leave(to);
        return *this;
    }
    void open(unsigned rank, Tick from, Tick to) {
        enter(rank, from, "MPI_File_open");
        trace.on(rank).record([=, file = file_, time = trace.timestamp(to)](auto* out) {
            return OTF2_EvtWriter_IoCreateHandle(out, nullptr, time, file, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                                 OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
        });
        trace.on(rank).leave(to);
    }
    void close(unsigned rank, Tick from, Tick to) {
        enter(rank, from, "MPI_File_close");
        trace.on(rank).record([=, file = file_, time = trace.timestamp(to)](auto* out) {
            return OTF2_EvtWriter_IoDestroyHandle(out, nullptr, time, file);
        });
        trace.on(rank).leave(to);
    }
    /// Without an event of files but, at its leave, the file's name.
    SharedFile& change(unsigned rank, Tick from, Tick to, const char* region,
                       OTF2_AttributeRef attribute = kCollectiveIoHandle) {
        enter(rank, from, region);
        trace.on(rank).leaveNaming(to, file_, attribute);
        return *this;
    }
    SharedFile& seek(unsigned rank, Tick from, Tick to, const char* region) {
        enter(rank, from, region);
        trace.on(rank).record([=, file = file_, time = trace.timestamp(to)](auto* out) {
            return OTF2_EvtWriter_IoSeek(out, nullptr, time, file, 8, OTF2_IO_SEEK_FROM_START, 8);
        });
        trace.on(rank).leave(to);
        return *this;
    }
    void enter(unsigned rank, Tick tick, const char* region) {
        if (std::string_view(region).starts_with("MPI_File"))
            trace.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
        trace.on(rank).enter(tick, region);
    }

    TraceBuilder trace;

  private:
    OTF2_IoHandleRef file_;
    std::uint64_t operations_ = 0;
};

TEST(FileWait, oneComesLate_othersWaitForIt) {
    SharedFile run(3);
    run.call(0, 1, 8, kWriteAll, kWrite).call(1, 6, 9, kWriteAll, kWrite).call(2, 3, 7, kWriteAll, kWrite);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 0), 0.005, kExact);  // 6 - 1
    EXPECT_EQ(found.at("mpi_io_collective_wait", kAtWrite, 1), 0);
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 2), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.at("mpi_io_collective", kAtWrite, 0), 0.007, kExact);       // with the wait
    EXPECT_EQ(found.total("mpi_mgmt_file_wait"), 0);
    EXPECT_EQ(found.total("syncs_coll") + found.total("comms_coll"), 0);
}

TEST(FileWait, oneLeavesBeforeTheLastComes_nobodyWaited) {
    SharedFile run(2);
    run.call(0, 1, 6, kWriteAll, kWrite).call(1, 6, 9, kWriteAll, kWrite);
    EXPECT_EQ(run.findings().total("mpi_io_collective_wait"), 0);
}

/// Rank 1 leaves before rank 2 has come, so that nobody knows whether rank 0 waits for that. Off its
/// processor it is for 15 of 18 ticks, of which only those behind the last one's begin are sure to be no
/// wait.
TEST(FileWait, ifSomebodyLeavesEarly_aLackOfProcessorsIsWhatComesBehindTheLastOne) {
    SharedFile file(3);
    file.enter(0, 2, kWriteAll);
    file.begin(0, 2, kWrite, 101).complete(0, 20, 101);
    file.trace.on(0).leaveStarved(20, 15);
    file.call(1, 1, 5, kWriteAll, kWrite).call(2, 12, 20, kWriteAll, kWrite);
    const Findings found = file.findings();
    EXPECT_EQ(found.at("mpi_io_collective_wait", kAtWrite, 0), 0);
    EXPECT_NEAR(found.at("mpi_io_collective_processor_waiting", kAtWrite, 0), 0.008, kExact);
}

TEST(FileWait, oneLeavesJustAfterTheLastCame_allThatTimeWasWait) {
    SharedFile run(2);
    run.call(0, 1, 7, kWriteAll, kWrite).call(1, 6, 9, kWriteAll, kWrite);
    EXPECT_NEAR(run.findings().total("mpi_io_collective_wait"), 0.005, kExact);  // 6 - 1
}

TEST(FileWait, individualOperations_doNotWait) {
    SharedFile run(2);
    run.call(0, 1, 8, "MPI_File_write", kWrite, OTF2_IO_OPERATION_FLAG_NONE);
    run.call(1, 6, 9, "MPI_File_write", kWrite, OTF2_IO_OPERATION_FLAG_NONE);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("mpi_io_collective_wait"), 0);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 32);
}

TEST(FileWait, fileOfOneProcess_doesNotWait) {
    SharedFile run(2, kSelf);
    run.call(0, 1, 8, kWriteAll, kWrite).call(1, 6, 9, kWriteAll, kWrite);
    EXPECT_EQ(run.findings().total("mpi_io_collective_wait"), 0);
}

TEST(FileWait, openSyncAndClose_areManagement) {
    SharedFile run(2);
    run.open(0, 1, 4);
    run.open(1, 3, 5);
    run.call(0, 6, 12, "MPI_File_sync", kFlush).call(1, 10, 12, "MPI_File_sync", kFlush);
    run.close(0, 13, 22);
    run.close(1, 21, 22);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_open", 0), 0.002, kExact);   // 3 - 1
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_sync", 0), 0.004, kExact);   // 10 - 6
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_close", 0), 0.008, kExact);  // 21 - 13
    EXPECT_NEAR(found.total("mpi_mgmt_file_wait"), 0.014, kExact);
    EXPECT_EQ(found.total("mpi_io_collective_wait"), 0);
}

TEST(FileWait, oneChangesTheFileLate_othersWaitForIt) {
    SharedFile run(3);
    run.change(0, 1, 9, "MPI_File_set_view");
    run.change(1, 6, 9, "MPI_File_set_view");
    run.change(2, 3, 8, "MPI_File_set_view");
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_view", 0), 0.005, kExact);  // 6 - 1
    EXPECT_EQ(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_view", 1), 0);
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_view", 2), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.at("mpi_mgmt_file", "main/MPI_File_set_view", 0), 0.008, kExact);       // with the wait
    EXPECT_NEAR(found.at("delay_io", "main", 1), 0.008, kExact);  // where it was longer than the others
    EXPECT_EQ(found.total("mpi_io_collective_wait"), 0);
}

TEST(FileWait, oneChangesTheFileAndLeavesBeforeTheLastComes_nobodyWaited) {
    SharedFile run(2);
    run.change(0, 1, 6, "MPI_File_set_size").change(1, 6, 9, "MPI_File_set_size");
    EXPECT_EQ(run.findings().total("mpi_mgmt_file_wait"), 0);
}

TEST(FileWait, oneChangesTheFileAndLeavesJustAfterTheLastCame_allThatTimeWasWait) {
    SharedFile run(2);
    run.change(0, 1, 7, "MPI_File_set_size").change(1, 6, 9, "MPI_File_set_size");
    EXPECT_NEAR(run.findings().total("mpi_mgmt_file_wait"), 0.005, kExact);  // 6 - 1
}

TEST(FileWait, changesAmongOtherOperations_keepTheirOrder) {
    SharedFile run(2);
    run.open(0, 0, 2);
    run.open(1, 1, 2);
    run.change(0, 3, 7, "MPI_File_set_view").call(0, 8, 12, kWriteAll, kWrite);
    run.change(1, 6, 7, "MPI_File_set_view").call(1, 10, 12, kWriteAll, kWrite);
    run.close(0, 13, 16);
    run.close(1, 15, 16);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_open", 0), 0.001, kExact);      // 1 - 0
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_view", 0), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 0), 0.002, kExact);              // 10 - 8
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_close", 0), 0.002, kExact);     // 15 - 13
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
}

TEST(FileWait, changesOfAFileOfOneProcess_doNotWait) {
    SharedFile run(2, kSelf);
    run.change(0, 1, 9, "MPI_File_set_view").change(1, 6, 9, "MPI_File_set_view");
    EXPECT_EQ(run.findings().total("mpi_mgmt_file_wait"), 0);
}

TEST(FileWait, otherAttributes_sayNothingOfWaits) {
    SharedFile run(2);
    run.change(0, 1, 9, "MPI_File_set_view", 7).change(1, 6, 9, "MPI_File_set_view", 7);
    EXPECT_EQ(run.findings().total("mpi_mgmt_file_wait"), 0);
}

TEST(FileWait, sharedPointerThatOneMovesLate_othersWaitForIt) {
    SharedFile run(2);
    run.seek(0, 1, 8, "MPI_File_seek_shared").seek(1, 6, 8, "MPI_File_seek_shared");
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_seek_shared", 0), 0.005, kExact);  // 6 - 1
}

TEST(FileWait, ownPointers_areMovedWithoutWaiting) {
    SharedFile run(2);
    run.seek(0, 1, 8, "MPI_File_seek").seek(1, 6, 8, "MPI_File_seek");
    EXPECT_EQ(run.findings().total("mpi_mgmt_file_wait"), 0);
}

TEST(OrderedFileWait, allAreThereBeforeOneLeaves_theyWaitForTheLast) {
    SharedFile run(3);
    run.call(0, 1, 8, kOrdered, kWrite).call(1, 3, 9, kOrdered, kWrite).call(2, 6, 10, kOrdered, kWrite);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtOrdered, 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtOrdered, 1), 0.003, kExact);  // 6 - 3
    EXPECT_EQ(found.at("mpi_io_collective_wait", kAtOrdered, 2), 0);
}

// Rank 0 has left when rank 3 comes, so that nobody waits for that one; ranks 1 and 2 do for rank 0.
TEST(OrderedFileWait, oneLeavesBeforeTheLastComes_ranksWaitForThoseBelow) {
    SharedFile run(4);
    run.trace.on(0).call(0, 4, "work");
    run.call(0, 4, 6, kOrdered, kWrite).call(1, 1, 7, kOrdered, kWrite).call(2, 2, 8, kOrdered, kWrite);
    run.call(3, 10, 12, kOrdered, kWrite);
    const Findings found = run.findings();
    EXPECT_EQ(found.at("mpi_io_collective_wait", kAtOrdered, 0), 0);
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtOrdered, 1), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtOrdered, 2), 0.002, kExact);  // 4 - 2
    EXPECT_EQ(found.at("mpi_io_collective_wait", kAtOrdered, 3), 0);
    EXPECT_NEAR(found.at("delay_io", "main/work", 0), 0.005, kExact);
}

TEST(OrderedFileWait, rankThatComesTogetherWithTheOneBelow_doesNotWait) {
    SharedFile run(3);
    run.call(0, 4, 6, kOrdered, kWrite).call(1, 4, 7, kOrdered, kWrite).call(2, 10, 12, kOrdered, kWrite);
    EXPECT_EQ(run.findings().total("mpi_io_collective_wait"), 0);
}

TEST(OrderedFileWait, ofTwoHalves_isInTheSecond) {
    SharedFile run(3);
    for (const auto& [rank, began, ends, done] :
         {std::tuple(0U, 6U, 8U, 9U), std::tuple(1U, 1U, 3U, 10U), std::tuple(2U, 12U, 14U, 15U)}) {
        run.enter(rank, began, "MPI_File_write_ordered_begin");
        run.begin(rank, began, kWrite, 1, kTogether | OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
        run.trace.on(rank).leave(began + 1);
        run.enter(rank, ends, "MPI_File_write_ordered_end");
        run.complete(rank, done, 1);
        run.trace.on(rank).leave(done);
    }
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", "main/MPI_File_write_ordered_end", 1), 0.003,
                kExact);  // 6 - 3
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.003, kExact);
}

TEST(FileWait, operationOfTwoHalves_waitsInTheSecond) {
    SharedFile run(2);
    for (const auto& [rank, began, ends] : {std::tuple(0U, 1U, 5U), std::tuple(1U, 8U, 10U)}) {
        run.enter(rank, began, "MPI_File_read_all_begin");
        run.begin(rank, began, kRead, 1, kTogether | OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
        run.trace.on(rank).leave(began + 1);
        run.enter(rank, ends, "MPI_File_read_all_end");
        run.complete(rank, 12, 1);
        run.trace.on(rank).leave(12);
    }
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", "main/MPI_File_read_all_end", 0), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.at("mpi_io_collective", "main/MPI_File_read_all_end", 0), 0.007, kExact);  // 12 - 5
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.003, kExact);
}

TEST(FileWait, nonblockingOperation_waitsInTheCallThatCompletesIt) {
    SharedFile run(2);
    for (const auto& [rank, began, ends] : {std::tuple(0U, 1U, 5U), std::tuple(1U, 8U, 10U)}) {
        run.enter(rank, began, "MPI_File_iwrite_all");
        run.begin(rank, began, kWrite, 1, kTogether | OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
        run.trace.on(rank).leave(began + 1);
        run.enter(rank, ends, "MPI_Wait");
        run.complete(rank, 12, 1);
        run.trace.on(rank).leave(12);
    }
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_io_collective_wait", "main/MPI_Wait", 0), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.at("mpi_io_collective", "main/MPI_Wait", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", "main/MPI_Wait", 0), 0.004, kExact);  // 12 - 5 without it
    EXPECT_NEAR(found.at("delay_io", "main", 1), 0.003, kExact);  // where it was longer than rank 0
}

TEST(FileWait, everyFile_hasAnOrderOfItsOwn) {
    TraceBuilder trace(2);
    const auto first = trace.file();
    const auto second = trace.file();
    trace.region(kWriteAll, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
    const auto write = [&](unsigned rank, Tick from, Tick to, OTF2_IoHandleRef file) {
        const auto begin = trace.timestamp(from);
        const auto end = trace.timestamp(to);
        trace.on(rank).enter(from, kWriteAll).record([=](auto* out) {
            OTF2_EvtWriter_IoOperationBegin(out, nullptr, begin, file, kWrite, kTogether, 8, from);
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, end, file, 8, from);
        });
        trace.on(rank).leave(to);
    };
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    write(0, 1, 5, first);
    write(0, 7, 12, second);
    write(1, 3, 6, first);
    write(1, 8, 12, second);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 0), 0.003, kExact);  // (3 - 1) + (8 - 7)
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
}

/// Two threads of each process work on a file each.
TEST(FileWait, severalThreads_eachWaitsAtItsFile) {
    TraceBuilder trace(2, 2);
    const OTF2_IoHandleRef files[] = {trace.file(), trace.file(trace.communicator({1, 0}))};
    for (const char* region : {kWriteAll, "MPI_File_set_view"})
        trace.region(region, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
    const auto use = [&](unsigned rank, unsigned thread, Tick from, Tick to) {
        const auto begin = trace.timestamp(from);
        const auto end = trace.timestamp(to);
        LocationScript& script = trace.on(rank, thread);
        script.enter(0, "main").enter(from, kWriteAll).record([=, file = files[thread]](auto* out) {
            OTF2_EvtWriter_IoOperationBegin(out, nullptr, begin, file, kWrite, kTogether, 8, from);
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, end, file, 8, from);
        });
        script.leave(to).enter(to + 1, "MPI_File_set_view").leaveNaming(20 + thread, files[thread]).leave(30);
    };
    use(0, 0, 1, 10);
    use(0, 1, 6, 11);
    use(1, 0, 4, 12);
    use(1, 1, 2, 11);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 0, 0), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.at("mpi_io_collective_wait", kAtWrite, 1, 1), 0.004, kExact);  // 6 - 2
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.007, kExact);
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_view", 0, 0), 0.002, kExact);  // 13 - 11
    EXPECT_NEAR(found.total("mpi_mgmt_file_wait"), 0.002, kExact);
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
    EXPECT_NEAR(found.total("delay_io_aggregate"), 0.009, kExact);
}

/// One file for which the threads of a process take turns.
TEST(FileWait, threadsThatTakeTurns_haveOneOrder) {
    TraceBuilder trace(2, 2);
    const OTF2_IoHandleRef file = trace.file();
    trace.region("MPI_File_set_size", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO, "MPI"});
    for (unsigned rank = 0; rank < 2; ++rank)
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(rank, thread).enter(0, "main");
    trace.on(0, 1).enter(1, "MPI_File_set_size").leaveNaming(8, file);    // the first
    trace.on(0, 0).enter(10, "MPI_File_set_size").leaveNaming(15, file);  // the second
    trace.on(1, 0).enter(3, "MPI_File_set_size").leaveNaming(8, file);
    trace.on(1, 0).enter(14, "MPI_File_set_size").leaveNaming(15, file);
    for (unsigned rank = 0; rank < 2; ++rank)
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(rank, thread).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_size", 0, 1), 0.002, kExact);  // 3 - 1
    EXPECT_NEAR(found.at("mpi_mgmt_file_wait", "main/MPI_File_set_size", 0, 0), 0.004, kExact);  // 14 - 10
    EXPECT_NEAR(found.total("mpi_mgmt_file_wait"), 0.006, kExact);
}

TEST(FileWait, operationThatOneLacks_isReported) {
    SharedFile run(2);
    run.call(0, 1, 8, kWriteAll, kWrite).call(1, 6, 8, kWriteAll, kWrite).call(0, 9, 10, kWriteAll, kWrite);
    const Findings found = run.findings();
    EXPECT_TRUE(found.reported(analyzer::Trouble::UnmatchedCollective));
    EXPECT_NEAR(found.total("mpi_io_collective_wait"), 0.005, kExact);  // of the first: 6 - 1
}

// Rank 1 works 5 ms longer before it writes: that is what rank 0 waits for.
TEST(FileWait, causedByWork_costsTheWorkOfTheLateOne) {
    SharedFile run(2);
    run.trace.on(0).call(0, 1, "work");
    run.trace.on(1).call(0, 6, "work");
    run.call(0, 1, 8, kWriteAll, kWrite).call(1, 6, 8, kWriteAll, kWrite);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_io", "main/work", 1), 0.005, kExact);
    EXPECT_NEAR(found.total("delay_io_aggregate"), 0.005, kExact);
    EXPECT_EQ(found.total("delay_io_longterm"), 0);
}

}  // namespace
}  // namespace holos::testing
