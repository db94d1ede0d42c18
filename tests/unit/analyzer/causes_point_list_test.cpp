// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/point_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace holos::analyzer::causes {
namespace {

Point message(std::uint64_t event) {
    Point point;
    point.event = event;
    point.wait = static_cast<Ticks>(event) * 1000;
    point.process = 7;
    point.kind = Kind::LateSender;
    return point;
}

Point ofTeam(std::uint64_t event, Kind kind) {
    Point point;
    point.event = event;
    point.wait = static_cast<Ticks>(event) + 1;
    point.before = 3 - static_cast<Ticks>(event);
    point.slice = static_cast<std::uint32_t>(2 * event + 5);
    point.path = 9;
    point.meeting = static_cast<std::uint32_t>(100 + event);
    point.kind = kind;
    return point;
}

void expectEqual(const Point& found, const Point& expected) {
    EXPECT_EQ(found.wait, expected.wait);
    EXPECT_EQ(found.before, expected.before);
    EXPECT_EQ(found.slice, expected.slice);
    EXPECT_EQ(found.path, expected.path);
    EXPECT_EQ(found.meeting, expected.meeting);
    EXPECT_EQ(found.process, expected.process);
    EXPECT_EQ(found.kind, expected.kind);
}

/// Events 0 to `count` − 1, each a point: every fifth one a message, of the others every second one a fork.
std::vector<Point> manyPoints(std::uint64_t count) {
    std::vector<Point> points;
    for (std::uint64_t event = 0; event < count; ++event)
        points.push_back(event % 5 == 4 ? message(event)
                                        : ofTeam(event, event % 2 == 0 ? Kind::Fork : Kind::OmpBarrier));
    return points;
}

PointList listOf(const std::vector<Point>& points) {
    Records<Point> others(heap());
    for (const Point& point : points)
        if (!point.isOmp()) others.push_back(point);
    const std::size_t ofTeams = points.size() - others.size();
    PointListBuilder list(std::move(others), ofTeams, heap());
    for (const Point& point : points)
        if (point.isOmp()) list.append(point, 3);
    return list.take();
}

void expectPoints(const std::vector<Point>& points) {
    const PointList list = listOf(points);
    ASSERT_EQ(list.size(), points.size());
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        SCOPED_TRACE(i);
        expectEqual(list[i], points[i]);
        EXPECT_EQ(list.wait(i), points[i].wait);
        EXPECT_EQ(list.slice(i), points[i].slice);
        EXPECT_EQ(list.path(i), points[i].path);
        EXPECT_EQ(list.meeting(i), points[i].meeting);
        EXPECT_EQ(list.kind(i), points[i].kind);
        EXPECT_EQ(list.start(i).slice, points[i].slice);
        EXPECT_EQ(list.start(i).path, points[i].path);
        EXPECT_EQ(list.start(i).before, points[i].before);
        EXPECT_EQ(list.isOfTeam(i), points[i].isOmp());
        EXPECT_EQ(list.isFork(i), points[i].kind == Kind::Fork);
    }
}

TEST(PointList, none_isEmpty) {
    const PointList list = listOf({});
    EXPECT_EQ(list.size(), 0U);
    EXPECT_FALSE(list.hasTeams());
    EXPECT_EQ(list.lastOfTeam(0), kNone);
}

TEST(PointList, teamsAndMessages_standInTheOrderOfEvents) {
    for (const std::uint64_t count : {1U, 31U, 32U, 33U, 200U}) expectPoints(manyPoints(count));
}

TEST(PointList, numbersTooLarge_comeBackToo) {
    for (const auto change : std::vector<void (*)(Point&)>{
             [](Point& point) { point.wait = Ticks{1} << 32U; },
             [](Point& point) { point.before = -(Ticks{1} << 40U); },
             [](Point& point) { point.slice += 256; },
             [](Point& point) { point.path = 1U << 15U; },
             [](Point& point) { point.path = kNone; },
             [](Point& point) { point.meeting += 100; },
             [](Point& point) { point.meeting = 0; },
         }) {
        std::vector<Point> points = manyPoints(100);
        change(points[50]);
        expectPoints(points);
    }
}

TEST(PointList, others_areFoundBetweenPointsOfTeams) {
    std::vector<Point> points = manyPoints(70);
    for (std::uint64_t event = 70; event < 200; ++event) points.push_back(ofTeam(event, Kind::Fork));
    points.push_back(message(200));
    const PointList list = listOf(points);
    std::uint32_t others = 0;
    for (std::uint32_t i = 0; i < list.size(); ++i)
        if (!list.isOfTeam(i)) {
            EXPECT_EQ(list.otherRank(i), others);
            EXPECT_EQ(list.positionOfOther(others++), i);
        }
    EXPECT_EQ(others, list.others().size());
}

TEST(PointList, lastOfTeam_passesOverMessages) {
    std::vector<Point> points{message(0), ofTeam(1, Kind::Fork)};
    for (std::uint64_t event = 2; event < 100; ++event) points.push_back(message(event));
    points.push_back(ofTeam(100, Kind::OmpBarrier));
    const PointList list = listOf(points);
    EXPECT_EQ(list.lastOfTeam(1), kNone);
    EXPECT_EQ(list.from(1), kNone);
    EXPECT_EQ(list.lastOfTeam(2), 1U);
    EXPECT_EQ(list.lastOfTeam(64), 1U);
    EXPECT_EQ(list.from(100), 1U);
    EXPECT_EQ(list.lastOfTeam(101), 100U);
}

TEST(PointList, nextWait_passesOverPointsWithoutOne) {
    std::vector<Point> points = manyPoints(200);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i != 3 && i != 4 && i != 31 && i != 32 && i != 170) points[i].wait = i % 2 == 0 ? 0 : -1;
    for (Point& point : points)
        if (point.isOmp()) point.wait = std::max<Ticks>(0, point.wait);
    const PointList list = listOf(points);
    std::vector<std::uint32_t> found;
    const auto visit = [&](std::uint32_t i, Ticks wait, std::uint32_t path) {
        EXPECT_EQ(wait, points[i].wait);
        EXPECT_EQ(path, points[i].path);
        found.push_back(i);
    };
    list.visitWaits(4, 170, visit);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{4, 31, 32}));
    list.visitWaits(4, 4, visit);
    list.visitWaits(33, 170, visit);
    EXPECT_EQ(found.size(), 3U);
    list.visitWaits(32, 200, visit);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{4, 31, 32, 32, 170}));
    EXPECT_EQ(list.nextWait(33, 200), 170U);
    EXPECT_EQ(list.nextWait(171, 200), 200U);
    EXPECT_EQ(list.nextWait(200, 200), 200U);
}

TEST(PointList, waitedFor_isFoundWithinItsBounds) {
    constexpr std::uint32_t first = 38;
    constexpr std::uint32_t second = 148;
    std::vector<Point> points = manyPoints(200);
    points[first].isWaitedFor = points[second].isWaitedFor = true;
    const PointList list = listOf(points);
    EXPECT_EQ(list.nextWaitedFor(0, 200), first);
    EXPECT_EQ(list.nextWaitedFor(first + 1, 200), second);
    EXPECT_EQ(list.nextWaitedFor(first + 1, second), second);  // the end: none
    EXPECT_EQ(list.lastWaitedFor(0, 200), second);
    EXPECT_EQ(list.lastWaitedFor(0, second), first);
    EXPECT_EQ(list.lastWaitedFor(first, first + 1), first);
    EXPECT_EQ(list.lastWaitedFor(first + 1, second), kNone);
    EXPECT_EQ(list.lastWaitedFor(0, first), kNone);
    EXPECT_EQ(list.lastWaitedFor(0, 0), kNone);
}

TEST(PointList, barrierAroundAnInnerTeam_isComparedSinceItsOwn) {
    PointListBuilder builder(Records<Point>(heap()), 6, heap());
    constexpr std::uint32_t kOuter = 1;
    constexpr std::uint32_t kInner = 2;
    builder.append(ofTeam(0, Kind::Fork), kOuter);
    builder.append(ofTeam(1, Kind::Fork), kInner);
    builder.append(ofTeam(2, Kind::OmpBarrier), kInner);
    builder.append(ofTeam(3, Kind::OmpBarrier), kOuter);
    builder.append(ofTeam(4, Kind::OmpBarrier), kOuter);
    builder.append(ofTeam(5, Kind::Fork), kInner);
    const PointList list = builder.take();
    EXPECT_EQ(list.from(1), 0U);
    EXPECT_EQ(list.from(2), 1U);
    EXPECT_EQ(list.from(3), 0U);
    EXPECT_EQ(list.from(4), 3U);
    EXPECT_EQ(list.from(5), 4U);
    EXPECT_FALSE(list.isOfTeamsInTurn());
}

TEST(PointList, teamsInTurn_haveNothingBetweenBarriers) {
    std::vector<Point> points;
    for (std::uint64_t event = 0; event < 70; ++event)
        points.push_back(ofTeam(event, event % 2 == 0 ? Kind::Fork : Kind::OmpBarrier));
    const PointList teams = listOf(points);
    EXPECT_TRUE(teams.isOfTeamsInTurn());
    EXPECT_EQ(teams.from(0), kNone);
    for (std::uint32_t i = 1; i < teams.size(); ++i) EXPECT_EQ(teams.from(i), i - 1);
    points.push_back(message(70));
    EXPECT_FALSE(listOf(points).isOfTeamsInTurn());
}

TEST(PointList, find_givesThePositionAmongAll) {
    const PointList list = listOf(manyPoints(200));
    for (std::uint32_t event = 4; event < 200; event += 5)
        EXPECT_EQ(list.find(event, [](const Point& point) { return point.kind == Kind::LateSender; }), event);
}

}  // namespace
}  // namespace holos::analyzer::causes
