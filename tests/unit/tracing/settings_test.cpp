// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/settings.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace holos::tracing::core {
namespace {

TEST(Settings, allOfThem_areReadAsTheyWereWritten) {
    const Settings told{.counters = "page-faults,cpu/event=0x3c/",
                        .sampledCounters = "proc_rss",
                        .sampleInterval = 5,
                        .compensates = true,
                        .multiplexes = true,
                        .stackSamples = "10ms",
                        .callPaths = CallPathExtent::Site,
                        .throttle = 0,
                        .throttleBelow = 0.1,
                        .ranks = "0,4-7",
                        .first = std::numeric_limits<std::int64_t>::max(),
                        .phase = "time step; 100 %\n= all",
                        .tracePhase = "step",
                        .traced = {.first = 2, .count = 3, .every = 4, .oneIn = 5, .seed = 6},
                        .mpiGroups = "p2p",
                        .clockOffsetsEvery = 1,
                        .writeBack = 2,
                        .buffer = std::numeric_limits<std::uint64_t>::max(),
                        .whenFull = WhenFull::KeepNewest,
                        .diskReserve = 7,
                        .stopsWhenDiskLow = true,
                        .eachLock = true};
    std::string text = encode(told);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(decode(text.data()), told);
}

TEST(Settings, usualOnes_needNoText) {
    std::string text = encode({});
    EXPECT_EQ(text, "");
    EXPECT_EQ(decode(text.data()), Settings());
}

TEST(Settings, textThatIsNone_leavesTheUsualOnes) {
    for (std::string text :
         {";;=;", "throttle", "throttle=", "throttle=-1", "throttle=99999999999", "buffer=1x", "call-paths=7",
          "when-full=x", "unknown=1", "throttle-below=much", "=1"})
        EXPECT_EQ(decode(text.data()), Settings()) << text;
}

TEST(Settings, percentWithoutDigits_standsForItself) {
    std::string text = "phase=100%;ranks=1%2;mpi-groups=%zz";
    const Settings read = decode(text.data());
    EXPECT_EQ(read.phase, "100%");
    EXPECT_EQ(read.ranks, "1%2");
    EXPECT_EQ(read.mpiGroups, "%zz");
}

}  // namespace
}  // namespace holos::tracing::core
