// SPDX-License-Identifier: BSD-3-Clause
#include "base/chosen.h"

#include <gmock/gmock.h>

#include <string>
#include <type_traits>

namespace holos {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = Chosen<std::string>;

TEST(Chosen, everything_hasEachValue) {
    const Names all = kAll;
    EXPECT_TRUE(all.isAll());
    EXPECT_TRUE(all.has("a"));
    EXPECT_THAT(all.given(), IsEmpty());
    EXPECT_EQ(all.countOf(5), 5U);
}

TEST(Chosen, values_areThoseOnly) {
    const Names some{"a", "b"};
    EXPECT_FALSE(some.isAll());
    EXPECT_TRUE(some.has("b"));
    EXPECT_FALSE(some.has("c"));
    EXPECT_THAT(some.given(), ElementsAre("a", "b"));
    EXPECT_EQ(some.countOf(5), 2U);
}

TEST(Chosen, nothing_isNotEverything) {
    const Names none = std::vector<std::string>();
    EXPECT_FALSE(none.isAll());
    EXPECT_FALSE(none.has("a"));
    EXPECT_EQ(none.countOf(5), 0U);
    EXPECT_NE(none, Names(kAll));
    static_assert(!std::is_default_constructible_v<Names>);
}

TEST(Chosen, optionThatNobodyGave_isEverything) {
    EXPECT_EQ(Names::orAll({}), Names(kAll));
    EXPECT_EQ(Names::orAll({"a"}), (Names{"a"}));
}

TEST(AtMost, number_isTheMost) {
    const AtMost two = 2;
    EXPECT_EQ(two.of(5), 2U);
    EXPECT_EQ(two.of(1), 1U);
    EXPECT_TRUE(two.wantsMoreThan(1));
    EXPECT_FALSE(two.wantsMoreThan(2));
    EXPECT_FALSE(AtMost(0).wantsMoreThan(0));
    static_assert(!std::is_default_constructible_v<AtMost>);
}

TEST(AtMost, all_hasNoEnd) {
    EXPECT_EQ(AtMost(kAll).of(5), 5U);
    EXPECT_TRUE(AtMost(kAll).wantsMoreThan(1'000'000));
    EXPECT_EQ(AtMost::zeroIsAll(0), AtMost(kAll));
    EXPECT_EQ(AtMost::zeroIsAll(3), AtMost(3));
    EXPECT_EQ(AtMost(kAll).zeroIfAll(), 0U);
}

}  // namespace
}  // namespace holos
