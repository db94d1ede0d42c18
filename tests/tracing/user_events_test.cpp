// SPDX-License-Identifier: BSD-3-Clause
// What a program says of itself by `holos/holos.h`: `programs/user.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

TEST(RecordedUser, phasesParametersMetricsAndPause_exactSequence) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/user"));
    EXPECT_THAT(events.at(0), ::testing::ElementsAre("ENTER before", "LEAVE before",                 //
                                                     "ENTER iteration", "PARAMETER_INT64 number 7",  //
                                                     "METRIC queue -3", "METRIC energy 0",           //
                                                     "METRIC queue -2", "METRIC energy 1.5",         //
                                                     "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                                                     "ENTER seen", "LEAVE seen", "LEAVE iteration",  //
                                                     "ENTER after", "LEAVE after"));
}

TEST(RecordedUser, onlyAPhase_nothingOutsideOfIt) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/user", {}, {"--phase", "seen"}));
    EXPECT_THAT(events.at(0), ::testing::ElementsAre("MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                                                     "ENTER seen", "LEAVE seen", "MEASUREMENT_ON_OFF OFF"));
}

TEST(RecordedUser, regionThatAFilterLeavesOut_isDefinedOnce) {
    const TemporaryDirectory directory;
    const auto filter = directory.path() / "some.filter";
    std::ofstream(filter) << "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE hidden\nSCOREP_REGION_NAMES_END\n";
    // The program fails where it is defined more often.
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/filtered", {}, {"--filter", filter}));
    EXPECT_THAT(events.at(0), ::testing::ElementsAre("ENTER kept", "LEAVE kept", "ENTER kept", "LEAVE kept",
                                                     "ENTER kept", "LEAVE kept"));
}

TEST(RecordedUser, onlyTheBegin_whatIsOpenThenEndsThere) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/two_seconds", {}, {"--first", "600ms"}));
    EXPECT_THAT(events.at(0),
                ::testing::ElementsAre("ENTER early", "LEAVE early", "ENTER lasting", "LEAVE lasting"));
}

/// The second thread is in its region from within the first phase into the second one.
TEST(RecordedUser, onlyAPhase_otherThreadsAreSwitchedOffAndOnToo) {
    const TemporaryDirectory directory;
    const auto events =
        recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/phases", {}, {"--phase", "iteration"}));
    ASSERT_EQ(events.size(), 2u);
    EXPECT_THAT(with(events.begin()->second, {"iteration", "MEASUREMENT"}),
                ::testing::ElementsAre("MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON", "ENTER iteration",
                                       "LEAVE iteration", "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                                       "ENTER iteration", "LEAVE iteration", "MEASUREMENT_ON_OFF OFF"));
    EXPECT_THAT(with(events.rbegin()->second, {"task", "MEASUREMENT"}),
                ::testing::ElementsAre("ENTER task", "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON",
                                       "LEAVE task"));
}

}  // namespace
}  // namespace holos::testing
