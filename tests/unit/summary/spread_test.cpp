// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/spread.h"

#include <gtest/gtest.h>

#include "algebra/insight/summary/late_titles.h"

namespace holos::algebra {
namespace {

using Shape = Spread::Shape;

/// Members of these values, so many on each node.
std::vector<Member> members(const std::vector<double>& values, std::size_t perNode = 100) {
    std::vector<Member> all;
    for (std::size_t i = 0; i < values.size(); ++i)
        all.push_back({"MPI Rank " + std::to_string(i), values[i], {LocationId(i)}, i / perNode, false});
    return all;
}

TEST(Spread, equalValues_areEven) {
    EXPECT_EQ(spreadOf(members({5, 5.1, 4.9, 5})).shape, Shape::Even);
    EXPECT_EQ(spreadOf(members({})).shape, Shape::Even);
    EXPECT_EQ(spreadOf(members({0, 0})).shape, Shape::Even);
}

TEST(Spread, oneLarger_isOne) {
    const Spread found = spreadOf(members({5, 5.1, 9, 4.9}));
    EXPECT_EQ(found.shape, Shape::One);
    EXPECT_EQ(found.members, std::vector<std::size_t>{2});
    EXPECT_DOUBLE_EQ(found.theirs, 9);
    EXPECT_DOUBLE_EQ(found.others, 5);
}

TEST(Spread, oneOfTwo_isOne) {
    EXPECT_EQ(spreadOf(members({1, 2})).shape, Shape::One);
}

TEST(Spread, ofTwo_isToldOfTheOtherOne) {
    const auto text = [](const std::vector<double>& values) {
        const std::vector<Member> all = members(values);
        return spreadText(spreadOf(all), all, Experiment{});
    };
    EXPECT_EQ(text({1, 2}), "MPI Rank 1 takes 2.00 s, the other one 1.00 s");
    EXPECT_EQ(text({1, 2, 1}), "MPI Rank 1 takes 2.00 s, the others 1.00 s on average");
    EXPECT_EQ(text({2, 1, 2}), "MPI Rank 0 and MPI Rank 2 take 2.00 s, the other one 1.00 s");
    EXPECT_EQ(text({2, 0.1, 2.2}), "MPI Rank 0 and MPI Rank 2 take 2.10 s on average, the other one 100 ms");
}

TEST(Spread, growingWithTheNumber_isAGradient) {
    const Spread found = spreadOf(members({1, 2.1, 2.9, 4, 5}));
    EXPECT_EQ(found.shape, Shape::Gradient);
    EXPECT_EQ(found.members, std::vector<std::size_t>{4});
    EXPECT_EQ(spreadOf(members({5, 4, 3, 2, 1})).members, std::vector<std::size_t>{0});
}

/// Of three that differ by chance one in three stands in such a row.
TEST(Spread, threeThatDiffer_areEachNamedAndNoGradient) {
    const std::vector<std::vector<double>> both{{1, 2, 3}, {3, 2, 1}};
    for (const std::vector<double>& values : both) {
        const std::vector<Member> all = members(values);
        const Spread found = spreadOf(all);
        EXPECT_EQ(found.shape, Shape::Irregular);
        const bool isRising = values.front() < values.back();
        EXPECT_EQ(spreadText(found, all, Experiment{}),
                  isRising ? "MPI Rank 2 takes 3.00 s, MPI Rank 1 2.00 s and MPI Rank 0 1.00 s"
                           : "MPI Rank 0 takes 3.00 s, MPI Rank 1 2.00 s and MPI Rank 2 1.00 s");
    }
}

TEST(Spread, gradient_isNamedByItsDirection) {
    EXPECT_EQ(titleOfLateOnes(spreadOf(members({1, 2, 3, 4})), false, "work"),
              "Each process works longer than the one before, and all wait for the last");
    EXPECT_EQ(titleOfLateOnes(spreadOf(members({4, 3, 2, 1})), true, "sleep"),
              "Each thread sleeps less than the one before, and all wait for the first");
}

/// The line through these explains most of how they differ, and yet the second one has less than the first.
TEST(Spread, growingButForOne_isNoGradient) {
    EXPECT_NE(spreadOf(members({0.807, 0.578, 1.274, 1.790})).shape, Shape::Gradient);
    EXPECT_EQ(spreadOf(members({1, 0.95, 2, 3})).shape, Shape::Gradient);
}

TEST(Spread, thoseOfOneNodeLarger_isTheNode) {
    const Spread found = spreadOf(members({1, 1, 2, 2, 1, 1}, 2));
    EXPECT_EQ(found.shape, Shape::Node);
    EXPECT_EQ(found.members, (std::vector<std::size_t>{2, 3}));
}

TEST(Spread, everySecondLarger_isParity) {
    EXPECT_EQ(spreadOf(members({1, 2, 1, 2, 1, 2})).shape, Shape::Parity);
}

TEST(Spread, severalLarger_areFew) {
    const Spread found = spreadOf(members({1, 3, 1, 1, 3, 3, 1, 1}));
    EXPECT_EQ(found.shape, Shape::Few);
    EXPECT_EQ(found.members, (std::vector<std::size_t>{1, 4, 5}));
}

TEST(Spread, borderOfAGridLarger_isTheBorder) {
    auto all = members({3, 1, 1, 3, 3, 1, 1, 3});
    for (const std::size_t at : {0, 3, 4, 7}) all[at].isAtBorder = true;
    EXPECT_EQ(spreadOf(all).shape, Shape::Border);
}

TEST(Spread, noShape_isIrregularAndNamesTheLargest) {
    const Spread found = spreadOf(members({1, 7, 3, 9, 2, 8, 4, 6.5, 1.5, 5}));
    EXPECT_EQ(found.shape, Shape::Irregular);
    EXPECT_EQ(found.members, std::vector<std::size_t>{3});
}

}  // namespace
}  // namespace holos::algebra
