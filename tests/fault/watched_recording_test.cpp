// SPDX-License-Identifier: BSD-3-Clause
// A program that is watched while it runs, by commands some of which are killed, leaves the trace that it
// leaves without.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>

#include "tests/fault/killer.h"
#include "tests/fault/started_command.h"
#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;
using Events = std::vector<std::vector<std::string>>;  ///< of each thread

struct Way {
    const char* name;
    bool withMpi;
    const char* storage;
};

constexpr int kRounds = 1500;
constexpr int kProcesses = 2;
constexpr int kThreads = 3;

/// What the program shares with the test.
class SharedNumbers {
  public:
    explicit SharedNumbers(const fs::path& path) {
        std::ofstream(path).close();
        fs::resize_file(path, kBytes);
        const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        numbers_ = static_cast<std::atomic<int>*>(
            ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        ::close(file);
    }
    ~SharedNumbers() {
        allow(kRounds);
        ::munmap(numbers_, kBytes);
    }
    SharedNumbers(const SharedNumbers&) = delete;
    SharedNumbers& operator=(const SharedNumbers&) = delete;

    int allowed() const { return numbers_[0]; }
    void allow(int rounds) { numbers_[0] = std::min(rounds, kRounds); }
    /// Of all threads together.
    int done() const { return std::accumulate(numbers_ + 1, numbers_ + 1 + kProcesses * kThreads, 0); }

  private:
    static constexpr std::size_t kBytes = 4096;
    std::atomic<int>* numbers_;
};

class WatchedRecording : public ::testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (GetParam().withMpi && program().empty()) GTEST_SKIP() << "no MPI here";
        ::setenv("HOLOS_STORAGE", GetParam().storage, 1);
        random_.seed(seed_);
    }
    ~WatchedRecording() override { ::unsetenv("HOLOS_STORAGE"); }

    fs::path file(const std::string& name) const { return directory_.path() / name; }

    static Words program() {
        const Words one{GetParam().withMpi ? WATCHED_MPI_PROGRAM : WATCHED_PROGRAM};
        if (!GetParam().withMpi) return one;
        const Words mpirun = launcher(kProcesses);
        return one.front().empty() || mpirun.empty() ? Words{} : mpirun + one;
    }
    Words recording(const std::string& name) const {
        const Words command{HOLOS_PROGRAM, "record", "-o", file(name), "--"};
        return command + program() +
               Words{file("shared"), std::to_string(kRounds), std::to_string(kProcesses)};
    }
    /// Where the recording that is watched is now.
    fs::path watched() const { return file(place_); }
    Words analysis() const { return {HOLOS_PROGRAM, "analyze", watched()}; }

    int anyUpTo(int most) { return std::uniform_int_distribution<>(0, most)(random_); }

    /// Analyzes the recording while the program goes on, a little at each system call of the command, and
    /// kills the command at one of them, counted from 1. A part of the rounds is left for others.
    Fate analyzeMeanwhile(int killedAt = 0) {
        const int most = shared_.allowed() + kRounds / 12;
        const pid_t tracer = ::fork();  // has no other children
        if (tracer == 0)
            ::_exit(static_cast<int>(traceCommand(analysis(), file("analysis"), [&](bool) {
                shared_.allow(std::min(shared_.allowed() + anyUpTo(1), most));
                return --killedAt == 0;
            })));
        int status = 0;
        ::waitpid(tracer, &status, 0);
        return static_cast<Fate>(WEXITSTATUS(status));
    }
    void watch() {
        const int before = shared_.done();
        ASSERT_EQ(analyzeMeanwhile(), Fate::Ended);
        const std::string output = textOf(file("analysis"));
        EXPECT_THAT(output, AllOf(HasSubstr("is still being recorded"), HasSubstr("snapshot.cubex"),
                                  Not(HasSubstr("damaged")), Not(HasSubstr("undefined"))));
        const int seen = roundsIn(watched() / "snapshot.cubex");
        const bool isThereAtOnce = std::string(GetParam().storage) == "mapped";
        EXPECT_GE(seen, isThereAtOnce ? before : 0);
        EXPECT_LE(seen, shared_.done() + kProcesses * kThreads);
    }
    void watchAndKill() {
        constexpr int kMostCalls = 3000;
        const int place = 1 + anyUpTo(kMostCalls);
        SCOPED_TRACE("killed at system call " + std::to_string(place));
        EXPECT_NE(analyzeMeanwhile(place), Fate::NotAllowed);
    }
    void recordIntoIt() {
        const auto other = runCommand({HOLOS_PROGRAM, "record", "--force", "-o", watched(), "--", "/bin/ls"});
        EXPECT_EQ(other.exitCode, 1);
        EXPECT_THAT(other.output, HasSubstr("another measurement is being recorded there"));
    }

    /// Both find it as it is, and the program goes on meanwhile.
    void analyzeTwice() {
        StartedCommand first(analysis(), file("first"));
        StartedCommand second(analysis(), file("second"));
        shared_.allow(shared_.allowed() + anyUpTo(kRounds / 20));
        EXPECT_EQ(first.wait(), 0) << first.output();
        EXPECT_EQ(second.wait(), 0) << second.output();
    }
    void lookAtIt() const {
        const auto looked = runCommand(
            {HOLOS_PROGRAM, "watch", watched(), "--once", "--format", "json", "--interval", "1ms"});
        EXPECT_EQ(looked.exitCode, 0) << looked.output;
    }
    void move() {
        const std::string next = place_ + "_moved";
        fs::rename(watched(), file(next));
        place_ = next;
    }
    /// In any order, each as often as chance has it.
    void disturb() {
        for (int i = 0; i < 4; ++i) {
            SCOPED_TRACE("disturbance " + std::to_string(i));
            switch (anyUpTo(5)) {
                case 0:
                    watch();
                    break;
                case 1:
                    watchAndKill();
                    break;
                case 2:
                    recordIntoIt();
                    break;
                case 3:
                    analyzeTwice();
                    break;
                case 4:
                    lookAtIt();
                    break;
                default:
                    move();
            }
        }
    }

    static std::string textOf(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static int roundsIn(const fs::path& experiment) {
        const auto shown = runCommand(
            {HOLOS_PROGRAM, "show", experiment, "--metric", "visits", "--format", "csv", "--top", "0"});
        std::istringstream lines(shown.output);
        int rounds = 0;
        for (std::string line; std::getline(lines, line);) {
            const std::string path = line.substr(0, line.find(','));
            const std::string last = path.substr(path.rfind('/') + 1);
            if (!last.starts_with("round") || line.find("watched_program.c") == line.npos) continue;
            std::string rest = line.substr(line.find(',') + 1);
            for (int field = 0; field < 3; ++field) rest = rest.substr(rest.find(',') + 1);
            rounds += std::atoi(rest.c_str());
        }
        return rounds;
    }
    /// What does not depend on time: regions and calls of MPI of each thread, in order. Threads may have
    /// begun in any order.
    Events eventsOf(const std::string& name) const {
        std::map<std::string, std::vector<std::string>> threads;
        for (const std::string& line : readBack(file(name) / "traces.otf2")) {
            std::istringstream words(line);
            std::string location, time, kind, what;
            words >> location >> time >> kind >> what;
            const bool isSteady = what == "round" || what == "leaf" || what.starts_with("MPI_");
            if ((kind == "enter" || kind == "leave") && isSteady)
                threads[location].push_back(kind + ' ' + what);
        }
        Events events;
        for (auto& [location, own] : threads) events.push_back(std::move(own));
        std::sort(events.begin(), events.end());
        return events;
    }
    /// What the program leaves when it runs alone.
    Events unwatched() {
        shared_.allow(kRounds);
        EXPECT_EQ(runCommand(recording("alone")).exitCode, 0);
        return eventsOf("alone");
    }
    void analyzeInTheEnd() const {
        CommandResult last{};
        ASSERT_TRUE(becomesTrue([&] {
            last = runCommand(analysis());
            return last.exitCode == 0 && !fs::exists(watched() / "recording");
        })) << last.output;
        EXPECT_THAT(last.output, Not(HasSubstr("unmatched")));
        EXPECT_FALSE(fs::exists(watched() / "snapshot.cubex"));
    }

    TemporaryDirectory directory_;
    std::string place_ = "watched";
    SharedNumbers shared_{file("shared")};
    const unsigned seed_ = std::random_device()();
    std::mt19937 random_;
};

INSTANTIATE_TEST_SUITE_P(Ways, WatchedRecording,
                         ::testing::Values(Way{"plain", false, "mapped"}, Way{"copied", false, "copied"},
                                           Way{"mpi", true, "mapped"}),
                         [](const auto& way) { return way.param.name; });

TEST_P(WatchedRecording, andCommandsKilled_traceIsThatOfAnUnwatchedRun) {
    SCOPED_TRACE("seed " + std::to_string(seed_));
    {
        StartedCommand command(recording("watched"), file("output"));
        ASSERT_TRUE(becomesTrue([this] {
            shared_.allow(1);
            return shared_.done() == kProcesses * kThreads;
        })) << command.output();
        if (analyzeMeanwhile(1) == Fate::NotAllowed) GTEST_SKIP() << "no process may be traced here";
        watch();
        disturb();
        if (anyUpTo(1) == 0) {
            command.send(SIGKILL);
            command.wait();
            watchAndKill();
        }
        watch();
        shared_.allow(kRounds);
        command.wait();
    }
    analyzeInTheEnd();
    const Events events = eventsOf(place_);
    ASSERT_EQ(events.size(), kProcesses * kThreads);
    EXPECT_EQ(events, unwatched());
}

}  // namespace
}  // namespace holos::testing
