// SPDX-License-Identifier: BSD-3-Clause
// `holos watch` on a terminal, with keys.
#include <fcntl.h>
#include <pty.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "base/descriptor.h"
#include "base/process.h"
#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// A command on a terminal of its own.
class OnTerminal {
  public:
    /// `typed`: what is typed before it starts.
    explicit OnTerminal(const Words& words, const std::string& typed = "") {
        constexpr unsigned short kRows = 24;
        constexpr unsigned short kColumns = 80;
        const winsize size{kRows, kColumns, 0, 0};
        int other = -1;
        EXPECT_EQ(::openpty(&terminal_, &other, nullptr, nullptr, &size), 0);
        type(typed);
        pid_ = ::fork();
        if (pid_ != 0) {
            ::close(other);
            ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
            return;
        }
        ::close(terminal_);
        ::login_tty(other);
        ::setenv("TERM", "xterm-256color", 1);
        ::setenv("LC_ALL", "C.UTF-8", 1);
        const Arguments arguments(words);
        ::execv(words.front().c_str(), arguments.data());
        ::_exit(127);
    }
    ~OnTerminal() {
        if (!hasEnded_) ::kill(pid_, SIGKILL);
        if (!hasEnded_) ::waitpid(pid_, nullptr, 0);
        ::close(terminal_);
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;

    void type(const std::string& keys) const {
        EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    void resize(unsigned short rows, unsigned short columns) const {
        const winsize size{rows, columns, 0, 0};
        ::ioctl(terminal_, TIOCSWINSZ, &size);
    }
    void send(int signal) const { ::kill(pid_, signal); }
    /// What was written until that came.
    std::string readUntil(const std::string& text) {
        const std::size_t from = output_.size();
        EXPECT_TRUE(becomesTrue([&] {
            take();
            return output_.find(text, from) != std::string::npos;
        })) << "no '"
            << text << "' in " << output_.substr(from);
        return output_.substr(from);
    }
    /// As waitpid(2) says it. `signal`: is sent again and again until then; 0: none.
    int wait(int signal = 0) {
        int status = 0;
        EXPECT_TRUE(becomesTrue([&] {
            take();
            send(signal);
            return hasEnded_ = ::waitpid(pid_, &status, WNOHANG) == pid_;
        }));
        take();
        return status;
    }
    const std::string& output() const { return output_; }

  private:
    void take() {
        char bytes[4096];
        for (ssize_t got = 0; (got = ::read(terminal_, bytes, sizeof bytes)) > 0;)
            output_.append(bytes, static_cast<std::size_t>(got));
    }
    int terminal_ = -1;
    pid_t pid_ = 0;
    bool hasEnded_ = false;
    std::string output_;
};

constexpr const char* kUsualScreen = "\x1b[?1049l";  ///< what was there before comes back

class WatchScreen : public RecordingFixture {
  protected:
    void SetUp() override {
        command_ = record(program());
        waitUntilBegun();
    }
    Words watching() const { return {HOLOS_PROGRAM, "watch", trace(), "--interval", "50ms"}; }

    std::unique_ptr<StartedCommand> command_;
};

TEST_F(WatchScreen, keys_areTakenAndTheLastOneEndsIt) {
    OnTerminal screen(watching());
    screen.readUntil("q quit");
    screen.type("mMsalllwwhh/nothing\n/\b\b\b\b\b\b\b\n  q");
    EXPECT_EQ(screen.wait(), 0);
    EXPECT_THAT(screen.output(), HasSubstr(kUsualScreen));
}

/// The picture would come when all is read.
TEST_F(WatchScreen, keysTypedWhileItReads_areAnsweredBeforeThePicture) {
    OnTerminal screen(watching(), "hq");
    EXPECT_EQ(screen.wait(), 0);
    EXPECT_THAT(screen.output(), AllOf(HasSubstr("choose a row"), Not(HasSubstr("1 process"))));
}

/// As of a file server that does not answer: who opens the file waits for this process to let it.
class SlowFiles : public RecordingFixture {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(status_.parent_path());
        std::ofstream(status_) << "status";
        server_ = Descriptor(::fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK, O_RDONLY));
        if (!server_ ||
            ::fanotify_mark(server_.number(), FAN_MARK_ADD, FAN_OPEN_PERM, AT_FDCWD, status_.c_str()) != 0)
            GTEST_SKIP() << "nobody can be made to wait for a file here";
    }
    void waitUntilItIsOpened() {
        ASSERT_TRUE(
            becomesTrue([&] { return ::read(server_.number(), &asked_, sizeof asked_) == sizeof asked_; }));
        file_ = Descriptor(asked_.fd);
    }
    /// Lets those who wait go on: there is nobody any more who lets them.
    void answer() { server_ = Descriptor(); }

  private:
    const std::filesystem::path status_ = recording() / "host.1.0" / "status";
    Descriptor server_;
    Descriptor file_;
    fanotify_event_metadata asked_{};
};

TEST_F(SlowFiles, whileOneDoesNotAnswer_keysAreAnsweredAndTheTerminalIsLeft) {
    OnTerminal screen({HOLOS_PROGRAM, "watch", trace()});
    waitUntilItIsOpened();
    screen.type("h");
    screen.readUntil("choose a row");
    screen.type("q");
    screen.readUntil(kUsualScreen);
    answer();
    EXPECT_EQ(screen.wait(), 0);
}

TEST_F(SlowFiles, thatNeverAnswer_areLeftBySignalsWhereTheTerminalIs) {
    OnTerminal screen({HOLOS_PROGRAM, "watch", trace()});
    waitUntilItIsOpened();
    screen.type("q");
    screen.readUntil(kUsualScreen);
    const int status = screen.wait(SIGINT);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    answer();
}

TEST_F(WatchScreen, ctrlC_leavesTheTerminalAsItWas) {
    OnTerminal screen(watching());
    screen.readUntil("q quit");
    screen.type("\x03");
    EXPECT_EQ(screen.wait(), 0);
    EXPECT_THAT(screen.output(), HasSubstr(kUsualScreen));
}

TEST_F(WatchScreen, signalThatEndsIt_leavesTheTerminalAsItWas) {
    OnTerminal screen(watching());
    screen.readUntil("q quit");
    screen.send(SIGTERM);
    EXPECT_EQ(screen.wait(), 0);
    EXPECT_THAT(screen.output(), HasSubstr(kUsualScreen));
}

TEST_F(WatchScreen, smallerAndLargerThanUsual_goesOn) {
    OnTerminal screen(watching());
    screen.readUntil("q quit");
    screen.resize(4, 20);
    screen.type("m");
    screen.resize(60, 200);
    screen.type("mq");
    EXPECT_EQ(screen.wait(), 0);
    EXPECT_THAT(screen.output(), HasSubstr(kUsualScreen));
}

TEST_F(WatchScreen, unknownTerminal_isSaid) {
    const Words words{"/usr/bin/env", "TERM=nothing-of-the-kind"};
    OnTerminal screen(words + watching());
    EXPECT_NE(screen.wait(), 0);
    EXPECT_THAT(screen.output(), AllOf(HasSubstr("nothing-of-the-kind"), HasSubstr("--once")));
}

/// The program's output comes when it is over.
TEST_F(WatchScreen, besideTheRecording_endsLikeTheProgram) {
    OnTerminal screen(
        {HOLOS_PROGRAM, "record", "--watch", "-o", file("own"), "--", "/bin/sh", "-c",
         "echo said; while [ ! -e " + file("enough").string() + " ]; do sleep 0.01; done; exit 3"});
    screen.readUntil("q quit");
    EXPECT_THAT(screen.output(), Not(HasSubstr("said")));
    std::ofstream(file("enough")).flush();
    screen.readUntil("ENDED");
    screen.type("q");
    const int status = screen.wait();
    EXPECT_EQ(WEXITSTATUS(status), 3) << screen.output();
    EXPECT_THAT(screen.output(), HasSubstr("said"));
}

TEST_F(WatchScreen, besideTheRecordingWithoutTerminal_isRefused) {
    const auto refused =
        runCommand({HOLOS_PROGRAM, "record", "--watch", "-o", file("own"), "--", "/bin/true"});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.output, HasSubstr("there is no terminal"));
}

}  // namespace
}  // namespace holos::testing
