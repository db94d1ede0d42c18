// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/clock_tree.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <queue>
#include <set>
#include <thread>

namespace holos::tracing::mpi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ClockTree, parent_isTheRankWithoutItsLastOne) {
    EXPECT_EQ(parentOf(1), 0);
    EXPECT_EQ(parentOf(6), 4);
    EXPECT_EQ(parentOf(7), 6);
    EXPECT_EQ(parentOf(96), 64);
}

TEST(ClockTree, children_largestPartFirst_andOnlyThoseThatExist) {
    EXPECT_THAT(childrenOf(0, 8), ElementsAre(4, 2, 1));
    EXPECT_THAT(childrenOf(4, 8), ElementsAre(6, 5));
    EXPECT_THAT(childrenOf(4, 6), ElementsAre(5));
    EXPECT_THAT(childrenOf(5, 8), IsEmpty());
    EXPECT_THAT(childrenOf(0, 1), IsEmpty());
}

TEST(ClockTree, rounds_areTheLogarithmRoundedUp) {
    EXPECT_EQ(roundsOf(1), 0);
    EXPECT_EQ(roundsOf(2), 1);
    EXPECT_EQ(roundsOf(8), 3);
    EXPECT_EQ(roundsOf(9), 4);
    EXPECT_EQ(roundsOf(100'000), 17);
}

TEST(ClockTree, everyRankButTheFirst_isAChildOfItsParentOnce) {
    constexpr int kSize = 100;
    std::multiset<int> children;
    for (int rank = 0; rank < kSize; ++rank)
        for (const int child : childrenOf(rank, kSize)) {
            EXPECT_EQ(parentOf(child), rank);
            children.insert(child);
        }
    EXPECT_EQ(children.size(), kSize - 1u);
    EXPECT_EQ(std::set<int>(children.begin(), children.end()).size(), kSize - 1u);
}

TEST(ShortestTrip, ofThree_theShortestCounts) {
    ShortestTrip trips;
    trips.add(1'000, 5'300, 1'400, 1);  // 5300 in the middle, at 1200: 4100 ahead, or 200 less or more
    trips.add(2'000, 6'149, 2'100, 2);  // 6149 at 2050: 4099, or 50 less or more
    trips.add(3'000, 7'500, 3'800, 3);
    const ClockDifference difference = trips.difference(0);
    EXPECT_EQ(difference.nanoseconds, 4'099);
    EXPECT_EQ(difference.ticks, 2u);
    EXPECT_NEAR(difference.deviation, 28.8675, 1e-4);            // 100 / √12
    EXPECT_NEAR(trips.difference(50).deviation, 57.7350, 1e-4);  // √(100² / 12 + 50²)
}

/// A run in which each process has a time of its own, in nanoseconds, that messages carry on: the same each
/// time, however its threads run. A message takes 900 to 1,299 ns, one that is sent 100.
class SimulatedRun {
  public:
    struct Process {
        std::int64_t error = 0;  ///< of its clock
        std::uint64_t machine = 0;
    };

    explicit SimulatedRun(std::vector<Process> processes)
        : processes_(std::move(processes)), partners_(processes_.size()), found_(processes_.size()) {}

    const std::vector<ClockDifference>& compare() {
        const int size = static_cast<int>(processes_.size());
        std::vector<std::thread> threads;
        for (int rank = 0; rank < size; ++rank)
            threads.emplace_back([this, rank, size] {
                Talk talk(*this, rank);
                const auto place = static_cast<std::size_t>(rank);
                found_[place] = compareInTree(talk, rank, size, processes_[place].machine, 500'000'000);
            });
        for (auto& thread : threads) thread.join();
        return found_;
    }
    std::size_t partnersOf(std::size_t rank) const { return partners_[rank].size(); }

  private:
    struct Sent {
        ClockMessage message;
        std::int64_t arrival;
    };
    class Talk : public ClockTalk {
      public:
        Talk(SimulatedRun& run, int rank) : run_(run), rank_(rank) {}
        std::int64_t now() noexcept override { return ++time_ + run_.processes_[place(rank_)].error; }
        std::uint64_t ticks() noexcept override { return static_cast<std::uint64_t>(time_); }
        void send(int process, const ClockMessage& message) noexcept override {
            time_ += 100;
            const std::int64_t way = 900 + (++sent_ * 7919 + rank_ * 104729) % 400;
            const std::lock_guard lock(run_.mutex_);
            run_.partners_[place(rank_)].insert(process);
            run_.mail_[{rank_, process}].push({message, time_ + way});
            run_.changed_.notify_all();
        }
        ClockMessage receive(int process) noexcept override {
            std::unique_lock lock(run_.mutex_);
            auto& mail = run_.mail_[{process, rank_}];
            run_.changed_.wait(lock, [&] { return !mail.empty(); });
            const Sent got = mail.front();
            mail.pop();
            time_ = std::max(time_, got.arrival);
            return got.message;
        }

      private:
        static std::size_t place(int rank) { return static_cast<std::size_t>(rank); }
        SimulatedRun& run_;
        int rank_;
        std::int64_t time_ = 0;
        std::int64_t sent_ = 0;
    };

    std::vector<Process> processes_;
    std::vector<std::set<int>> partners_;
    std::vector<ClockDifference> found_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<int, int>, std::queue<Sent>> mail_;
};

/// Every answer lies within its round trip: no error is larger than half of it, which is √3 deviations. Along
/// a way of n measurements errors add up, deviations by their squares.
double largestError(const ClockDifference& found, int measurements) {
    return std::sqrt(3.0 * measurements) * found.deviation + 1.0;
}

TEST(ClockTree, clocksWithErrors_areFoundAlongTheTree) {
    std::vector<SimulatedRun::Process> processes;
    for (std::int64_t rank = 0; rank < 13; ++rank)
        processes.push_back({rank * 1'000'003, static_cast<std::uint64_t>(rank) + 1});
    SimulatedRun run(processes);
    const auto& found = run.compare();
    EXPECT_EQ(found[0].nanoseconds, 0);
    EXPECT_EQ(found[0].deviation, 0.0);
    for (unsigned rank = 1; rank < found.size(); ++rank) {
        const int way = __builtin_popcount(rank);
        EXPECT_NEAR(static_cast<double>(found[rank].nanoseconds), -1'000'003.0 * rank,
                    largestError(found[rank], way))
            << rank;
        // A trip takes 2 × (900 + 100) ns at least and 2 × (1,299 + 100) ns at most.
        EXPECT_GE(found[rank].deviation, std::sqrt(way / 12.0) * 2'000) << rank;
        EXPECT_LE(found[rank].deviation, std::sqrt(way / 12.0) * 2'810) << rank;
    }
}

TEST(ClockTree, processesOfOneMachine_haveTheSameClockExactly) {
    std::vector<SimulatedRun::Process> processes;  // four processes on each of three machines
    for (std::uint64_t rank = 0; rank < 12; ++rank)
        processes.push_back({static_cast<std::int64_t>(rank / 4) * 5'000'000, rank / 4 + 1});
    SimulatedRun run(processes);
    const auto& found = run.compare();
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
        EXPECT_EQ(found[rank].nanoseconds, found[rank / 4 * 4].nanoseconds) << rank;
        EXPECT_EQ(found[rank].deviation, found[rank / 4 * 4].deviation) << rank;
    }
    EXPECT_EQ(found[3].nanoseconds, 0);
    EXPECT_EQ(found[3].deviation, 0.0);
    EXPECT_NEAR(static_cast<double>(found[11].nanoseconds), -10'000'000, largestError(found[11], 1));
}

TEST(ClockTree, unknownMachines_areMeasured) {
    SimulatedRun run({{0, 0}, {-7'000'000, 0}});
    const auto& found = run.compare();
    EXPECT_GT(found[1].deviation, 0.0);
    EXPECT_NEAR(static_cast<double>(found[1].nanoseconds), 7'000'000, largestError(found[1], 1));
}

TEST(ClockTree, nobody_talksToMoreThanLogarithmicallyMany) {
    std::vector<SimulatedRun::Process> processes(64, {0, 1});
    SimulatedRun run(processes);
    run.compare();
    EXPECT_EQ(run.partnersOf(0), 6u);
    for (std::size_t rank = 1; rank < 64; ++rank) EXPECT_LE(run.partnersOf(rank), 6u);
}

}  // namespace
}  // namespace holos::tracing::mpi
