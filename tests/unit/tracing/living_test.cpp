// SPDX-License-Identifier: BSD-3-Clause
// The proof that a process lives, on a disk and in memory.
#include "tracing/recordings/archive/folder/living.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recorder/core/proof_of_life.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::archive {
namespace {

using ::testing::HasSubstr;

/// A process that proves its life, and then does as told by a letter.
class Prover {
  public:
    explicit Prover(const fs::path& recording) {
        if (::pipe(orders_) != 0 || ::pipe(answers_) != 0) throw std::runtime_error("no pipe");
        pid_ = ::fork();
        if (pid_ == 0) live(recording);
        ::close(answers_[1]);
        readAnswer();
    }
    ~Prover() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        for (const int file : {orders_[0], orders_[1], answers_[0]}) ::close(file);
    }
    Prover(const Prover&) = delete;
    Prover& operator=(const Prover&) = delete;

    fs::path folder() const { return folder_; }
    void order(char what) const { ASSERT_EQ(::write(orders_[1], &what, 1), 1); }
    void kill() const {
        ::kill(pid_, SIGKILL);
        siginfo_t info;
        ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
    }
    /// Until what it has become answers.
    void readAnswer() {
        char text[4096] = {};
        ASSERT_GT(::read(answers_[0], text, sizeof text - 1), 0);
        folder_ = text;
        folder_ = folder_.string().substr(0, folder_.string().find('\n'));
    }

  private:
    [[noreturn]] void live(const fs::path& recording) const {
        char folder[4096] = {};
        if (!tracing::core::makeProcessFolder(recording.c_str(), folder, sizeof folder)) ::_exit(1);
        ::close(orders_[1]);
        ::close(answers_[0]);
        ::dup2(answers_[1], STDOUT_FILENO);
        ::dup2(orders_[0], STDIN_FILENO);
        dprintf(STDOUT_FILENO, "%s\n", folder);
        char what = 0;
        while (::read(orders_[0], &what, 1) == 1) {
            if (what == 'x') ::execl("/bin/sh", "sh", "-c", "echo; read end", nullptr);
            if (what == 'f' && ::fork() == 0) {
                dprintf(STDOUT_FILENO, "%s\n", folder);
                while (::read(orders_[0], &what, 1) > 0) continue;  // until the test ends
                ::_exit(0);
            }
        }
        ::_exit(0);
    }

    int orders_[2];
    int answers_[2];
    pid_t pid_;
    fs::path folder_;
};

class ProofOfLife : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        std::string name = std::string(GetParam()) + "/holos-test-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) GTEST_SKIP() << "nothing can be written in " << GetParam();
        recording_ = name;
    }
    void TearDown() override {
        if (!recording_.empty()) fs::remove_all(recording_);
    }
    fs::path recording_;
};
INSTANTIATE_TEST_SUITE_P(OnDiskAndInMemory, ProofOfLife, ::testing::Values("/var/tmp", "/dev/shm"));

TEST_P(ProofOfLife, ofAProcessThatRuns_isLockedThoughNoFileIsOpen) {
    const Prover prover(recording_);
    EXPECT_EQ(lifeOfRecorded(prover.folder()), Life::Living);
    const auto note = readNote(prover.folder() / "alive");
    ASSERT_TRUE(note);
    EXPECT_TRUE(note->isLocked);
    EXPECT_EQ(note->startTime, tracing::startTimeOf(note->pid));
    for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(note->pid) + "/fd")) {
        std::error_code gone;
        EXPECT_NE(fs::read_symlink(file, gone), prover.folder() / "alive");
    }
}

TEST_P(ProofOfLife, ofAProcessThatIsKilled_ends) {
    const Prover prover(recording_);
    prover.kill();
    EXPECT_EQ(lifeOfRecorded(prover.folder()), Life::Ended);
}

TEST_P(ProofOfLife, ofAProgramThatIsReplaced_ends) {
    Prover prover(recording_);
    const fs::path folder = prover.folder();
    prover.order('x');
    prover.readAnswer();
    EXPECT_EQ(lifeOfRecorded(folder), Life::Ended);
}

TEST_P(ProofOfLife, ofAProcessWithAChild_isNotTheChilds) {
    Prover prover(recording_);
    const fs::path folder = prover.folder();
    prover.order('f');
    prover.readAnswer();
    EXPECT_EQ(lifeOfRecorded(folder), Life::Living);
    prover.kill();
    EXPECT_EQ(lifeOfRecorded(folder), Life::Ended);
}

TEST_P(ProofOfLife, oneProcess_hasAFolderForEachOfItsPrograms) {
    char first[4096];
    char second[4096];
    ASSERT_TRUE(tracing::core::makeProcessFolder(recording_.c_str(), first, sizeof first));
    ASSERT_TRUE(tracing::core::makeProcessFolder(recording_.c_str(), second, sizeof second));
    EXPECT_EQ(fs::path(first).extension(), ".0");
    EXPECT_EQ(fs::path(second).extension(), ".1");
    EXPECT_EQ(processFolders(recording_).size(), 2u);
}

TEST_P(ProofOfLife, ofACommand_endsWithIt) {
    {
        const LivingCommand command(recording_, 3, "1f");
        EXPECT_THAT(processesText(ownersOf(recording_).commands), HasSubstr("rank 3 (process "));
        EXPECT_TRUE(LivingCommand::existed(recording_, 3));
    }
    EXPECT_FALSE(ownersOf(recording_).any());
    EXPECT_TRUE(LivingCommand::existed(recording_, 3));
    EXPECT_FALSE(LivingCommand::existed(recording_, 2));
}

/// What other processes left, where the file system has no locks.
class UnlockedNote : public ::testing::Test {
  protected:
    Life lifeOf(const std::string& boot, std::uint64_t pidNamespace, std::uint64_t startTime,
                bool isLocked = false) const {
        const fs::path file = directory_.path() / "alive";
        std::ofstream(file) << "boot " << boot << "\nnamespace " << pidNamespace << "\nprocess " << self_.pid
                            << "\nstart " << startTime << "\nlocked " << isLocked << '\n';
        return archive::lifeOf(file);
    }

    tracing::ProcessIdentity self_ = tracing::thisProcess();
    holos::testing::TemporaryDirectory directory_;
};

TEST_F(UnlockedNote, processOfTheSameBegin_lives) {
    EXPECT_EQ(lifeOf(self_.boot, self_.pidNamespace, self_.startTime), Life::Living);
}
TEST_F(UnlockedNote, numberThatAnotherProcessHasNow_ended) {
    EXPECT_EQ(lifeOf(self_.boot, self_.pidNamespace, self_.startTime + 1), Life::Ended);
}
TEST_F(UnlockedNote, lockThatWasThere_ended) {
    EXPECT_EQ(lifeOf(self_.boot, self_.pidNamespace, self_.startTime, true), Life::Ended);
}
TEST_F(UnlockedNote, otherMachineOrNamespace_unknown) {
    EXPECT_EQ(lifeOf("elsewhere", self_.pidNamespace, self_.startTime, true), Life::Unknown);
    EXPECT_EQ(lifeOf(self_.boot, self_.pidNamespace + 1, self_.startTime), Life::Unknown);
}

/// As after the disk was lost: the file is there, and empty.
TEST(DescribedProcesses, whoseNoteWasLost_areNotKnown) {
    ProcessNote known;
    known.pid = 12;
    known.host = "node7";
    EXPECT_EQ(processesText({known, ProcessNote{}}), "process 12 on node7, a process that is not known");
}

TEST(RunIdentity, jobOfTheSameName_belongsWhereTheNameIsUniqueOrTheOriginIsTheSame) {
    const RunIdentity run = newRun({"7", false, "boot", "mpirun 12 of 345"});
    EXPECT_EQ(run.id.size(), 32u);
    EXPECT_TRUE(belongs({"7", false, "boot", "mpirun 12 of 345"}, run));
    EXPECT_TRUE(belongs({"7", false, "other node", "proxy 9 of 345"}, run));
    EXPECT_TRUE(belongs({"7", true, "boot", "mpirun 12 of 678"}, run));
    EXPECT_FALSE(belongs({"7", false, "boot", "mpirun 12 of 678"}, run));
    EXPECT_FALSE(belongs({"8", false, "boot", "mpirun 12 of 345"}, run));
    EXPECT_FALSE(belongs({"", false, "", ""}, newRun({"", false, "", ""})));
}

}  // namespace
}  // namespace holos::archive
