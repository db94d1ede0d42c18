// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "analyzer/clocks/backward.h"

namespace holos::analyzer::clocks {
namespace {

TEST(ShiftedTime, withoutChanges_isTheSameTime) {
    EXPECT_EQ(ShiftedTime().of(42), 42);
}

TEST(ShiftedTime, changed_runsInStraightLinesBetweenCorners) {
    ShiftedTime time;
    time.change({{100, 0}, {200, 50}, {300, 60}});
    EXPECT_EQ(time.of(99), 99);
    EXPECT_EQ(time.of(150), 175);  // 150 + 25
    EXPECT_EQ(time.of(200), 250);
    EXPECT_EQ(time.of(250), 305);  // 250 + 55
    EXPECT_EQ(time.of(360), 360);  // behind the gap of 60
    EXPECT_EQ(time.originOf(175), 150);
}

TEST(ShiftedTime, changedTwice_secondChangeSeesTheFirst) {
    ShiftedTime time;
    time.change({{100, 0}, {200, 50}});
    time.change({{225, 0}, {300, 75}});  // 225 was 175
    EXPECT_EQ(time.of(150), 175);
    EXPECT_EQ(time.of(200), 275);  // 250 + 25
    EXPECT_EQ(time.of(260), 295);  // 260 + 35
    EXPECT_EQ(time.of(400), 400);
}

TEST(AmortizeBackward, roomEnough_beginsWhereTheSlopeIsEnough) {
    const std::vector<Jump> jumps{{.event = 9, .point = 1, .recorded = 1000, .before = 1000, .after = 1100}};
    const ShiftedTime time = amortizeBackward({}, jumps, 0, 0.5);
    EXPECT_EQ(time.of(800), 800);  // 1000 − 100 / 0.5
    EXPECT_EQ(time.of(900), 950);
    EXPECT_EQ(time.of(1100), 1100);
}

TEST(AmortizeBackward, closeToTheBegin_slopeIsSteeper) {
    const std::vector<Jump> jumps{{.event = 9, .point = 1, .recorded = 1000, .before = 1000, .after = 1100}};
    const ShiftedTime time = amortizeBackward({}, jumps, 900, 0.5);
    EXPECT_EQ(time.of(900), 900);
    EXPECT_EQ(time.of(950), 1000);
}

TEST(AmortizeBackward, sendBefore_isNotMovedBeyondItsLimit) {
    const std::vector<Limit> limits{{.point = 0, .time = 900, .latest = 910}};
    const std::vector<Jump> jumps{{.event = 9, .point = 1, .recorded = 1000, .before = 1000, .after = 1100}};
    const ShiftedTime time = amortizeBackward(limits, jumps, 0, 0.5);
    EXPECT_EQ(time.of(850), 855);
    EXPECT_EQ(time.of(900), 910);
    EXPECT_EQ(time.of(950), 1005);  // halfway between 910 and 1100
}

TEST(AmortizeBackward, sendWithoutRoom_staysAndEndsTheStretch) {
    const std::vector<Limit> limits{{.point = 0, .time = 900, .latest = 890}};
    const std::vector<Jump> jumps{{.event = 9, .point = 1, .recorded = 1000, .before = 1000, .after = 1100}};
    const ShiftedTime time = amortizeBackward(limits, jumps, 0, 0.5);
    EXPECT_EQ(time.of(850), 850);
    EXPECT_EQ(time.of(900), 900);
    EXPECT_EQ(time.of(950), 1000);
}

}  // namespace
}  // namespace holos::analyzer::clocks
