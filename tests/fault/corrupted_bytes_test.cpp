// SPDX-License-Identifier: BSD-3-Clause
// Every byte of every file of a small archive, wrong one at a time: the analysis ends with a result or with
// an error, soon, and never with a crash.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "tests/support/damage.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

/// One of everything.
std::filesystem::path writeTrace(const TemporaryDirectory& directory) {
    constexpr auto* kParallel = "!$omp parallel @t.c:1";
    TraceBuilder trace(2, 2);
    const auto counters = trace.counters({{.name = "CYCLES"}});
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).counters(0, counters, {1}).enter(0, "main").call(1, 2, "MPI_Init").fork(3, 2);
        trace.on(rank, 0).teamBegin(3).enter(3, kParallel).acquire(4, 0, 1).release(5, 0, 1);
        trace.on(rank, 0).call(5, 6, "!$omp barrier @t.c:2").leave(7).teamEnd(7);
        trace.on(rank, 1).teamBegin(3).enter(3, kParallel).acquire(5, 0, 2).release(6, 0, 2);
        trace.on(rank, 1).call(6, 6, "!$omp barrier @t.c:2").leave(7).teamEnd(7);
        trace.on(rank).join(8).irecv(9, 10, 1).isend(10, 11, {.peer = 1 - rank}, 2);
        trace.on(rank).waitRecv(12, 13, {.peer = 1 - rank}, 1).waitSend(13, 14, 2).barrier(14, 15);
        trace.on(rank).collective(15, 16, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).call(17, 18, "MPI_Finalize");
        trace.on(rank).counters(19, counters, {100}).leave(19);
    }
    return trace.write(directory.path());
}

/// One of everything of one-sided communication and files.
std::filesystem::path writeWindowsAndFiles(const TemporaryDirectory& directory) {
    WindowTrace run(2);
    const OTF2_IoHandleRef file = run.trace.file();
    constexpr auto kTogether = OTF2_IO_OPERATION_FLAG_COLLECTIVE;
    for (unsigned rank = 0; rank < 2; ++rank) run.fence(rank, 1 + rank, 3);
    run.sync(0, 3, 4, "MPI_Win_start", {1});
    run.get(0, 4, 5, 1);
    run.sync(0, 6, 7, "MPI_Win_complete", {1});
    run.sync(1, 3, 4, "MPI_Win_post", {0});
    run.sync(1, 5, 7, "MPI_Win_wait", {0});
    for (unsigned rank = 0; rank < 2; ++rank) {
        run.lock(rank, 8 + rank, 9 + rank, 1 - rank);
        run.requestGet(rank, 10, 11, 1 - rank, 7);
        run.complete(rank, 11, 12, "MPI_Wait", 7);
        run.unlock(rank, 12, 13, 1 - rank);
        LocationScript& script = run.trace.on(rank);
        const auto time = run.trace.timestamp(14);
        script.enter(14, "MPI_File_seek_shared").record([=](auto* out) {
            OTF2_EvtWriter_IoCreateHandle(out, nullptr, time, file, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                          OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
            return OTF2_EvtWriter_IoSeek(out, nullptr, time, file, 8, OTF2_IO_SEEK_FROM_START, 8);
        });
        script.leave(15).enter(15, "MPI_File_set_view").leaveNaming(16, file);
        const auto begin = run.trace.timestamp(17);
        script.enter(17, "MPI_File_write_ordered").record([=](auto* out) {
            OTF2_EvtWriter_IoOperationBegin(out, nullptr, begin, file, OTF2_IO_OPERATION_MODE_WRITE,
                                            kTogether, 8, 1);
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, begin, file, 8, 1);
        });
        script.leave(18).leave(20);
    }
    return run.trace.write(directory.path());
}

/// A thread that another one makes; each waits for the other's mutex, one of them for a condition.
std::filesystem::path writeThreadsAndLocks(const TemporaryDirectory& directory) {
    TraceBuilder trace(1, 2);
    const auto threads = trace.team(0, {0, 1});
    const auto start = trace.timestamp(1);
    for (const char* region : {"pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait"})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    const auto acquire = [&](unsigned thread, Tick from, Tick to, std::uint32_t lock, std::uint32_t order) {
        trace.on(0, thread).enter(from, "pthread_mutex_lock").acquire(to, lock, order).leave(to);
    };
    const auto release = [&](unsigned thread, Tick tick, std::uint32_t lock, std::uint32_t order) {
        trace.on(0, thread).enter(tick, "pthread_mutex_unlock").release(tick, lock, order).leave(tick);
    };
    trace.on(0, 0).enter(0, "main").record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadCreate(out, nullptr, start, threads, 1); });
    trace.on(0, 1).record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadBegin(out, nullptr, start, threads, 1); });
    trace.on(0, 1).enter(1, "work");
    acquire(0, 2, 2, 0, 1);
    acquire(1, 2, 2, 1, 1);
    acquire(1, 3, 5, 0, 2);
    release(0, 5, 0, 1);
    acquire(0, 6, 8, 1, 2);
    release(1, 7, 0, 2);
    release(1, 8, 1, 1);
    trace.on(0, 0).enter(9, "pthread_cond_wait").release(9, 1, 2).acquire(14, 1, 4).leave(14);
    acquire(1, 10, 10, 1, 3);
    release(1, 13, 1, 3);
    release(0, 15, 1, 4);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(20);
    return trace.write(directory.path());
}

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void expectEndWithEachByteWrong(const std::filesystem::path& anchor, const std::filesystem::path& file) {
    const auto content = contentOf(file);
    for (std::size_t at = 0; at < content.size(); ++at) {
        auto wrong = content;
        wrong[at] = static_cast<char>(wrong[at] ^ (at % 2 == 0 ? 0xFF : 0x01));
        replace(file, wrong);
        try {
            analyzer::analyze(anchor);
        } catch (const Error&) {  // says what is wrong; that is all we ask for
        }
    }
    replace(file, content);
}

TEST(CorruptedBytes, inEventFiles_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, eventFile(anchor, 0));
    expectEndWithEachByteWrong(anchor, eventFile(anchor, 1, 1));
}

TEST(CorruptedBytes, inWindowsAndFiles_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeWindowsAndFiles(directory);
    EXPECT_TRUE(analyzer::analyze(anchor).diagnoses.empty());
    expectEndWithEachByteWrong(anchor, eventFile(anchor, 0));
    expectEndWithEachByteWrong(anchor, globalDefinitionFile(anchor));
}

TEST(CorruptedBytes, inThreadsAndLocks_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeThreadsAndLocks(directory);
    const Findings found(anchor, 2);
    EXPECT_NEAR(found.total("delay_pthread_lock_aggregate"), 0.004, kExact);       // 5 - 3, 8 - 6
    EXPECT_NEAR(found.total("delay_pthread_condition_aggregate"), 0.004, kExact);  // 13 - 9
    for (const unsigned thread : {0U, 1U}) expectEndWithEachByteWrong(anchor, eventFile(anchor, 0, thread));
}

TEST(CorruptedBytes, inLocalDefinitions_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, localDefinitionFile(anchor, 0));
}

TEST(CorruptedBytes, inGlobalDefinitions_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, globalDefinitionFile(anchor));
}

TEST(CorruptedBytes, inAnchor_neverCrash) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    expectEndWithEachByteWrong(anchor, anchor);
}

}  // namespace
}  // namespace holos::testing
