// SPDX-License-Identifier: BSD-3-Clause
// Threads that sleep in calls which are recorded when they have ended.
#include "tracing/recordings/watch/kernel_threads.h"

#include <unistd.h>

#include <future>
#include <thread>

#include "tests/unit/tracing/watched_folder.h"
#include "tracing/recordings/watch/waits.h"

namespace holos::watch {
namespace {

using testing::RawDefinitions;
using testing::RawEvents;
using tracing::pair;
using tracing::RecordKind;

/// A thread that sleeps as long as this exists.
class Sleeper {
  public:
    Sleeper() {
        std::promise<std::uint32_t> number;
        auto told = number.get_future();
        thread_ = std::thread([&number, this] {
            const auto wakes = wake_.get_future();
            number.set_value(static_cast<std::uint32_t>(::gettid()));
            wakes.wait();
        });
        number_ = told.get();
        while (!mayHaveFallenAsleep()) std::this_thread::yield();
    }
    ~Sleeper() {
        wake_.set_value();
        thread_.join();
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

    std::uint32_t number() const { return number_; }

  private:
    /// Or the kernel does not tell.
    bool mayHaveFallenAsleep() const {
        const auto told = kernelThread(static_cast<std::uint64_t>(::getpid()), number_);
        return !told || told->sleeps;
    }

    std::promise<void> wake_;
    std::thread thread_;
    std::uint32_t number_ = 0;
};

TEST(KernelThreads, ofAProcess_areCounted) {
    const auto pid = static_cast<std::uint64_t>(::getpid());
    const auto before = kernelThreads(pid);
    if (!before) GTEST_SKIP() << "the kernel does not tell of threads";
    EXPECT_FALSE(before->allSleep);
    const Sleeper sleeper;
    const auto now = kernelThreads(pid);
    ASSERT_TRUE(now);
    EXPECT_EQ(now->number, before->number + 1);
    EXPECT_FALSE(kernelThreads(~std::uint64_t{0}));
}

TEST(KernelThreads, threadThatRuns_doesNotSleep) {
    const auto own =
        kernelThread(static_cast<std::uint64_t>(::getpid()), static_cast<std::uint64_t>(::gettid()));
    if (!own) GTEST_SKIP() << "the kernel does not tell how long threads were ready";
    EXPECT_FALSE(own->sleeps);
    EXPECT_GT(own->ready, 0U);
}

TEST(KernelThreads, threadThatIsNotThere_isNotKnown) {
    EXPECT_FALSE(kernelThread(static_cast<std::uint64_t>(::getpid()), 1).has_value());
}

class SleepingThreadTest : public WatchedFolder {
  protected:
    /// This process, with a second thread of that number in the kernel. Both are in a function, and a note of
    /// the second one says for what it waits since then.
    Folder process(std::uint32_t kernelThread, std::uint64_t noted = 1) const {
        RawDefinitions log = program();
        region(log, 1, "work", tracing::Paradigm::User);
        location(log, 1, tracing::LocationKind::Thread, 1);
        const Folder folder = write("host.1.0", log);
        for (const std::uint32_t thread : {0U, 1U}) {
            RawEvents events;
            events.add(RecordKind::Enter, ticks(100), {pair(1, 0)}).nextChunk().write(folder, thread);
        }
        tracing::WaitingNote note{};
        note.since = noted;
        note.thread = pair(2, kernelThread);
        note.count = pair(1, 0);
        note.things[0] = {pair(0, 0), pair(0, tracing::awaitedCode(tracing::AwaitedKind::ThreadEnd))};
        setStatus(folder, {}, {note});
        return folder;
    }
};

TEST_F(SleepingThreadTest, inACallThatIsNotRecorded_sleepsAndDoesNotCompute) {
    const Sleeper sleeper;
    if (!kernelThread(static_cast<std::uint64_t>(::getpid()), sleeper.number()))
        GTEST_SKIP() << "the kernel does not tell how long threads were ready";
    process(sleeper.number());
    FollowedRun watched = run();
    watched.look();
    watched.look();
    const SeenProcess& seen = watched.picture().processes.at(0);
    ASSERT_EQ(seen.threads.size(), 2U);
    EXPECT_FALSE(seen.threads[0].sleeps);
    EXPECT_EQ(seen.threads[0].now, Activity::Computation);
    EXPECT_TRUE(seen.threads[1].sleeps);
    EXPECT_EQ(seen.threads[1].now, Activity::Waiting);
    EXPECT_GT(seen.threads[1].interval[static_cast<std::size_t>(Activity::Waiting)], 0.9);
    const Waits waits = findWaits(watched);
    EXPECT_EQ(waits.waits[1].what, "");
    EXPECT_TRUE(waits.waits[1].isPartlyKnown);
}

/// Calls that manage threads count as computation.
TEST_F(SleepingThreadTest, inACallThatSaysForWhatItWaits_waitsForThat) {
    const Sleeper sleeper;
    process(sleeper.number(), ticks(100));
    FollowedRun watched = run();
    watched.look();
    watched.look();
    EXPECT_FALSE(watched.picture().processes.at(0).threads.at(1).sleeps);
    const Waits waits = findWaits(watched);
    EXPECT_EQ(waits.waits[1].what, "the end of a thread that had not started when the wait began");
}

/// Numbers of another machine's threads may be those of threads here.
TEST_F(SleepingThreadTest, ofAnotherMachine_isNotAskedFor) {
    const Sleeper sleeper;
    const Folder folder = process(sleeper.number());
    EXPECT_EQ(pidHere(folder), static_cast<std::uint64_t>(::getpid()));
    std::ofstream(folder / "alive") << "host other\nboot 17\nnamespace 4026531836\nprocess " << ::getpid()
                                    << "\nstart 5\nlocked 0\n";
    EXPECT_EQ(pidHere(folder), std::nullopt);
}

}  // namespace
}  // namespace holos::watch
