// SPDX-License-Identifier: BSD-3-Clause
// Programs that hang, and what `holos watch` says of them.
#include <csignal>
#include <fstream>

#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

class HangingProgram : public RecordingFixture {
  protected:
    ~HangingProgram() override {
        if (command_ == nullptr) return;
        tellProgram(SIGKILL);
        command_->wait();
    }
    void startMpi(const std::string& how, unsigned ranks = 2) {
        const Words mpirun = launcher(ranks);
        const Words program{HANGING_PROGRAM, how};
        if (mpirun.empty() || program.front().empty()) GTEST_SKIP() << "no MPI here";
        command_ = record(mpirun + program);
    }
    /// Where what happens is added up.
    void startProfiledMpi(const std::string& how, unsigned ranks) {
        const Words mpirun = launcher(ranks);
        const Words program{HANGING_PROGRAM, how};
        if (mpirun.empty() || program.front().empty()) GTEST_SKIP() << "no MPI here";
        command_ = record(mpirun + program, {"--profile"});
    }
    void startThreads(const std::string& how) { command_ = record({HANGING_THREADS, how}); }

    /// Once it says that.
    std::string watchUntil(const std::string& text) const {
        std::string output;
        EXPECT_TRUE(becomesTrue([&] {
            output = runCommand({HOLOS_PROGRAM, "watch", trace(), "--once", "--interval", "50ms"}).output;
            return output.find(text) != std::string::npos;
        })) << output;
        return output;
    }

  private:
    std::unique_ptr<StartedCommand> command_;
};

TEST_F(HangingProgram, thatReceivesHeadToHead_isACycle) {
    ASSERT_NO_FATAL_FAILURE(startMpi("receives"));
    if (IsSkipped()) return;
    const std::string output = watchUntil("rank 0 waits for rank 1 waits for rank 0");
    EXPECT_THAT(output, AllOf(HasSubstr("a cycle, which can never go on"),
                              HasSubstr("waits for a message from rank 1 (tag 7, MPI_COMM_WORLD)"),
                              HasSubstr("waits for a message from rank 0 (tag 7, MPI_COMM_WORLD)"),
                              HasSubstr("main > exchange @hanging_program.c:"), HasSubstr("> receive @"),
                              HasSubstr("> MPI_Recv @")));
}

/// The test that found nothing first says for what they are.
TEST_F(HangingProgram, whoseRanksAskInVainForEachOthersMessage_isACycle) {
    ASSERT_NO_FATAL_FAILURE(startMpi("polls"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("rank 0 waits for rank 1 waits for rank 0"),
                AllOf(HasSubstr("waits for a message from rank 1 (tag 7, MPI_COMM_WORLD)"),
                      HasSubstr("> pollFor @"), HasSubstr("> MPI_Test @")));
}

TEST_F(HangingProgram, whoseLastRankMissesACollective_namesThatRank) {
    ASSERT_NO_FATAL_FAILURE(startMpi("collective", 3));
    if (IsSkipped()) return;
    const std::string output = watchUntil("2 wait for rank 2, which sleeps");
    EXPECT_THAT(output, AllOf(HasSubstr("ranks 0,1, for "),
                              HasSubstr("MPI_Allreduce (MPI_COMM_WORLD), which rank 2 has not entered"),
                              HasSubstr("after MPI_Barrier @hanging_program.c:"), Not(HasSubstr("cycle"))));
}

TEST_F(HangingProgram, whoseLastRankDoesNotBeginACollective_namesThatRank) {
    ASSERT_NO_FATAL_FAILURE(startMpi("begun", 3));
    if (IsSkipped()) return;
    EXPECT_THAT(
        watchUntil("2 wait for rank 2, which sleeps"),
        AllOf(HasSubstr("an operation like MPI_Barrier (MPI_COMM_WORLD), which an earlier call began and "
                        "rank 2 has not begun"),
              HasSubstr("> MPI_Wait @")));
}

/// From what it adds up.
TEST_F(HangingProgram, ofWhichThereIsAProfileAndNoTrace_isExplainedAsWell) {
    ASSERT_NO_FATAL_FAILURE(startProfiledMpi("collective", 3));
    if (IsSkipped()) return;
    const std::string output = watchUntil("2 wait for rank 2, which sleeps");
    EXPECT_THAT(output, AllOf(HasSubstr("MPI_Allreduce (MPI_COMM_WORLD), which rank 2 has not entered"),
                              HasSubstr("main > compute @"), HasSubstr("after MPI_Barrier @")));
}

TEST_F(HangingProgram, thatWaitsForAnotherTag_saysWhichMessageIsThere) {
    ASSERT_NO_FATAL_FAILURE(startMpi("tag"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("a cycle, which"),
                AllOf(HasSubstr("rank 1 has sent 1 message with tag 5"),
                      HasSubstr("which waits for tag 6, has not received"),
                      HasSubstr("MPI_Finalize, which rank 0 has not entered"), HasSubstr("a cycle")));
}

TEST_F(HangingProgram, whoseOperationsDiffer_saysWho) {
    ASSERT_NO_FATAL_FAILURE(startMpi("order"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("do not call the operations of"),
                HasSubstr("rank 0 is in MPI_Bcast, rank 1 in MPI_Allreduce"));
}

TEST_F(HangingProgram, thatWaitsForRequests_saysForWhichMessages) {
    ASSERT_NO_FATAL_FAILURE(startMpi("requests"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("1 waits for rank 1, which sleeps"),
                AllOf(HasSubstr("MPI_Waitall"),
                      HasSubstr("a message from rank 1 (tag 11, MPI_COMM_WORLD), which was sent; a "
                                "message from rank 1 (tag 12, MPI_COMM_WORLD)")));
}

TEST_F(HangingProgram, thatHasSentSmallMessages_doesNotWaitForThese) {
    ASSERT_NO_FATAL_FAILURE(startMpi("sent"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("1 waits for rank 1, which sleeps"),
                AllOf(HasSubstr("a message from rank 1 (tag 11, MPI_COMM_WORLD)"), Not(HasSubstr("tag 33")),
                      Not(HasSubstr("tag 44"))));
}

TEST_F(HangingProgram, whoseMemoryIsNotExposed_saysByWhom) {
    ASSERT_NO_FATAL_FAILURE(startMpi("exposure"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("1 waits for rank 1, which sleeps"),
                HasSubstr("MPI_Win_post for window 1 (MPI_COMM_WORLD), which rank 1 has not called"));
}

TEST_F(HangingProgram, whoseAccessesDoNotEnd_saysWhose) {
    ASSERT_NO_FATAL_FAILURE(startMpi("accesses"));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("1 waits for rank 0, which sleeps"),
                HasSubstr("MPI_Win_complete for window 1 (MPI_COMM_WORLD), which rank 0 has not completed"));
}

TEST_F(HangingProgram, thatIsNotFinalizedByAll_saysByWhom) {
    ASSERT_NO_FATAL_FAILURE(startMpi("finalize", 3));
    if (IsSkipped()) return;
    EXPECT_THAT(watchUntil("2 wait for rank 2"), HasSubstr("MPI_Finalize, which rank 2 has not entered"));
}

TEST_F(HangingProgram, whoseThreadsHaveEachOthersMutex_isACycle) {
    startThreads("mutexes");
    EXPECT_THAT(watchUntil("a cycle, which"),
                AllOf(HasSubstr("Thread 2 holds"), HasSubstr("Thread 1 holds"),
                      HasSubstr("waits for the end of"), HasSubstr("lockBoth")));
}

TEST_F(HangingProgram, whoseMutexWasFreeWhenItWasTaken_saysWhoHoldsIt) {
    startThreads("free");
    EXPECT_THAT(watchUntil("1 waits for "),
                AllOf(HasSubstr("Thread 1 holds"), HasSubstr("keepFirst"), Not(HasSubstr("not known"))));
}

TEST_F(HangingProgram, whoseThreadMissesABarrier_namesThatThread) {
    startThreads("barrier");
    const std::string output = watchUntil("2 wait for");
    EXPECT_THAT(output,
                AllOf(HasSubstr("is not in a barrier"), HasSubstr("!$omp barrier"), Not(HasSubstr("cycle"))));
}

/// What is not recorded one by one is known as well.
TEST_F(HangingProgram, whoseThreadsHaveEachOthersLockOfMany_isACycle) {
    startThreads("locks");
    EXPECT_THAT(
        watchUntil("a cycle, which"),
        AllOf(HasSubstr("waits for lock 0, which"), HasSubstr("waits for lock 1, which"),
              HasSubstr("OMP thread 1 waits for"), HasSubstr("setBoth"), HasSubstr("> omp_set_lock")));
}

TEST_F(HangingProgram, whoseThreadsAreInEachOthersSectionOfMany_isACycle) {
    startThreads("sections");
    EXPECT_THAT(watchUntil("a cycle, which"),
                AllOf(HasSubstr("waits for lock 0, which"), HasSubstr("waits for lock 1, which"),
                      HasSubstr("oneInOther"), HasSubstr("otherInOne"), HasSubstr("!$omp critical")));
}

TEST_F(HangingProgram, whoseSectionIsHeldByAThreadThatIsNotRecorded_namesThatThread) {
    startThreads("paused");
    EXPECT_THAT(watchUntil("1 waits for "),
                AllOf(HasSubstr("waits for lock 0, which"), HasSubstr("> enterAfter @"),
                      HasSubstr("!$omp critical"), Not(HasSubstr("cycle"))));
}

TEST_F(HangingProgram, whoseLockIsHeldByAThreadThatIsNotRecorded_namesThatThread) {
    startThreads("pausedLock");
    EXPECT_THAT(watchUntil("1 waits for "), AllOf(HasSubstr("waits for lock 0, which"),
                                                  HasSubstr("> omp_set_lock"), Not(HasSubstr("cycle"))));
}

TEST_F(HangingProgram, asJson_hasTheSame) {
    startThreads("mutexes");
    watchUntil("a cycle, which");
    const auto printed =
        runCommand({HOLOS_PROGRAM, "watch", trace(), "--once", "--format", "json", "--interval", "50ms"});
    const auto picture = nlohmann::json::parse(printed.output);
    EXPECT_EQ(picture["version"], 1);
    EXPECT_EQ(picture["finished"], false);
    ASSERT_EQ(picture["processes"].size(), 1U);
    EXPECT_EQ(picture["processes"][0]["life"], "living");
    EXPECT_EQ(picture["processes"][0]["threads"].size(), 3U);
    EXPECT_EQ(picture["cycles"].size(), 1U);
    EXPECT_EQ(picture["cycles"][0].size(), 2U);
    EXPECT_EQ(picture["waits"].size(), 3U);
}

/// A command that looks does not change what is recorded.
class LookedAt : public RecordingFixture {};

TEST_F(LookedAt, whileItRuns_notAByteOfItChangesAndTheTraceIsThatOfTheWholeRun) {
    const auto command = record(program());
    waitUntilBegun();
    tellProgram(SIGSTOP);
    const auto before = contentsOf(trace());
    const auto watched = runCommand({HOLOS_PROGRAM, "watch", trace(), "--once", "--interval", "10ms"});
    EXPECT_EQ(contentsOf(trace()), before);
    tellProgram(SIGCONT);
    EXPECT_EQ(watched.exitCode, 0) << watched.output;
    EXPECT_THAT(watched.output, AllOf(HasSubstr("1 process: 1 live"), HasSubstr("main")));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(LookedAt, asPicturesInARow_endsWithTheRun) {
    const auto command = record(program());
    waitUntilBegun();
    StartedCommand watching({HOLOS_PROGRAM, "watch", trace(), "--interval", "20ms", "--format", "json"},
                            file("pictures"));
    ASSERT_TRUE(becomesTrue([&] { return watching.output().find("\"version\":1") != std::string::npos; }));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(watching.wait(), 0) << watching.output();
}

TEST_F(LookedAt, whereNothingIsRecorded_isRefused) {
    const auto watched = runCommand({HOLOS_PROGRAM, "watch", file("nothing"), "--once"});
    EXPECT_EQ(watched.exitCode, 1);
    EXPECT_THAT(watched.output, HasSubstr("nothing: there is no such folder"));
    const auto empty = runCommand({HOLOS_PROGRAM, "watch", file("."), "--once"});
    EXPECT_EQ(empty.exitCode, 1);
    EXPECT_THAT(empty.output, HasSubstr("no recording goes on there"));
    std::ofstream(file("measurement.json")) << "{}";
    const auto ended = runCommand({HOLOS_PROGRAM, "watch", file("."), "--once"});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.output, HasSubstr("the recording has ended; 'holos info'"));
}

}  // namespace
}  // namespace holos::testing
