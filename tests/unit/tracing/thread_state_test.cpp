// SPDX-License-Identifier: BSD-3-Clause
// What a thread has begun and not ended, whatever was recorded of it.
#include "tracing/recordings/archive/process/thread_state.h"

#include <gtest/gtest.h>

#include <string>

namespace holos::archive {
namespace {

using State = ThreadState<char>;
constexpr TaskNumber kTask{0, 0, 1};
constexpr TaskNumber kOther{0, 1, 1};

class ThreadStateTest : public ::testing::Test {
  protected:
    /// Regions are letters; of those that end with another one there is a `!` behind each.
    std::string leave(char region) {
        std::string ended;
        const bool isOpen = state_.leave([region](char one) { return one == region; },
                                         [&ended](char one, bool isLast) {
                                             ended += one;
                                             if (!isLast) ended += '!';
                                         });
        return isOpen ? ended : "not open";
    }
    std::string complete(const TaskNumber& task) {
        std::string ended;
        state_.complete(task, [&ended](char one) { ended += one; });
        return ended;
    }
    std::string open() const { return {state_.open().begin(), state_.open().end()}; }
    std::string all() const {
        const std::vector<char> all = state_.all();
        return {all.begin(), all.end()};
    }
    /// Teams are `f` and `t` with their number, tasks `c` with their generation.
    std::string endAll() {
        struct {
            void endRegion(char one) { text += one; }
            void endTeam(const State::Team& one) {
                text += (one.isFork ? 'f' : 't') + std::to_string(one.number);
            }
            void endTask(const TaskNumber& one) { text += 'c' + std::to_string(one.generation); }
            std::string text;
        } ends;
        state_.endAll(ends);
        return ends.text;
    }
    std::uint32_t team() const { return state_.team() != nullptr ? state_.team()->number : 0; }

    State state_;
};

TEST_F(ThreadStateTest, regionThatIsLeft_endsThoseWithinItToo) {
    for (const char one : {'A', 'B', 'C', 'D'}) state_.enter(one);
    EXPECT_EQ(leave('B'), "D!C!B");
    EXPECT_EQ(open(), "A");
}

TEST_F(ThreadStateTest, regionOfWhichTheEnterIsMissing_endsNothing) {
    state_.enter('A');
    EXPECT_EQ(leave('B'), "not open");
    EXPECT_EQ(open(), "A");
}

TEST_F(ThreadStateTest, regionThatIsOpenTwice_innermostIsLeft) {
    for (const char one : {'A', 'B', 'A'}) state_.enter(one);
    EXPECT_EQ(leave('A'), "A");
    EXPECT_EQ(open(), "AB");
}

TEST_F(ThreadStateTest, tasks_haveRegionsOfTheirOwnThatWait) {
    state_.enter('A');
    state_.switchTo(kTask);
    state_.enter('T');
    EXPECT_EQ(leave('A'), "not open");  // it is around the task
    EXPECT_EQ(all(), "AT");
    state_.switchTo(kOther);
    EXPECT_EQ(open(), "");
    state_.switchTo({});
    EXPECT_EQ(open(), "A");
    state_.switchTo(kTask);
    EXPECT_EQ(open(), "T");
}

TEST_F(ThreadStateTest, ownShareOfAnyTeam_isOne) {
    state_.enter('A');
    state_.switchTo(kTask);
    state_.switchTo({3, 2, 0});
    EXPECT_EQ(open(), "A");
    EXPECT_EQ(complete({3, 2, 0}), "");  // it is no explicit task
    EXPECT_EQ(open(), "A");
}

TEST_F(ThreadStateTest, ownShareOfATeamThatBeganInATask_isPartOfThatTask) {
    constexpr std::uint32_t kInner = 7;
    state_.beginTeam(false, kTask.team);
    state_.enter('A');
    state_.switchTo(kTask);
    state_.enter('T');
    state_.beginTeam(false, kInner);
    state_.enter('B');
    const TaskNumber inner{kInner, 0, 1};
    state_.switchTo(inner);
    state_.enter('I');
    EXPECT_EQ(all(), "ATBI");
    EXPECT_EQ(complete(inner), "I");
    EXPECT_EQ(open(), "TB");
    state_.switchTo({kInner, 0, 0});
    EXPECT_EQ(open(), "TB");
    state_.endTeam(false);
    EXPECT_EQ(complete(kTask), "BT");
    EXPECT_EQ(open(), "A");
}

TEST_F(ThreadStateTest, taskOfATeamThatBeganInATask_endsBeforeIt) {
    state_.beginTeam(false, kTask.team);
    state_.switchTo(kTask);
    state_.enter('T');
    state_.beginTeam(false, 7);
    state_.enter('B');
    state_.switchTo({7, 0, 2});
    state_.enter('I');
    EXPECT_EQ(endAll(), "Ic2Bt7Tc" + std::to_string(kTask.generation) + "t" + std::to_string(kTask.team));
}

TEST_F(ThreadStateTest, taskThatCompletes_endsWithItsRegions) {
    state_.enter('A');
    state_.switchTo(kTask);
    state_.enter('T');
    state_.enter('U');
    EXPECT_EQ(complete(kTask), "UT");
    EXPECT_EQ(open(), "A");
    state_.switchTo(kTask);  // as if nothing had been
    EXPECT_EQ(open(), "");
}

TEST_F(ThreadStateTest, taskThatCompletesElsewhere_waitsNoLonger) {
    state_.switchTo(kTask);
    state_.enter('T');
    state_.switchTo(kOther);
    state_.enter('O');
    EXPECT_EQ(complete(kTask), "");
    EXPECT_EQ(open(), "O");
    state_.switchTo(kTask);
    EXPECT_EQ(open(), "");
}

TEST_F(ThreadStateTest, teams_innermostIsTheOneThatIsNoFork) {
    EXPECT_EQ(team(), 0U);
    state_.beginTeam(true, 9);
    state_.beginTeam(false, 5);
    state_.beginTeam(true, 9);
    EXPECT_EQ(team(), 5U);
    state_.beginTeam(false, 6);
    EXPECT_EQ(team(), 6U);
    state_.endTeam(false);
    EXPECT_EQ(team(), 5U);
}

TEST_F(ThreadStateTest, endOfATeamWithoutItsBegin_endsNothing) {
    state_.beginTeam(true, 9);
    state_.endTeam(false);
    EXPECT_EQ(endAll(), "f9");
}

/// In which the join is missing: the team has ended, and is not ended again.
TEST_F(ThreadStateTest, endOfATeamWithAForkInIt_endsTheTeamOnce) {
    state_.beginTeam(false, 5);
    state_.beginTeam(true, 9);
    state_.endTeam(false);
    EXPECT_EQ(team(), 0U);
    EXPECT_EQ(endAll(), "f9");
}

TEST_F(ThreadStateTest, everything_endsInReverseOfItsBegin) {
    state_.enter('A');
    state_.beginTeam(true, 9);
    state_.beginTeam(false, 5);
    state_.enter('B');
    state_.switchTo(kTask);
    state_.enter('T');
    state_.beginTeam(true, 9);
    state_.enter('U');
    EXPECT_EQ(endAll(), "Uf9Tc1Bt5f9A");
    EXPECT_EQ(all(), "");
    EXPECT_EQ(endAll(), "");
}

/// As in a parallel region that began in a task of which the thread has recorded the end only.
TEST_F(ThreadStateTest, teamOfATaskThatCompleted_isForgotten) {
    state_.enter('A');
    state_.switchTo(kTask);
    state_.beginTeam(false, 5);
    complete(kTask);
    EXPECT_EQ(endAll(), "A");
}

TEST_F(ThreadStateTest, forgotten_nothingIsOpen) {
    state_.enter('A');
    state_.beginTeam(false, 5);
    state_.switchTo(kTask);
    state_.enter('T');
    state_.forget();
    EXPECT_EQ(all(), "");
    EXPECT_EQ(team(), 0U);
    EXPECT_EQ(endAll(), "");
    state_.switchTo(kTask);
    EXPECT_EQ(open(), "");
}

}  // namespace
}  // namespace holos::archive
