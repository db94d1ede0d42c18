// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/counters/source.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/facts/host_facts.h"

namespace holos::archive {
namespace {

TEST_F(ConversionTest, regionsOfOneThread_becomeEvents) {
    auto log = program();
    log.region(1, "outer").region(2, "inner").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Enter, 1'400, {2})
        .add(RecordKind::Leave, 1'600, {2})
        .nextChunk()
        .add(RecordKind::Leave, 2'000, {1})
        .write(folder);
    const Result result = finish(directory_.path());
    EXPECT_EQ(result.events, 6u);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter outer", "0 200 enter inner",
                                      "0 300 leave inner", "0 500 leave outer", "0 1000 end"));
}

/// The first poll by itself, three of 30 ns in all within 90 ns, and one that found something.
TEST_F(ConversionTest, polls_areOneCallOfTheirTime_thatSaysHowMany) {
    auto log = program();
    log.region(1, "poll").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Leave, 1'210, {1})
        .add(RecordKind::Polls, 1'220, {1, 3, 60, 1'400, 1'500})
        .add(RecordKind::Leave, 1'600, {1})
        .write(folder);
    EXPECT_EQ(finish(directory_.path()).events, 8u);
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter poll", "0 105 leave poll",
                                      "0 170 enter poll Calls 3 CallsSpan 90", "0 200 leave poll",
                                      "0 250 enter poll", "0 300 leave poll", "0 1000 end"));
}

/// The first section by itself; three within 90 ns, of 10, 20 and 15 ns in all before, in and behind their
/// blocks; and one that is not over.
TEST_F(ConversionTest, sections_areOneOfTheirTimes_thatSaysHowMany) {
    auto log = program();
    log.region(1, "critical").region(2, "block").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Leave, 1'210, {1})
        .add(RecordKind::Sections, 1'220, {1, 2, 3, 20, 40, 30, 1'400, 1'500, 1'504})
        .add(RecordKind::Leave, 1'600, {2})
        .add(RecordKind::Leave, 1'602, {1})
        .write(folder);
    EXPECT_EQ(finish(directory_.path()).events, 12u);
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter critical", "0 105 leave critical",
                                      "0 155 enter critical Calls 3 CallsSpan 90",
                                      "0 165 enter block Calls 3 CallsSpan 90", "0 185 leave block",
                                      "0 200 leave critical", "0 250 enter critical", "0 252 enter block",
                                      "0 300 leave block", "0 301 leave critical", "0 1000 end"));
}

TEST_F(ConversionTest, sectionsWithoutBlocks_andThoseOfUnknownRegions_areTranslatedAsFarAsKnown) {
    auto log = program();
    log.region(1, "atomic").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Sections, 1'220, {1, 0, 2, 20, 40, 30, 1'400, 0, 0})
        .add(RecordKind::Sections, 1'500, {1, 7, 2, 20, 40, 30, 1'600, 0, 0})
        .write(folder);
    EXPECT_THAT(finish(directory_.path()).notes, Contains(HasSubstr("1 events were left out")));
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 155 enter atomic Calls 2 CallsSpan 90",
                                      "0 200 leave atomic", "0 255 enter atomic Calls 2 CallsSpan 50",
                                      "0 300 leave atomic", "0 1000 end"));
}

TEST_F(ConversionTest, onePoll_isACallAsAnyOther) {
    auto log = program();
    log.region(1, "poll").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::Polls, 1'220, {1, 1, 60, 1'280, 0}).write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 110 enter poll", "0 140 leave poll", "0 1000 end"));
}

TEST_F(ConversionTest, timeout_isToldByTheLeaveOfItsCall) {
    auto log = program();
    log.region(1, "sem_timedwait", tracing::Paradigm::Pthread, tracing::Role::Lock).sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::TimedOut, 1'390, {40})
        .add(RecordKind::Leave, 1'400, {1})
        .add(RecordKind::Enter, 1'400, {1})
        .add(RecordKind::Leave, 1'600, {1})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter sem_timedwait",
                                      "0 200 leave sem_timedwait TimedOut 40", "0 200 enter sem_timedwait",
                                      "0 300 leave sem_timedwait", "0 1000 end"));
}

/// The thread slept before the leave of the function that it called.
TEST_F(ConversionTest, timesWithoutAProcessor_areToldByTheNextEnterOrLeave) {
    auto log = program();
    log.begin(DefinitionKind::WatchesShortage);
    log.region(1, "work").region(2, "inner").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Shortage, 1'400, {30, 0})
        .add(RecordKind::Enter, 1'400, {2})
        .add(RecordKind::Shortage, 1'600, {50, 2})
        .add(RecordKind::Leave, 1'600, {2})
        .add(RecordKind::Leave, 2'000, {1})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(
        events(holos::testing::ProcessorTimes::Told),
        ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 200 enter inner WithoutProcessor 30",
                    "0 300 leave inner AsleepOrWithoutProcessor 50", "0 500 leave work", "0 1000 end"));
}

TEST_F(ConversionTest, timeWithoutAProcessorBeforeARelease_isToldByThat) {
    auto log = program();
    log.begin(DefinitionKind::WatchesShortage);
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Shortage, 1'400, {30, 0})
        .add(RecordKind::ReleaseLock, 1'400, {pair(5, 1), 0})
        .add(RecordKind::Leave, 2'000, {1})
        .write(folder);
    finish(directory_.path());
    const auto told = events(holos::testing::ProcessorTimes::Told);
    EXPECT_THAT(told, Contains("0 200 release WithoutProcessor 30"));
    EXPECT_THAT(told, Contains("0 500 leave work"));
}

TEST_F(ConversionTest, useOfTheMachine_isThatBeforeAndAfter) {
    auto log = program();
    log.begin(DefinitionKind::MachineUse).add(std::uint64_t{7'000'000'000});
    log.region(1, "work").sync(3'000, 1'500);
    log.begin(DefinitionKind::MachineUse).add(std::uint64_t{7'500'000'000});
    writeProcess(recording(), "host.1.0", log);
    finish(directory_.path());
    const auto use = measurement()["processes"][0]["machineSecondsInUse"];
    EXPECT_DOUBLE_EQ(use["before"], 7);
    EXPECT_DOUBLE_EQ(use["after"], 7.5);
}

/// Half a second of children had passed before.
TEST_F(ConversionTest, timeOfChildren_isThatSinceTheBegin) {
    auto log = program();
    log.begin(DefinitionKind::ChildrenTime).add(std::uint64_t{500'000'000}).add(std::uint32_t{77});
    log.region(1, "work").sync(3'000, 1'500);
    log.begin(DefinitionKind::ChildrenTime).add(std::uint64_t{2'500'000'000}).add(std::uint32_t{77});
    writeProcess(recording(), "host.1.0", log);
    finish(directory_.path());
    EXPECT_DOUBLE_EQ(measurement()["processes"][0]["childSecondsOnProcessors"], 2);
}

/// Of the container: 300 µs had passed before.
TEST_F(ConversionTest, limitOfProcessors_isSaidWithWhatItDidInTheRecording) {
    auto log = program();
    log.begin(DefinitionKind::ProcessorLimit).add(std::uint64_t{500}).add(std::uint64_t{300'000});
    log.region(1, "work").sync(3'000, 1'500);
    log.begin(DefinitionKind::ProcessorLimit).add(std::uint64_t{500}).add(std::uint64_t{2'300'000});
    writeProcess(recording(), "host.1.0", log);
    finish(directory_.path());
    const auto limit = measurement()["processes"][0]["processorLimit"];
    EXPECT_DOUBLE_EQ(limit["processors"], 0.5);
    EXPECT_DOUBLE_EQ(limit["secondsStopped"], 0.002);
}

TEST_F(ConversionTest, timeWithoutAProcessorBeforeAFork_isToldByThat) {
    auto log = program();
    log.begin(DefinitionKind::WatchesShortage);
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Shortage, 1'200, {30, 0})
        .add(RecordKind::ThreadFork, 1'200, {pair(0, 2)})
        .add(RecordKind::Enter, 1'400, {1})
        .add(RecordKind::Leave, 2'000, {1})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(holos::testing::ProcessorTimes::Told),
                Contains(AllOf(HasSubstr("fork"), HasSubstr("WithoutProcessor 30"))));
    EXPECT_THAT(events(), Contains("0 200 enter work"));
}

TEST_F(ConversionTest, pollsOfAnUnknownRegion_areLeftOut_andCounted) {
    auto log = program();
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::Polls, 1'220, {7, 2, 60, 1'400, 0}).write(folder);
    EXPECT_THAT(finish(directory_.path()).notes, Contains(HasSubstr("1 events were left out")));
}

TEST_F(ConversionTest, programThatWasKilledInAPoll_stoppedThere) {
    auto log = program();
    log.region(1, "poll").sync(2'000, 1'000);
    const auto folder = writeProcess(recording(), "host.1.0", log, false);
    RawEvents().add(RecordKind::Polls, 1'220, {1, 2, 60, 1'400, 1'500}).write(folder);
    EXPECT_EQ(finish(directory_.path()).notes.front(), "Process stopped in poll");
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 170 enter poll Calls 2 CallsSpan 90", "0 200 leave poll",
                            "0 250 enter poll", "0 250 leave poll", "0 250 end"));
}

TEST_F(ConversionTest, programThatWasKilledBetweenItsRegions_stoppedAfterTheLastOne) {
    auto log = program();
    log.region(1, "outer").region(2, "inner").sync(2'000, 1'000);
    const auto folder = writeProcess(recording(), "host.1.0", log, false);
    RawEvents events;
    events.add(RecordKind::Enter, 1'220, {1})
        .add(RecordKind::Enter, 1'240, {2})
        .add(RecordKind::Leave, 1'260, {2});
    events.write(folder);
    EXPECT_EQ(finish(directory_.path()).notes.front(), "Process stopped in outer after inner");
}

TEST_F(ConversionTest, programThatWasKilledOutsideOfItsRegions_stoppedAfterTheLastOne) {
    auto log = program();
    log.region(1, "outer").sync(2'000, 1'000);
    const auto folder = writeProcess(recording(), "host.1.0", log, false);
    RawEvents().add(RecordKind::Enter, 1'220, {1}).add(RecordKind::Leave, 1'240, {1}).write(folder);
    EXPECT_EQ(finish(directory_.path()).notes.front(), "Process stopped after outer");
}

TEST_F(ConversionTest, finishedRecording_isRemoved_andNeedsNoMore) {
    auto log = program();
    log.sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    EXPECT_TRUE(needsFinish(directory_.path()));
    finish(directory_.path());
    EXPECT_FALSE(needsFinish(directory_.path()));
    EXPECT_EQ(measurement()["processes"][0]["program"], "/bin/app");
    EXPECT_EQ(measurement()["lostEvents"], 0);
}

TEST_F(ConversionTest, killedProgram_hasItsOpenRegionsClosedAtTheLastEvent) {
    auto log = program();
    log.region(1, "outer").region(2, "inner").sync(2'000, 1'000);
    const auto folder = writeProcess(recording(), "host.1.0", log, false);
    RawEvents().add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Enter, 1'400, {2}).write(folder);
    const Result result = finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter outer", "0 200 enter inner",
                                      "0 200 leave inner", "0 200 leave outer", "0 200 end"));
    EXPECT_THAT(result.notes, Contains(HasSubstr("did not end normally")));
    EXPECT_EQ(result.notes.front(), "Process stopped in outer / inner");
    EXPECT_FALSE(measurement()["processes"][0]["endedInOrder"]);
}

TEST_F(ConversionTest, teamOfTwoThreads_hasTwoLocations) {
    auto log = program();
    location(log, 1, LocationKind::Place, 1, 1);
    log.begin(DefinitionKind::Team).add(1U).add(0U).add(1U).add(2U);
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::ThreadTeamBegin, 1'200, {1}).write(folder);
    RawEvents().add(RecordKind::ThreadTeamBegin, 1'300, {1}).write(folder, 1);
    EXPECT_EQ(finish(directory_.path()).locations, 2u);
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 team 0", "4294967296 150 team 0",
                                      "0 1000 end team 0", "0 1000 end", "4294967296 1000 end team 0"));
}

TEST_F(ConversionTest, phaseThatWasNotEntered_isNoted) {
    auto log = program();
    log.region(1, "work").sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "command.json") << R"({"settings": {"phase": "iteration"}})";
    EXPECT_THAT(finish(directory_.path()).notes, Contains(HasSubstr("--phase iteration")));
}

TEST_F(ConversionTest, phaseThatWasEntered_isNotNoted) {
    auto log = program();
    log.region(1, "iteration").sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "command.json") << R"({"settings": {"phase": "iteration"}})";
    EXPECT_TRUE(finish(directory_.path()).notes.empty());
}

TEST_F(ConversionTest, noneOfTheRanksIsThere_isNoted) {
    auto log = program();
    log.world(0, 1).begin(DefinitionKind::NotWanted).sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "command.json") << R"({"settings": {"ranks": "7"}})";
    EXPECT_THAT(finish(directory_.path()).notes,
                Contains("--ranks 7: none of them was recorded; the program has 0 to 0"));
}

TEST_F(ConversionTest, countersThatOthersKeptFromCounting_areTold) {
    auto log = program();
    for (const std::uint32_t index : {0U, 1U})
        log.begin(DefinitionKind::Counter)
            .add(index)
            .add(counters::Mode::Accumulated)
            .add(counters::Values::Unsigned)
            .text("c" + std::to_string(index))
            .text("occ")
            .text("");
    log.begin(DefinitionKind::ActiveShare).add(0U).add(0.5).add(0.0).add(-1.0);
    log.begin(DefinitionKind::ActiveShare).add(1U).add(0.5).add(0.0).add(0.0);  // in turns, and nothing
                                                                                // happened
    writeProcess(recording(), "host.1.0", log);
    EXPECT_THAT(
        finish(directory_.path()).notes,
        Contains("process 0: c0 counted a part of the time only ('activeShares' in measurement.json), as "
                 "others used the processor's registers, too: values are too small"));
}

TEST_F(ConversionTest, counters_precedeTheirEventAtTheSameTime) {
    auto log = program();
    log.region(1, "work");
    for (const std::uint32_t index : {0U, 1U})
        log.begin(DefinitionKind::Counter)
            .add(index)
            .add(counters::Mode::Accumulated)
            .add(counters::Values::Unsigned)
            .text("c" + std::to_string(index))
            .text("occ")
            .text("");
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Counters, 1'200, {7, 8})
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Counters, 1'400, {9, 8})
        .add(RecordKind::Leave, 1'400, {1})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 counters 7 8", "0 100 enter work",
                                      "0 200 counters 9 8", "0 200 leave work", "0 1000 end"));
}

/// One sample every 10 events; its functions are in no file, so that they are unknown.
TEST_F(ConversionTest, samples_areValuesOfAMetricThatMoveNoEvent) {
    auto log = program();
    log.region(1, "work").begin(DefinitionKind::Interrupts).text("faults").add(std::uint64_t{10});
    log.add(std::uint8_t{0}).sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Sample, 1'300, {pair(2, 1), 0, 0x10, 0x20})
        .add(RecordKind::Sample, 1'500, {pair(0, 3), 0})
        .add(RecordKind::Leave, 1'400, {1})  // with the time at which its call was done
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 150 counters 1 10",
                                      "0 200 counters 3 30", "0 200 leave work", "0 1000 end"));
}

TEST_F(ConversionTest, samplesThatWereNotTaken_areNoted) {
    auto log = program();
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    const tracing::Status status{.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 7};
    std::ofstream(folder / "status", std::ios::binary)
        .write(reinterpret_cast<const char*>(&status), sizeof status);
    EXPECT_THAT(finish(directory_.path()).notes,
                Contains(HasSubstr("7 samples of the call stack are missing")));
}

TEST_F(ConversionTest, messageOfRankOne_namesItsPeer) {
    for (const std::uint32_t rank : {0U, 1U}) {
        auto log = program();
        log.world(rank, 2).begin(DefinitionKind::Comm).add(1U).add(0U).add(0U);
        log.text("MPI_COMM_WORLD").add(2U).add(0U).add(rank).add(0U).sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host." + std::to_string(rank) + ".0", log);
        if (rank == 1) RawEvents().add(RecordKind::MpiSend, 1'200, {pair(0, 1), 5, 64}).write(folder);
    }
    finish(directory_.path());
    EXPECT_THAT(events(), Contains("1 100 send to 0 tag 5 bytes 64"));
}

// Nanoseconds of rank 1's host are 100 behind at 500, 200 at 1000 and 100 again at 1500.
TEST_F(ConversionTest, clockOffsetsInBetween_bendTheTimesThatReadersSee) {
    for (const std::uint32_t rank : {0U, 1U}) {
        RawDefinitions log;
        log.process("/bin/app", rank == 0 ? "a" : "b").sync(1'000, 500);
        location(log, 0, LocationKind::Main, 0, 0);
        log.world(rank, 2).region(1, "work");
        const auto measured = [&log](std::uint64_t ticks, std::int64_t offset) {
            log.begin(DefinitionKind::ClockOffset).add(ticks).add(offset).add(1.0);
        };
        if (rank == 1) measured(1'000, 100), measured(2'000, 200), measured(3'000, 100);
        log.sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host." + std::to_string(rank) + ".0", log);
        if (rank == 1)
            RawEvents().add(RecordKind::Enter, 1'500, {1}).add(RecordKind::Leave, 2'500, {1}).write(folder);
    }
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "1 100 begin /bin/app", "1 400 enter work",
                                      "1 900 leave work", "0 1000 end", "1 1100 end"));
}

TEST_F(ConversionTest, processThatIsNotWanted_hasNoEvents) {
    auto log = program();
    log.region(1, "work").begin(DefinitionKind::NotWanted);
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::Enter, 1'200, {1}).write(folder);
    EXPECT_EQ(finish(directory_.path()).events, 0u);
    EXPECT_EQ(measurement()["processes"].size(), 1u);
}

TEST_F(ConversionTest, eventsOfUndefinedThings_areLeftOutAndNoted) {
    auto log = program();
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {77})
        .add(RecordKind::MpiSend, 1'300, {pair(0, 9), 5, 64})
        .add(RecordKind::Leave, 1'400, {1})
        .write(folder);
    const Result result = finish(directory_.path());
    EXPECT_THAT(result.notes, Contains(HasSubstr("3 events were left out")));
    EXPECT_EQ(events().size(), 2u);
}

TEST_F(ConversionTest, timeThatRunsBackwards_standsStill) {
    auto log = program();
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::Enter, 1'400, {1}).add(RecordKind::Leave, 1'390, {1}).write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), Contains("0 200 leave work"));
}

/// On a machine of two sockets with a core each; the thread was at 0 for 200 ticks, and at 1 for 600.
TEST_F(ConversionTest, threadOnTwoProcessors_placedWhereItWasLonger_andReported) {
    ::setenv("HWLOC_SYNTHETIC", "pack:2 core:1 pu:1", 1);
    saveHardware(recording());
    ::unsetenv("HWLOC_SYNTHETIC");
    fs::rename(fs::directory_iterator(recording())->path(), recording() / "host.hwloc.xml");
    auto log = program();
    for (const std::int64_t migrations : {3, 8})
        log.begin(DefinitionKind::Binding).add(0U).add(migrations).add(1U).add(std::uint64_t{0b11});
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::Processor, 1'200, {0})
        .add(RecordKind::Processor, 1'400, {1})
        .add(RecordKind::Leave, 2'000, {1})
        .write(folder);
    const Result result = finish(directory_.path());
    EXPECT_THAT(result.moves, HasSubstr("the only thread moved between cores, 5 times"));
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 500 leave work", "0 1000 end"));
    const auto all = measurement();
    const auto& thread = all["processes"][0]["threads"][0];
    EXPECT_EQ(thread["mayUse"], "0-1");
    EXPECT_FALSE(thread.contains("mayUseAtEnd"));
    EXPECT_EQ(thread["processor"], 1);
    EXPECT_EQ(thread["socket"], 1);
    EXPECT_EQ(thread["coresSeen"], 2);
    EXPECT_EQ(thread["migrations"], 5);
    EXPECT_EQ(all["hardware"]["host"]["cores"], 2);
    EXPECT_EQ(all["moves"], result.moves);
}

/// The first thread had been on processors before the recording began, the other one had not.
TEST_F(ConversionTest, timeOnProcessors_isThatSinceTheBegin) {
    auto log = program();
    location(log, 1, LocationKind::Thread, 0, 1);
    for (const std::uint32_t location : {0U, 1U})
        log.begin(DefinitionKind::Binding).add(location).add(std::int64_t{0}).add(1U).add(std::uint64_t{1});
    const auto tell = [&log](std::uint32_t location, std::int64_t on, std::int64_t waiting) {
        log.begin(DefinitionKind::ProcessorTime).add(location).add(on).add(waiting);
    };
    tell(0, 300, 40);
    tell(0, 900, 50);
    tell(1, 200, -1);
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents().add(RecordKind::Enter, 1'200, {1}).write(folder);
    finish(directory_.path());
    const auto threads = measurement()["processes"][0]["threads"];
    EXPECT_EQ(threads[0]["nanosecondsOnProcessors"], 600);
    EXPECT_EQ(threads[0]["nanosecondsWaitingForProcessors"], 10);
    EXPECT_EQ(threads[1]["nanosecondsOnProcessors"], 200);
    EXPECT_FALSE(threads[1].contains("nanosecondsWaitingForProcessors"));
}

TEST_F(ConversionTest, flush_hasNoOtherEventAtItsBeginOrEnd) {
    auto log = program();
    log.region(1, "outer").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Enter, 1'200, {1})
        .add(RecordKind::BufferFlush, 1'200, {1'600})
        .add(RecordKind::Leave, 1'200, {1})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter outer", "0 102 flush until 300",
                                      "0 302 leave outer", "0 1000 end"));
}

/// A region of that name, in a trace that is read back.
class LongName : public ConversionTest {
  protected:
    Result convert(const std::string& name) {
        auto log = program();
        log.region(1, name).sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.1.0", log);
        RawEvents().add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 1'400, {1}).write(folder);
        return finish(directory_.path());
    }
};

TEST_F(LongName, thatNeedsALargerChunk_isWhole) {
    const std::string name(3'000'000, 'x');
    EXPECT_THAT(convert(name).notes, ::testing::IsEmpty());
    EXPECT_EQ(events()[1], "0 100 enter " + name);
}

TEST_F(LongName, thatNoChunkCanHold_isCutBetweenCharacters_andNoted) {
    std::string name = "x";
    for (int i = 0; i < 10'000'000; ++i) name += "\u00e4";
    const Result result = convert(name);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_THAT(result.notes[0],
                ::testing::MatchesRegex("a text of 20000001 bytes was cut to 16777[0-9]+, as "
                                        "OTF2 takes no longer ones: x\u00e4.*"));
    const std::string written = events()[1];
    EXPECT_TRUE(name.starts_with(written.substr(std::string("0 100 enter ").size())));
    EXPECT_TRUE(written.ends_with("\u00e4"));
}

}  // namespace
}  // namespace holos::archive
