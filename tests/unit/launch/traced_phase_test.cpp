// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recorder_settings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace holos::launch {
namespace {

TEST(TracedPhase, nothingAskedFor_noName) {
    EXPECT_EQ(tracedPhase("", {}, "run").name, "");
}

TEST(TracedPhase, firstAndCount_withAndWithoutDistance) {
    const TracedPhase once = tracedPhase("step:10+2", {}, "run");
    EXPECT_EQ(once.name, "step");
    EXPECT_EQ(once.chosen.first, 10U);
    EXPECT_EQ(once.chosen.count, 2U);
    EXPECT_EQ(tracedPhase("a:step:10+2/100", {}, "run").name, "a:step");
    EXPECT_EQ(tracedPhase("step:10+2/100", {}, "run").chosen.every, 100U);
    EXPECT_EQ(tracedPhase("step:1+3/3", {}, "run").chosen.every, 3U);
}

TEST(TracedPhase, share_isDrawnEquallyInOneRunAndAnewInTheNext) {
    const TracedPhase one = tracedPhase("step", 20, "run");
    EXPECT_EQ(one.name, "step");
    EXPECT_TRUE(one.chosen.areAtRandom());
    EXPECT_EQ(one.chosen.seed, tracedPhase("step", 20, "run").chosen.seed);
    EXPECT_NE(one.chosen.seed, tracedPhase("step", 20, "other run").chosen.seed);
}

TEST(TracedPhase, otherTexts_areRefused) {
    for (const char* text : {"step", "step:", "step:1", "step:0+1", "step:1+0", "step:1+5/3", "step:1+1/",
                             ":1+1", "step:1+1x", "step:-1+1"})
        EXPECT_THROW(tracedPhase(text, {}, "run"), UsageError) << text;
    EXPECT_THROW(tracedPhase("", 5, "run"), UsageError);
}

}  // namespace
}  // namespace holos::launch
