// SPDX-License-Identifier: BSD-3-Clause
// How processes ended, and the laws that hold of every complete recording.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/unit/tracing/conversion_fixture.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/process/process_ends.h"

namespace holos::archive {
namespace {

class LawsOfRecordings : public ConversionTest {
  protected:
    /// What launchers and others know. Processes have the number 42.
    void ledger(const std::string& lines) const { std::ofstream(recording() / "ledger.boot") << lines; }
    static void writeStatus(const fs::path& folder, const tracing::Status& status) {
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&status), sizeof status);
    }
    fs::path writeKilled() const {
        auto log = program();
        log.region(1, "work").sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.42.0", log, false);
        RawEvents().add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 1'400, {1}).write(folder);
        return folder;
    }
    /// By its own clock the process ran for microseconds.
    void writeWithAnEventTooLate() const {
        auto log = program();
        log.region(1, "work").sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.42.0", log);
        RawEvents().add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 900'000'000, {1}).write(folder);
    }
    /// One of two ranks, with its status, where it ended in order.
    void writeRank(std::uint32_t rank, const RawEvents& events, bool ended = true) const {
        auto log = program();
        log.world(rank, 2).begin(DefinitionKind::Comm).add(1U).add(0U).add(0U);
        log.text("MPI_COMM_WORLD").add(2U).add(0U).add(rank).add(0U);
        if (ended) log.sync(3'000, 1'500);
        events.write(writeProcess(recording(), "host." + std::to_string(rank) + ".0", log, ended));
    }
    static Law lawNamed(const Result& result, const std::string& name) {
        for (const Law& law : result.laws)
            if (law.name == name) return law;
        return {"not known", true, ""};
    }
    /// Rank 0 sends some messages to rank 1, which receives some, and ends in order, or not.
    Law lawOfMessages(std::uint64_t sent, std::uint64_t received, bool ended = true) const {
        RawEvents sends, receives;
        for (std::uint64_t n = 0; n < sent; ++n)
            sends.add(RecordKind::MpiSend, 1'100 + 100 * n, {pair(1, 1), 5, 8});
        for (std::uint64_t n = 0; n < received; ++n)
            receives.add(RecordKind::MpiRecv, 1'150 + 100 * n, {pair(0, 1), 5, 8});
        writeRank(0, sends);
        writeRank(1, receives, ended);
        return lawNamed(finish(directory_.path()), "messages");
    }
};

TEST(EndsOfProcesses, ofSeveral_areToldOfThem) {
    ProcessEnd killed;
    killed.how = ProcessEnd::How::Signal;
    killed.signal = 15;
    EXPECT_EQ(endText(killed), "was ended by signal 15 (SIGTERM)");
    EXPECT_EQ(endText(killed, true), "were ended by signal 15 (SIGTERM)");
    EXPECT_THAT(endText(ProcessEnd{}, true), HasSubstr("how they ended"));
}

TEST_F(LawsOfRecordings, killedProcess_timeAfterItsLastEventIsOfItsOwnKind) {
    writeKilled();
    ledger("start 42 1 500 recorded /bin/app\nend 42 1400 signal 9\n");
    const Result result = finish(directory_.path());
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 200 leave work",
                            "0 200 enter NO MORE EVENTS", "0 900 leave NO MORE EVENTS", "0 900 end"));
    EXPECT_THAT(result.ends, ::testing::HasSubstr(" was ended by signal 9 (SIGKILL)"));
    EXPECT_FALSE(result.endedWell);
    EXPECT_TRUE(lawNamed(result, "elapsed time").holds);
    EXPECT_EQ(measurement()["processes"][0]["end"]["signal"], 9);
    EXPECT_DOUBLE_EQ(measurement()["processes"][0]["end"]["secondsAfterLastEvent"], 700e-9);
}

TEST_F(LawsOfRecordings, killedInARegion_timeIsWithinIt) {
    auto log = program();
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.42.0", log, false);
    RawEvents().add(RecordKind::Enter, 1'200, {1}).write(folder);
    ledger("end 42 1400 signal 15\n");
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 100 enter NO MORE EVENTS",
                                      "0 900 leave NO MORE EVENTS", "0 900 leave work", "0 900 end"));
}

TEST_F(LawsOfRecordings, processWhoseEndNobodySaw_breaksTheLawOfElapsedTime) {
    writeKilled();
    const Result result = finish(directory_.path());
    const Law law = lawNamed(result, "elapsed time");
    EXPECT_FALSE(law.holds);
    EXPECT_THAT(law.says, HasSubstr("nobody saw its end"));
    EXPECT_EQ(result.ends, "The program app did not end normally, and how it ended is not known");
}

TEST_F(LawsOfRecordings, endOfAnotherProcessOfThatNumber_isNotTaken) {
    writeKilled();
    ledger("end 42 400 signal 9\nend 43 1400 exit 0\nend 42 1");  // before it began; another; not whole
    EXPECT_EQ(finish(directory_.path()).ends,
              "The program app did not end normally, and how it ended is not known");
}

TEST_F(LawsOfRecordings, programThatExits_hasItsCode) {
    const auto folder = writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    writeStatus(folder, {.lostEvents = 0,
                         .failure = 0,
                         .ended = 1,
                         .lostSamples = 0,
                         .exitWay = static_cast<std::uint64_t>(tracing::ExitWay::Exit),
                         .exitCode = 3});
    const Result result = finish(directory_.path());
    EXPECT_THAT(result.ends, ::testing::EndsWith(" exited with code 3"));
    EXPECT_FALSE(result.endedWell);
    EXPECT_EQ(measurement()["processes"][0]["end"]["exitCode"], 3);
}

TEST_F(LawsOfRecordings, processorTimeOfThreadsThatAreNotThere_isSaidWithNumbers) {
    auto log = program();
    log.sync(2'000'001'000, 1'000'000'500);
    for (const std::int64_t on : {0, 900'000'000})
        log.begin(tracing::DefinitionKind::ProcessorTime).add(std::uint32_t{0}).add(on).add(std::int64_t{-1});
    for (const std::int64_t on : {std::int64_t{100'000'000}, std::int64_t{2'100'000'000}})
        log.begin(tracing::DefinitionKind::ProcessTime).add(on).add(std::int64_t{500});
    writeProcess(recording(), "host.42.0", log);
    const Law law = lawNamed(finish(directory_.path()), "processor time");
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says,
              "process 0 used 2.00 s, its recorded threads 0.90 s: 1.10 s are of threads that are not in the "
              "trace, such as those that a library starts which was loaded by dlmopen, or a system call");
}

TEST_F(LawsOfRecordings, processesThatStarted_areRecordedOrNamed) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger(
        "start 1 0 100 launcher /usr/bin/mpirun\nstart 42 1 500 recorded /bin/app\n"
        "start 50 1 500 13 /bin/other\nfork 51 42 600\nfork 42 1 400\n");
    const Law law = lawNamed(finish(directory_.path()), "processes");
    EXPECT_TRUE(law.holds);
    EXPECT_EQ(
        law.says,
        "4 processes started, 1 recorded, 3 not: 1 could not write into the recording (Permission denied), "
        "1 forked, and seen to run no program, 1 of shells, launchers and the like (mpirun)");
}

TEST_F(LawsOfRecordings, forkedChildrenOfWhichNobodyKnowsMore_areNoted) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger(
        "fork 42 1 400\nstart 42 1 500 recorded /bin/app\nfork 50 42 600\nfork 51 42 600\nend 51 700 exit 0\n"
        "fork 52 42 600\nexec 52 42 700 without /usr/bin/env\n"
        "fork 53 42 600\nexec 53 42 610 with /no/such\nstay 53 42 620\n");
    EXPECT_THAT(
        finish(directory_.path()).notes,
        Contains(HasSubstr("2 forked processes were not recorded, and what was done there is missing")));
}

/// unshare(2) and fork: the child is process 1, and sees no parent.
TEST_F(LawsOfRecordings, forkedChildOfANamespaceOfItsOwn_isNoted) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger("start 42 1 500 recorded /bin/app\n");
    std::ofstream(recording() / "ledger.boot.2") << "fork 1 0 600\n";
    EXPECT_THAT(finish(directory_.path()).notes, Contains(HasSubstr("1 forked process was not recorded")));
}

TEST_F(LawsOfRecordings, forkedChildrenOfShells_areNotNoted) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger(
        "command 40 1 100 /bin/sh\nstart 40 1 200 launcher /bin/sh\nfork 41 40 300\nfork 42 40 400\n"
        "start 42 40 500 recorded /bin/app\nfork 43 41 600\n");
    EXPECT_THAT(finish(directory_.path()).notes, ::testing::IsEmpty());
}

TEST_F(LawsOfRecordings, forkedChildrenThatTheirParentsNote_areNotedOnce) {
    const auto folder = writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    writeStatus(folder,
                {.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 0, .unrecordedChildren = 1});
    ledger("start 42 1 500 recorded /bin/app\nfork 50 42 600\n");
    EXPECT_THAT(finish(directory_.path()).notes, ElementsAre("process 0: a forked child was not recorded"));
}

TEST_F(LawsOfRecordings, processesWithoutTheRecorder_areNamed) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger(
        "fork 42 1 300\nexec 42 1 400 with /bin/app\nstart 42 1 500 recorded /bin/app\n"
        "exec 50 42 600 without /usr/bin/env\nend 50 700 exit 0\n"  // another one has that number later
        "fork 50 42 800\nexec 50 42 810 with /no/such\nstay 50 42 820\nend 50 900 exit 127\n"
        "end 51 900 exit 0\n");
    const Law law = lawNamed(finish(directory_.path()), "processes");
    EXPECT_TRUE(law.holds);
    EXPECT_EQ(
        law.says,
        "4 processes started, 1 recorded, 3 not: 1 forked, and seen to run no program, 1 ran without the "
        "recorder in their environment (env), 1 started by programs without the recorder");
}

TEST_F(LawsOfRecordings, programThatShouldHaveTheRecorder_breaksTheLawOfProcesses) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger("start 42 1 500 recorded /bin/app\nexec 50 42 600 with /no/such/program\nend 50 700 exit 0\n");
    const Law law = lawNamed(finish(directory_.path()), "processes");
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says,
              "2 processes started, 1 recorded, 1 not: 1 did not load the recorder, for a reason that is not "
              "known (program)");
}

TEST_F(LawsOfRecordings, endsOfNumbersOfAnotherNamespace_areNotCounted) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    std::ofstream(recording() / "ledger.boot.1") << "start 42 1 500 recorded /bin/app\n";
    std::ofstream(recording() / "ledger.boot.2") << "end 4711 700 exit 0\n";
    EXPECT_EQ(lawNamed(finish(directory_.path()), "processes").says, "1 process started, 1 recorded");
}

TEST_F(LawsOfRecordings, commandThatIsNotRecorded_hasItsEndBesideThatOfTheProgram) {
    const auto folder = writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    writeStatus(folder, {.lostEvents = 0,
                         .failure = 0,
                         .ended = 1,
                         .lostSamples = 0,
                         .exitWay = static_cast<std::uint64_t>(tracing::ExitWay::Exit),
                         .exitCode = 0});
    const std::string known =
        "start 7 1 300 launcher /bin/sh\ncommand 7 1 310 /bin/sh\nstart 42 7 500 recorded /bin/app\n";
    ledger(known + "end 7 1600 exit 3\n");
    const Result result = finish(directory_.path());
    EXPECT_EQ(result.ends, "The command sh exited with code 3; the program app exited with code 0");
    EXPECT_FALSE(result.endedWell);
}

TEST_F(LawsOfRecordings, commandThatEndsAsTheProgram_isNotNamed) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger("command 7 1 310 /bin/sh\nstart 42 7 500 recorded /bin/app\nend 7 1600 exit 0\n");
    EXPECT_THAT(finish(directory_.path()).ends, ::testing::StartsWith("The program app "));
}

TEST_F(LawsOfRecordings, processWithoutTheRecorderThatIsKilled_isNamed) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger("start 42 7 500 recorded /bin/app\nexec 50 42 600 without /bin/other\nend 50 700 signal 11\n");
    const Result result = finish(directory_.path());
    EXPECT_THAT(result.ends,
                ::testing::EndsWith("; other (process 50), which is not recorded, was ended by signal 11 "
                                    "(SIGSEGV)"));
    EXPECT_FALSE(result.endedWell);
}

TEST_F(LawsOfRecordings, processWhoseRecordingIsGone_breaksTheLawOfProcesses) {
    writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    ledger("start 42 1 500 recorded /bin/app\nstart 60 1 500 recorded /bin/app\n");
    const Law law = lawNamed(finish(directory_.path()), "processes");
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says,
              "2 processes started, 1 recorded, 1 not: 1 left a recording that is not there any more");
    EXPECT_EQ(measurement()["laws"][0]["holds"], false);
}

TEST_F(LawsOfRecordings, eventOutsideOfTheTimeOfItsProcess_isCounted) {
    writeWithAnEventTooLate();
    const Law law = lawNamed(finish(directory_.path()), "span");
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says, "1 event lies outside of the time of its process, as in Master thread of Process");
}

TEST_F(LawsOfRecordings, timeThatTheProcessDidNotHave_breaksTheLawOfElapsedTime) {
    writeWithAnEventTooLate();
    const Law law = lawNamed(finish(directory_.path()), "elapsed time");
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says, "process 0 ran for 0.00 s by its own clock, and for 0.45 s in the trace");
}

TEST_F(LawsOfRecordings, eventsThatWereLost_breakTheLawOfElapsedTime) {
    const auto folder = writeProcess(recording(), "host.42.0", program().sync(3'000, 1'500));
    fs::remove(folder / "status");
    const Law law = lawNamed(finish(directory_.path()), "elapsed time");
    EXPECT_FALSE(law.holds);
    EXPECT_THAT(law.says, HasSubstr("process 0"));
}

TEST_F(LawsOfRecordings, messagesThatAllArrive_obeyTheirLaw) {
    const Law law = lawOfMessages(2, 2);
    EXPECT_TRUE(law.holds);
    EXPECT_EQ(law.says, "2 messages sent, 2 received");
}

TEST_F(LawsOfRecordings, messagesThatNobodyReceives_breakTheirLaw) {
    const Law law = lawOfMessages(3, 1);
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says, "3 messages sent, 1 received: 2 are never received");
}

TEST_F(LawsOfRecordings, messagesOfNobody_breakTheirLaw) {
    const Law law = lawOfMessages(1, 2);
    EXPECT_FALSE(law.holds);
    EXPECT_EQ(law.says, "1 message sent, 2 received: 1 is of senders that are not in the trace");
}

TEST_F(LawsOfRecordings, messagesOnTheirWayToAKilledRank_areNamed) {
    const Law law = lawOfMessages(2, 1, false);
    EXPECT_TRUE(law.holds);
    EXPECT_EQ(law.says, "2 messages sent, 1 received; 1 is of processes that did not end normally");
}

}  // namespace
}  // namespace holos::archive
