// SPDX-License-Identifier: BSD-3-Clause
// What a thread does, followed record by record.
#include "tracing/recordings/watch/thread_activity.h"

#include <gtest/gtest.h>

#include "base/run_profile.h"

namespace holos::watch {
namespace {

using archive::Record;
using tracing::pair;
using tracing::Paradigm;
using tracing::RecordKind;
using tracing::Role;

class ThreadActivityTest : public ::testing::Test {
  protected:
    static constexpr std::uint32_t kWork = 1;
    static constexpr std::uint32_t kSend = 2;
    static constexpr std::uint32_t kBarrier = 3;
    static constexpr std::uint32_t kParallel = 4;
    static constexpr std::uint32_t kLock = 5;
    static constexpr std::uint32_t kTask = 6;

    ThreadActivityTest() {
        define(kWork, Paradigm::User, Role::Function);
        define(kSend, Paradigm::Mpi, Role::PointToPoint);
        define(kBarrier, Paradigm::OpenMp, Role::ImplicitBarrier);
        define(kParallel, Paradigm::OpenMp, Role::Parallel);
        define(kLock, Paradigm::Pthread, Role::Lock);
        define(kTask, Paradigm::OpenMp, Role::Task);
        regions_.update(process_);
    }
    void define(std::uint32_t ref, Paradigm paradigm, Role role) {
        archive::RecordedRegion region;
        region.paradigm = paradigm;
        region.role = role;
        process_.regions[ref] = region;
    }
    void take(RecordKind kind, std::uint64_t ticks, const std::vector<std::uint64_t>& words) {
        thread_.take({kind, ticks, words.data(), words.size()});
    }
    void enter(std::uint64_t ticks, std::uint32_t region) {
        take(RecordKind::Enter, ticks, {pair(region, 0)});
    }
    void leave(std::uint64_t ticks, std::uint32_t region) { take(RecordKind::Leave, ticks, {region}); }
    std::uint64_t timeOf(Activity activity, std::uint64_t until) const {
        return thread_.timesAt(until)[static_cast<std::size_t>(activity)];
    }

    archive::RecordedProcess process_;
    RegionActivities regions_;
    ThreadActivity thread_{regions_, false};
};

TEST_F(ThreadActivityTest, regionsOfKinds_timeIsThatOfTheInnermost) {
    enter(100, kWork);
    enter(130, kSend);
    leave(170, kSend);
    enter(180, kParallel);
    enter(185, kBarrier);
    leave(195, kBarrier);
    leave(200, kParallel);
    enter(200, kLock);
    EXPECT_EQ(timeOf(Activity::Computation, 230), 30U + 10 + 5 + 5);
    EXPECT_EQ(timeOf(Activity::Mpi, 230), 40U);
    EXPECT_EQ(timeOf(Activity::OpenMp, 230), 10U);
    EXPECT_EQ(timeOf(Activity::Waiting, 230), 30U);
    EXPECT_EQ(thread_.now(), Activity::Waiting);
}

TEST_F(ThreadActivityTest, beforeItsFirstRecord_computesSinceItBegan) {
    EXPECT_EQ(thread_.now(), Activity::Nothing);
    thread_.begin(100);
    EXPECT_EQ(thread_.now(), Activity::Computation);
    EXPECT_EQ(timeOf(Activity::Computation, 150), 50U);
    enter(160, kSend);
    EXPECT_EQ(timeOf(Activity::Computation, 200), 60U);
}

TEST_F(ThreadActivityTest, whatWasPassed_isNoLongerComputation) {
    thread_.begin(100);
    EXPECT_EQ(timeOf(Activity::Computation, 190), 90U);
    enter(120, kLock);  // told afterwards
    leave(180, kLock);
    EXPECT_EQ(timeOf(Activity::Computation, 190), 30U);
    EXPECT_EQ(timeOf(Activity::Waiting, 190), 60U);
}

TEST_F(ThreadActivityTest, placeInATeam_doesNothingOutsideOfRegions) {
    ThreadActivity place(regions_, true);
    const std::vector<std::uint64_t> entered{pair(kParallel, 0)};
    const std::vector<std::uint64_t> left{kParallel};
    place.take({RecordKind::Enter, 10, entered.data(), 1});
    EXPECT_EQ(place.now(), Activity::Computation);
    place.take({RecordKind::Leave, 20, left.data(), 1});
    EXPECT_EQ(place.now(), Activity::Nothing);
}

TEST_F(ThreadActivityTest, pausedByTheProgram_isNotRecorded) {
    enter(10, kWork);
    take(RecordKind::MeasurementOff, 20, {});
    EXPECT_EQ(thread_.now(), Activity::Nothing);
    take(RecordKind::MeasurementOn, 50, {});
    EXPECT_EQ(timeOf(Activity::Nothing, 60), 30U);
    EXPECT_EQ(timeOf(Activity::Computation, 60), 20U);
}

TEST_F(ThreadActivityTest, regionThatWasLeft_isTheLastOne) {
    enter(10, kWork);
    EXPECT_FALSE(thread_.left());
    enter(20, kSend);
    leave(30, kSend);
    ASSERT_TRUE(thread_.left());
    EXPECT_EQ(thread_.left()->region, kSend);
    EXPECT_EQ(thread_.left()->ticks, 30U);
    EXPECT_EQ(thread_.open().size(), 1U);
}

TEST_F(ThreadActivityTest, leftWithoutEnter_isIgnored) {
    enter(10, kWork);
    leave(20, kSend);
    EXPECT_EQ(thread_.open().size(), 1U);
}

TEST_F(ThreadActivityTest, tasks_haveRegionsOfTheirOwn) {
    enter(10, kBarrier);
    take(RecordKind::TaskSwitch, 20, {1, pair(0, 1)});
    EXPECT_TRUE(thread_.open().empty());
    enter(20, kTask);
    EXPECT_EQ(thread_.now(), Activity::Computation);
    take(RecordKind::TaskComplete, 40, {1, pair(0, 1)});
    ASSERT_EQ(thread_.open().size(), 1U);
    EXPECT_EQ(thread_.open().front().region, kBarrier);
}

TEST_F(ThreadActivityTest, callThatFailed_hasSentNothing) {
    enter(10, kSend);
    take(RecordKind::MpiSend, 10, {pair(1, 4), 7, 100});
    EXPECT_EQ(thread_.messages().sent.at({4, 1, 7}), 1);
    take(RecordKind::MpiFailed, 20, {});
    leave(20, kSend);
    EXPECT_EQ(thread_.messages().sent.at({4, 1, 7}), 0);
}

TEST_F(ThreadActivityTest, callThatSucceeded_countsItsMessagesAndOperations) {
    enter(10, kSend);
    take(RecordKind::MpiSend, 10, {pair(1, 4), 7, 100});
    EXPECT_EQ(thread_.lastSentAt(), 10U);
    leave(20, kSend);
    take(RecordKind::MpiRecv, 30, {pair(2, 4), 8, 50});
    take(RecordKind::MpiCollectiveEnd, 30, {pair(0, 4), 0, 0, 0});
    EXPECT_EQ(thread_.messages().received.at({4, 2, 8}), 1);
    EXPECT_EQ(thread_.collectives().at(4), 1);
    EXPECT_EQ(thread_.amounts().messages, 2U);
    EXPECT_EQ(thread_.amounts().bytes, 150U);
    EXPECT_EQ(thread_.amounts().events, 5U);
}

TEST_F(ThreadActivityTest, threadThatEnded_doesNothing) {
    enter(10, kWork);
    take(RecordKind::ThreadEnd, 20, {1});
    EXPECT_TRUE(thread_.hasEnded());
    EXPECT_EQ(timeOf(Activity::Computation, 100), 10U);
    EXPECT_EQ(timeOf(Activity::Nothing, 100), 80U);
}

/// Words of `PollsWord` behind the header.
TEST_F(ThreadActivityTest, pollsThatWereMade_areTimesInsideAndBetween) {
    enter(10, kWork);
    take(RecordKind::Polls, 20, {pair(kSend, 0), 5, 30, 70, 0});
    EXPECT_EQ(timeOf(Activity::Mpi, 70), 30U);
    EXPECT_EQ(timeOf(Activity::Computation, 70), 10U + 20);
    EXPECT_EQ(thread_.open().size(), 1U);
    EXPECT_EQ(thread_.left()->region, kSend);
    EXPECT_EQ(thread_.amounts().events, 6U);
}

TEST_F(ThreadActivityTest, pollThatFound_isEnteredByTheRecord) {
    enter(10, kWork);
    take(RecordKind::Polls, 20, {pair(kSend, 0), 5, 30, 70, 80});
    EXPECT_EQ(thread_.open().size(), 2U);
    EXPECT_EQ(thread_.now(), Activity::Mpi);
    leave(90, kSend);
    EXPECT_EQ(timeOf(Activity::Mpi, 90), 40U);
    EXPECT_EQ(timeOf(Activity::Computation, 90), 40U);
}

TEST_F(ThreadActivityTest, pollsThatGoOn_areWhatItDoesSinceTheFirst) {
    enter(10, kWork);
    const std::vector<std::uint64_t> words{pair(kSend, 0), 5, 30, 70, 0};
    thread_.takeUnfinished({{RecordKind::Polls, 20, words.data(), words.size()}, std::nullopt});
    EXPECT_EQ(thread_.now(), Activity::Mpi);
    EXPECT_EQ(thread_.polling()->ticks, 20U);
    EXPECT_EQ(timeOf(Activity::Mpi, 100), 80U);
    take(RecordKind::Polls, 20, words);
    EXPECT_FALSE(thread_.polling());
    EXPECT_EQ(timeOf(Activity::Mpi, 70), 30U);
}

/// Two pairs of calls that set and unset a lock, for 1 each, which is held for 10; 10 between them.
TEST_F(ThreadActivityTest, locksThatAreTwoRecords_areTimesInsideAndBetween_whileTheyChangeAndAfterwards) {
    enter(10, kWork);
    const std::vector<std::uint64_t> sets{pair(kSend, 0), 2, 2, 112, 0};
    const std::vector<std::uint64_t> unsets{pair(kBarrier, 0), 2, 2, 134, 0};
    thread_.takeUnfinished({{RecordKind::Polls, 100, sets.data(), sets.size()},
                            {{RecordKind::Polls, 101, unsets.data(), unsets.size()}}});
    for (const bool areComplete : {false, true}) {
        if (areComplete) {
            take(RecordKind::Polls, 100, sets);
            take(RecordKind::Polls, 101, unsets);
        }
        EXPECT_EQ(thread_.now(), Activity::Computation);
        EXPECT_EQ(timeOf(Activity::Mpi, 140), 2U);
        EXPECT_EQ(timeOf(Activity::OpenMp, 140), 2U);
        EXPECT_EQ(timeOf(Activity::Computation, 140), 90U + 30 + 6);
        EXPECT_EQ(thread_.amounts().events, 5U);
        EXPECT_EQ(thread_.left()->region, kBarrier);
        EXPECT_EQ(thread_.newest(), 134U);
    }
}

/// Words of `SectionsWord` behind the header; the last section is not over.
TEST_F(ThreadActivityTest, sections_areTimesOfTheirParts_whileTheyChangeAndAfterwards) {
    enter(10, kBarrier);
    const std::vector<std::uint64_t> words{pair(kLock, 0), pair(kWork, 0), 3, 6, 9, 3, 50, 55, 56};
    thread_.takeUnfinished({{RecordKind::Sections, 20, words.data(), words.size()}, std::nullopt});
    EXPECT_EQ(thread_.openInSections().size(), 2U);
    for (const bool isComplete : {false, true}) {
        if (isComplete) take(RecordKind::Sections, 20, words);
        EXPECT_EQ(thread_.now(), Activity::Computation);
        EXPECT_EQ(timeOf(Activity::Waiting, 60), 9U + 1);
        EXPECT_EQ(timeOf(Activity::Computation, 60), 9U + 4);
        EXPECT_EQ(timeOf(Activity::OpenMp, 60), 10U + 12 + 5);
        EXPECT_EQ(thread_.amounts().events, 7U);
    }
    EXPECT_TRUE(thread_.openInSections().empty());
    EXPECT_EQ(thread_.open().size(), 3U);
}

TEST_F(ThreadActivityTest, recordsThatAreMissing_nothingIsKnownOfBefore) {
    enter(10, kWork);
    thread_.forget();
    EXPECT_TRUE(thread_.open().empty());
    EXPECT_TRUE(thread_.mayHaveMore());
    EXPECT_FALSE(thread_.messages().isComplete);
}

/// A region with a call of MPI in it, which was left at 170.
archive::ProfileCells cellsOfARegion(std::uint32_t work, std::uint32_t send) {
    using tracing::profile::NodeKind;
    archive::ProfileCells cells;
    cells.state = tracing::profile::State{0, 1, 100, 170, 0, 0};
    cells.nodes.resize(3);
    tracing::profile::Node& outer = cells.nodes[1].cell;
    outer.number = 1;
    outer.key = {NodeKind::Region, work};
    outer.visits = 1;
    outer.own = 30;
    outer.since = 100;
    tracing::profile::Node& inner = cells.nodes[2].cell;
    inner.number = 2;
    inner.parent = 1;
    inner.key = {NodeKind::Region, send};
    inner.visits = inner.ended = 3;
    inner.own = 40;
    inner.since = 160;
    cells.ways.resize(1);
    cells.ways[0].cell.from = 1;
    cells.ways[0].cell.to = 2;
    cells.ways[0].cell.ticks = 7;
    cells.traffic.resize(1);
    cells.traffic[0].node = 2;
    cells.traffic[0].counts[static_cast<std::size_t>(ProfileCount::Sends)] = {3, 24};
    return cells;
}

TEST_F(ThreadActivityTest, thatAddsUp_isWhereItsSumsSay) {
    thread_.show(*addedUp(cellsOfARegion(kWork, kSend), process_, regions_, false));
    ASSERT_EQ(thread_.open().size(), 1U);
    EXPECT_EQ(thread_.open()[0].region, kWork);
    EXPECT_EQ(thread_.open()[0].ticks, 100U);
    ASSERT_TRUE(thread_.left());
    EXPECT_EQ(thread_.left()->region, kSend);
    EXPECT_EQ(thread_.left()->ticks, 170U);
    EXPECT_EQ(timeOf(Activity::Mpi, 200), 40U);
    EXPECT_EQ(timeOf(Activity::Computation, 200), 30U + 7U + 30U);  // since the last event, too
    EXPECT_EQ(thread_.amounts().events, 1U + 3U + 3U);
    EXPECT_EQ(thread_.amounts().messages, 3U);
    EXPECT_EQ(thread_.amounts().bytes, 24U);
}

/// As where a disk became full.
TEST_F(ThreadActivityTest, thatAddsUpFromAMomentOn_hasDoneWhatItsRecordsSayBefore) {
    enter(40, kSend);
    leave(60, kSend);
    auto cells = cellsOfARegion(kWork, kSend);
    cells.state->since = 100;
    const auto sums = *addedUp(cells, process_, regions_, false);
    for (int looks = 0; looks < 2; ++looks) thread_.show(sums);
    EXPECT_EQ(timeOf(Activity::Mpi, 170), 20U + 40U);
    EXPECT_EQ(timeOf(Activity::Computation, 170), 40U + 37U);
}

TEST_F(ThreadActivityTest, withoutEvents_addsUpNothing) {
    EXPECT_FALSE(addedUp({}, process_, regions_, false));
}

}  // namespace
}  // namespace holos::watch
