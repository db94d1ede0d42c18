// SPDX-License-Identifier: BSD-3-Clause
// Who may lock a folder, and who is waited for.
#include "tracing/recordings/archive/folder/folder_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

#include "base/descriptor.h"
#include "tests/support/temporary_directory.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class LockedFolder : public ::testing::Test {
  protected:
    fs::path folder() const { return directory_.path(); }
    fs::path file() const { return folder() / FolderLock::kName; }
    mode_t mode() const {
        struct stat facts {};
        return ::stat(file().c_str(), &facts) == 0 ? facts.st_mode & 0777 : 0;
    }
    std::string refusal(const LockPatience& patience = {}) const try {
        const FolderLock lock(folder(), {}, patience);
        return "none";
    } catch (const Error& error) {
        return error.what();
    }

    testing::TemporaryDirectory directory_;
};

/// Another process that has the file locked until this goes.
class OtherProcess {
  public:
    explicit OtherProcess(const fs::path& file) {
        int ends[2];
        if (::pipe(ends) != 0) std::abort();
        process_ = ::fork();
        if (process_ == 0) {
            const int other = ::open(file.c_str(), O_RDONLY);
            ::flock(other, LOCK_EX);
            if (::write(ends[1], "x", 1) == 1) ::pause();
            ::_exit(0);
        }
        char told = 0;
        if (::read(ends[0], &told, 1) != 1) std::abort();
        ::close(ends[0]);
        ::close(ends[1]);
    }
    ~OtherProcess() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    pid_t number() const { return process_; }

  private:
    pid_t process_ = 0;
};

TEST_F(LockedFolder, file_canBeReadByNobodyElseAndGoesWithTheLock) {
    {
        const FolderLock lock(folder());
        EXPECT_EQ(mode(), 0600u);
    }
    EXPECT_FALSE(fs::exists(file()));
    std::ofstream(file()).flush();
    ::chmod(file().c_str(), 0644);
    const FolderLock lock(folder());
    EXPECT_EQ(mode(), 0600u);
}

/// Who has it empties the file and writes into it meanwhile.
TEST_F(LockedFolder, byOneAfterTheOther_isNeverTakenForAFileOfAUser) {
    fs::create_directory(measurement::recordingOf(folder()));  // so that the file stays
    const auto lockOften = [this](std::string& failed) {
        constexpr int kTimes = 2000;
        for (int i = 0; i < kTimes && failed.empty(); ++i)
            if (const std::string said = refusal(); said != "none") failed = said;
    };
    std::string here, there;
    std::thread other(lockOften, std::ref(there));
    lockOften(here);
    other.join();
    EXPECT_EQ(here, "");
    EXPECT_EQ(there, "");
}

TEST_F(LockedFolder, fileOfAUserOrALink_isRefusedAndStays) {
    std::ofstream(file()) << "mine";
    EXPECT_THAT(refusal(), HasSubstr("is no lock of holos"));
    EXPECT_EQ(fs::file_size(file()), 4u);
    fs::remove(file());
    fs::create_symlink(folder() / "elsewhere", file());
    EXPECT_THAT(refusal(), HasSubstr("is no lock of holos"));
    EXPECT_FALSE(fs::exists(folder() / "elsewhere"));
}

TEST_F(LockedFolder, byAnotherProgram_waitNamesItAndEnds) {
    std::ofstream(file()).flush();
    const OtherProcess other(file());
    std::string told;
    const LockPatience patience{.untilTold = 0ms, .forHolos = 10min, .forOthers = 20ms};
    try {
        const FolderLock lock(
            folder(), [&told](const std::string& text) { told = text; }, patience);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(other.number())));
    }
    EXPECT_THAT(told, AllOf(HasSubstr("waiting for process " + std::to_string(other.number())),
                            HasSubstr("has not said that it is holos")));
}

TEST(SeenOwner, manyOneAfterTheOther_eachIsTimedByItself) {
    const SeenOwner::Clock::time_point start;
    const LockOwner first{"process 1", true},
        second{"process 2 (holos), which has not said that it is holos", false};
    SeenOwner seen;
    EXPECT_EQ(seen.see(first, start), 0s);
    EXPECT_EQ(seen.see(first, start + 9s), 9s);
    EXPECT_EQ(seen.see(second, start + 11s), 0s);
    EXPECT_EQ(seen.see(second, start + 12s), 1s);
    EXPECT_EQ(seen.see(first, start + 13s), 0s);
}

TEST_F(LockedFolder, byHolos_itsProcessIsNamedAndWaitedForLonger) {
    const FolderLock lock(folder());
    const LockOwner owner = ownerOf(file());
    EXPECT_TRUE(owner.isHolos) << owner.text;
    EXPECT_THAT(owner.text, HasSubstr("process " + std::to_string(::getpid())));
    EXPECT_THAT(
        refusal({.untilTold = 0ms, .forHolos = 20ms, .forOthers = 10min}),
        AllOf(HasSubstr(std::to_string(::getpid())), Not(HasSubstr("has not said that it is holos"))));
}

TEST_F(LockedFolder, ofAnotherName_failsAtOnce) {
    const FolderLock lock(folder(), ".other-lock");
    EXPECT_THROW(FolderLock(folder(), ".other-lock"), Locked);
    const FolderLock measurement(folder());
}

/// Everybody can lock a file who may read it: neither kind of such locks makes a dead process alive.
TEST_F(LockedFolder, noteOfAProcess_livesByNoLockOfAReader) {
    const fs::path note = folder() / "alive";
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "1f", 0, true);
    std::ofstream(note).write(text, static_cast<std::streamsize>(bytes));
    const Descriptor reader(::open(note.c_str(), O_RDONLY));
    ASSERT_EQ(::flock(reader.number(), LOCK_EX | LOCK_NB), 0);
    struct flock lock {};
    lock.l_type = F_RDLCK;
    ASSERT_EQ(::fcntl(reader.number(), F_OFD_SETLK, &lock), 0);
    EXPECT_EQ(lifeOf(note), Life::Ended);
    const Descriptor writer(::open(note.c_str(), O_RDWR));
    lock.l_type = F_UNLCK;
    ASSERT_EQ(::fcntl(reader.number(), F_OFD_SETLK, &lock), 0);
    lock.l_type = F_WRLCK;
    ASSERT_EQ(::fcntl(writer.number(), F_OFD_SETLK, &lock), 0);
    EXPECT_EQ(lifeOf(note), Life::Living);
}

}  // namespace
}  // namespace holos::archive
