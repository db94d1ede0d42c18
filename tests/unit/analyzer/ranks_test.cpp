// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "analyzer/workers/own_thread.h"
#include "base/error.h"
#include "tests/support/damage.h"
#include "tests/support/equal_experiments.h"
#include "tests/support/large_trace.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::trace::LocationId;
using analyzer::workers::Ranks;
using analyzer::workers::Shares;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Processes with one thread and so many events each.
analyzer::trace::Definitions processesOf(const std::vector<std::uint64_t>& events) {
    analyzer::trace::Definitions definitions;
    for (const std::uint64_t count : events) {
        analyzer::trace::Location location;
        location.events = count;
        location.process = analyzer::trace::ProcessId(definitions.processes.size());
        definitions.processes.emplace_back();
        definitions.processes.back().threads.emplace_back(definitions.locations.size());
        definitions.locations.push_back(location);
    }
    return definitions;
}

void addComm(analyzer::trace::Definitions& definitions, analyzer::trace::Paradigm paradigm,
             const std::vector<LocationId>& members) {
    analyzer::trace::Comm& comm = definitions.comms.emplace_back();
    comm.paradigm = paradigm;
    comm.members = members;
}

TEST(Shares, locationsOfDifferentSize_largestGoesToTheRankWithLeast) {
    const auto definitions = processesOf({50'000, 10'000, 30'000, 25'000});
    const Shares shares(definitions, 2);
    // 50,000 to the first, 30,000 to the second, 25,000 to it as well, 10,000 to the first.
    EXPECT_THAT(shares.of(0), ElementsAre(LocationId(0), LocationId(1)));
    EXPECT_THAT(shares.of(1), ElementsAre(LocationId(2), LocationId(3)));
    EXPECT_EQ(shares.readerOf(LocationId(3)), 1U);
}

TEST(Shares, teamOfThreads_staysTogether) {
    auto definitions = processesOf({50'000, 50'000, 50'000});
    addComm(definitions, analyzer::trace::Paradigm::OpenMp, {LocationId(0), LocationId(2)});
    addComm(definitions, analyzer::trace::Paradigm::Mpi, {LocationId(0), LocationId(1), LocationId(2)});
    const Shares shares(definitions, 3);
    EXPECT_THAT(shares.of(0), ElementsAre(LocationId(0), LocationId(2)));
    EXPECT_THAT(shares.of(1), ElementsAre(LocationId(1)));
    EXPECT_TRUE(shares.of(2).empty());
}

TEST(Ranks, nobodyFails_allGoOn) {
    runAsRanks(3, [](Ranks& ranks) {
        ranks.agree([] {});
        ranks.finish();
    });
}

TEST(Ranks, someFail_firstReportsTheSmallest) {
    try {
        runAsRanks(4, [](Ranks& ranks) {
            ranks.agree([&] {
                if (ranks.self() >= 2) throw Error("no room", {.file = std::to_string(ranks.self())});
            });
            FAIL() << "rank " << ranks.self() << " goes on";
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "rank 2: 2: no room");
    }
}

TEST(Ranks, firstFails_itsOwnErrorComesOut) {
    try {
        runAsRanks(3, [](Ranks& ranks) { ranks.agree([] { throw Error("no room", {.file = "f"}); }); });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "f");
    }
}

TEST(Ranks, attemptFails_nextAgreementSaysSo) {
    try {
        runAsRanks(3, [](Ranks& ranks) {
            ranks.attempt([&] {
                if (ranks.self() == 1) throw Error("no room");
            });
            bool isDone = false;
            ranks.attempt([&] { isDone = true; });
            EXPECT_EQ(isDone, ranks.self() != 1);
            ranks.agree([] {});
            FAIL() << "rank " << ranks.self() << " goes on";
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "rank 1: no room");
    }
}

TEST(Ranks, alone_attemptThrowsAtOnce) {
    analyzer::workers::Alone alone;
    EXPECT_THROW(alone.attempt([] { throw Error("no room"); }), Error);
    alone.agree([] {});
}

TEST(Ranks, workOfTheFirst_othersWaitForItOrSeeThatItIsDone) {
    for (const bool isSeen : {false, true}) {
        std::atomic<bool> isDone = false;
        runAsRanks(3, [&](Ranks& ranks) {
            ranks.attemptFirst(
                [&] {
                    EXPECT_TRUE(ranks.isFirst());
                    isDone = true;
                },
                [&] { return isSeen; });
            EXPECT_TRUE(isDone || isSeen);
            ranks.agree([] {});
            EXPECT_TRUE(isDone);
            ranks.finish();
        });
    }
}

TEST(Ranks, whatTheFirstSendsMeanwhile_isObeyedByThoseThatWait) {
    runAsRanks(3, [&](Ranks& ranks) {
        const auto work = [&] {
            for (const unsigned rank : {1U, 2U}) ranks.post(rank, "order");
            for (const unsigned rank : {1U, 2U}) EXPECT_EQ(ranks.receive(rank), "order obeyed");
        };
        ranks.attemptFirst(
            work, [] { return false; }, [&](const std::string& order) { ranks.send(0, order + " obeyed"); });
        ranks.agree([] {});
        ranks.finish();
    });
}

TEST(Ranks, workOfTheFirstFails_itsOwnErrorComesOut) {
    for (const bool isSeen : {false, true}) {
        try {
            runAsRanks(3, [&](Ranks& ranks) {
                ranks.attemptFirst([] { throw Error("no room", {.file = "f"}); }, [&] { return isSeen; });
                ranks.agree([] {});
                FAIL() << "rank " << ranks.self() << " goes on";
            });
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.place().file, "f");
        }
    }
}

TEST(OwnThread, tasks_areDoneInOrderByOneOtherThread) {
    std::vector<int> done;
    std::vector<std::thread::id> threads;
    {
        analyzer::workers::OwnThread thread;
        for (int i = 0; i < 3; ++i)
            thread.add([&, i] {
                done.push_back(i);
                threads.push_back(std::this_thread::get_id());
            });
    }
    EXPECT_THAT(done, ElementsAre(0, 1, 2));
    EXPECT_THAT(threads, ::testing::Each(threads[0]));
    EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST(OwnThread, taskThrows_itComesOutOfItsFuture) {
    analyzer::workers::OwnThread thread;
    std::future<void> failing = thread.add([] { throw Error("no room"); });
    std::future<void> next = thread.add([] {});
    EXPECT_THROW(failing.get(), Error);
    next.get();
}

/// Two processes with two threads each that fork, wait, count, communicate and meet.
std::filesystem::path writeHybridTrace(const std::filesystem::path& directory) {
    TraceBuilder trace(2, 2);
    const OTF2_MetricRef counter = trace.counters({{.name = "PAPI_TOT_CYC"}});
    const OTF2_CommRef reversed = trace.communicator({1, 0});
    const OTF2_IoHandleRef file = trace.file();
    for (unsigned rank = 0; rank < 2; ++rank) {
        const unsigned other = 1 - rank;
        const Tick late = 3 * rank;
        auto& master = trace.on(rank);
        master.enter(0, "main").counters(1, counter, {100}).fork(10, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(rank, thread)
                .teamBegin(10 + thread)
                .enter(11, "!$omp parallel @test.c:10")
                .call(13, 15 + late + thread, "work")
                .call(16 + late + thread, 25, "!$omp barrier @test.c:12")
                .leave(30)
                .teamEnd(31);
        master.join(32).counters(33, counter, {500});
        master.isend(34 + late, 35 + late, {.peer = other}, 1)
            .recv(36 + late, 42 + late, {.peer = other})
            .waitSend(43 + late, 44 + late, 1)
            .collective(50 + late, 60, OTF2_COLLECTIVE_OP_ALLREDUCE, {.comm = reversed})
            .barrier(61 + late, 70);
        if (rank == 0) master.leave(71, "never entered");
        const auto begin = trace.timestamp(72 + late);
        const auto end = trace.timestamp(79);
        master.enter(72 + late, "MPI_File_write_all").record([=](auto* out) {
            OTF2_EvtWriter_IoOperationBegin(out, nullptr, begin, file, OTF2_IO_OPERATION_MODE_WRITE,
                                            OTF2_IO_OPERATION_FLAG_COLLECTIVE, 8, 1);
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, end, file, 8, 1);
        });
        master.leave(79).leave(80);
    }
    return trace.write(directory);
}

void expectSameForAllRanks(const std::filesystem::path& archive, analyzer::AnalysisOptions options) {
    options.threads = 1;
    const analyzer::AnalysisResult serial = analyzer::analyze(archive, options);
    for (const unsigned ranks : {1U, 2U, 3U})
        for (const unsigned threads : {1U, 2U}) {
            options.threads = threads;
            const analyzer::AnalysisResult shared = analyzeByRanks(ranks, archive, options);
            expectEqual(shared.experiment, serial.experiment);
            EXPECT_EQ(shared.experiment.files, serial.experiment.files);
            EXPECT_EQ(diagnosesText(shared.diagnoses), diagnosesText(serial.diagnoses));
            EXPECT_EQ(shared.statistics.events, serial.statistics.events);
            EXPECT_EQ(shared.statistics.clockViolations, serial.statistics.clockViolations);
        }
}

TEST(AnalysisByRanks, largeTrace_sameResultBitForBit) {
    const TemporaryDirectory directory;
    expectSameForAllRanks(
        writeLargeTrace(directory.path(), {.processes = 5, .rounds = 20, .callsPerRound = 50}), {});
}

TEST(AnalysisByRanks, threadsCountersAndCollectives_sameResultBitForBit) {
    const TemporaryDirectory directory;
    expectSameForAllRanks(writeHybridTrace(directory.path()), {});
}

TEST(AnalysisByRanks, clocksCorrected_sameResultBitForBit) {
    const TemporaryDirectory directory;
    analyzer::AnalysisOptions options;
    options.correctClocks.emplace().message = 0.004;
    const auto archive = writeHybridTrace(directory.path());
    ASSERT_GT(analyzer::analyze(archive, options).statistics.clockViolations, 0U);
    expectSameForAllRanks(archive, options);
}

TEST(AnalysisByRanks, memoryLimited_sameResultBitForBit) {
    const TemporaryDirectory directory;
    const auto archive =
        writeLargeTrace(directory.path(), {.processes = 3, .rounds = 2000, .callsPerRound = 3});
    analyzer::AnalysisOptions options;
    options.memoryLimit = 4096;
    options.recordFolder = directory.path();
    expectSameForAllRanks(archive, options);
}

TEST(AnalysisByRanks, parallelRegions_sameResultBitForBit) {
    const TemporaryDirectory directory;
    const auto archive = writeLargeTrace(
        directory.path(),
        {.processes = 3, .rounds = 200, .callsPerRound = 3, .threads = 3, .parallelsPerRound = 20});
    expectSameForAllRanks(archive, {});
    analyzer::AnalysisOptions options;
    options.memoryLimit = 4096;
    options.recordFolder = directory.path();
    expectSameForAllRanks(archive, options);
}

TEST(AnalysisByRanks, eventFileMissing_sameDiagnoses) {
    const TemporaryDirectory directory;
    const auto archive = writeHybridTrace(directory.path());
    std::filesystem::remove(eventFile(archive, 1));
    expectSameForAllRanks(archive, {});
}

TEST(AnalysisByRanks, archiveUnreadable_firstRankNamesIt) {
    const TemporaryDirectory directory;
    const auto archive = writeHybridTrace(directory.path());
    replace(globalDefinitionFile(archive), "nonsense");
    try {
        analyzeByRanks(3, archive, {});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("traces"));
        EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("rank")));
    }
}

TEST(AnalysisByRanks, archiveUnreadableWithClocksToCorrect_firstRankNamesIt) {
    const TemporaryDirectory directory;
    const auto archive = writeHybridTrace(directory.path());
    replace(globalDefinitionFile(archive), "nonsense");
    analyzer::AnalysisOptions options;
    options.correctClocks.emplace();
    EXPECT_THROW(analyzeByRanks(2, archive, options), Error);
}

TEST(AnalysisByRanks, oneRankHasNoRoom_allEndWithItsError) {
    const TemporaryDirectory directory;
    const auto archive = writeHybridTrace(directory.path());
    try {
        runAsRanks(3, [&](Ranks& ranks) {
            analyzer::AnalysisOptions options;
            options.ranks = &ranks;
            options.memoryLimit = ranks.self() == 1 ? AtMost(1) : AtMost(kAll);
            options.recordFolder = "/nowhere/at/all";
            analyzer::analyze(archive, options);
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("rank 1: /nowhere/at/all: no file for records"));
    }
}

}  // namespace
}  // namespace holos::testing
