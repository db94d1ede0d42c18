// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/settings.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace holos::tracing::core {
namespace {

TEST(Settings, allOfThem_areReadAsTheyWereWritten) {
    Settings told;
    told.compensate = told.multiplex = true;
    told.callPaths = CallPathExtent::Site;
    told.locks = Thinning::Each;
    told.clockOffsetsEvery = 1;
    told.writeBack = 2;
    told.throttle = 0;
    told.throttleBelow = 0.1;
    told.ranks = "0,4-7";
    told.first = std::numeric_limits<std::int64_t>::max();
    told.phase = "time step; 100 %\n= all";
    told.mpi = "p2p";
    told.buffer = std::numeric_limits<std::uint64_t>::max();
    told.whenFull = WhenFull::KeepNewest;
    told.whenDiskLow = WhenDiskLow::Stop;
    told.counters = "page-faults,cpu/event=0x3c/";
    told.sampledCounters = "proc_rss";
    told.sampleInterval = 5;
    told.stackSamples = "10ms";
    told.tracePhase = "step";
    told.traced = {.first = 2, .count = 3, .every = {}, .oneIn = 5, .seed = 6};
    told.diskReserve = 7;
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
    for (std::string text : {";;=;", "throttle", "throttle=", "throttle=-1", "throttle=99999999999",
                             "buffer=1x", "call-paths=7", "when-full=x", "traced=1,2", "traced=1,2,3,4,5,6",
                             "traced=,,,,", "unknown=1", "throttle-below=much", "=1"})
        EXPECT_EQ(decode(text.data()), Settings()) << text;
}

TEST(Settings, percentWithoutDigits_standsForItself) {
    std::string text = "phase=100%;ranks=1%2;mpi=%zz";
    const Settings read = decode(text.data());
    EXPECT_EQ(read.phase, "100%");
    EXPECT_EQ(read.ranks, "1%2");
    EXPECT_EQ(read.mpi, "%zz");
}

}  // namespace
}  // namespace holos::tracing::core
