// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/sampled_code.h"

#include <gmock/gmock.h>

namespace holos::archive {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(UnnamedFunctions, whereMostHaveNoName_filesAndWaysAreSaid) {
    const auto text = howToNameFunctions(
        {{"/usr/lib/libsolver.so.7", 20}, {"/home/me/app", 30}, {"/usr/lib/liba.so", 1}}, 60);
    EXPECT_THAT(text, StartsWith("51 of 60 functions on call paths have no name: those of app (30), "
                                 "libsolver.so.7 (20), liba.so (1). "));
    EXPECT_THAT(text, HasSubstr("-dbgsym"));
    EXPECT_THAT(text, HasSubstr("debuginfo-install"));
    EXPECT_THAT(text, HasSubstr("-g"));
}

TEST(UnnamedFunctions, ofPackagesOrOfOnesOwn_areToldTheirWayOnly) {
    EXPECT_THAT(howToNameFunctions({{"/usr/lib/liba.so", 9}}, 9), Not(HasSubstr("-g ")));
    EXPECT_THAT(howToNameFunctions({{"/home/me/app", 9}}, 9), Not(HasSubstr("dbgsym")));
}

TEST(UnnamedFunctions, ofManyFiles_areThoseOfTheLargest) {
    const auto text = howToNameFunctions({{"/a", 1}, {"/b", 2}, {"/c", 3}, {"/d", 4}, {"/e", 5}}, 15);
    EXPECT_THAT(text, HasSubstr("those of e (5), d (4), c (3) and 2 other files. "));
}

TEST(UnnamedFunctions, fewOrLessThanHalf_areNotWorthANote) {
    EXPECT_EQ(howToNameFunctions({}, 0), "");
    EXPECT_EQ(howToNameFunctions({{"/a", 4}}, 4), "");
    EXPECT_EQ(howToNameFunctions({{"/a", 9}}, 19), "");
    EXPECT_NE(howToNameFunctions({{"/a", 9}}, 18), "");
}

}  // namespace
}  // namespace holos::archive
