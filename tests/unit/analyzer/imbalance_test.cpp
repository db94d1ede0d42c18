// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(Imbalance, unequalWork_isOverloadAndUnderload) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 6, "work").leave(6);
    trace.on(1).enter(0, "main").call(0, 2, "work").leave(2);
    const Findings found(trace);
    EXPECT_NEAR(found.at("imbalance_above", "main/work", 0), 0.002, kExact);  // 6 - 4
    EXPECT_NEAR(found.at("imbalance_below", "main/work", 1), 0.002, kExact);  // 4 - 2
    EXPECT_NEAR(found.total("imbalance"), 0.004, kExact);
    EXPECT_EQ(found.total("imbalance_below_bypass"), 0);
}

TEST(Imbalance, equalWork_isNone) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").call(0, 6, "work").leave(6);
    EXPECT_EQ(Findings(trace).total("imbalance"), 0);
}

TEST(Imbalance, workOfOneAlone_isSingularityOfTheOthers) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 6, "work").leave(6);
    for (unsigned rank = 1; rank < 3; ++rank) trace.on(rank).enter(0, "main").leave(0);
    const Findings found(trace);
    EXPECT_NEAR(found.at("imbalance_above_single", "main/work", 0), 0.004, kExact);  // 2 · 2
    EXPECT_NEAR(found.at("imbalance_below_bypass", "main/work", 1), 0.002, kExact);
    EXPECT_NEAR(found.at("imbalance_below_singularity", "main/work", 2), 0.002, kExact);
}

/// Two processes of two threads each, of which one works alone before a parallel region.
TEST(Imbalance, processThatNeverComesToASerialCallPathOfAHybridRun_bypassesIt) {
    TraceBuilder trace(2, 2);
    trace.on(0).enter(0, "main").call(0, 6, "work");
    trace.on(1).enter(0, "main");
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).fork(6, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(rank, thread).teamBegin(6).call(6, 8, "!$omp parallel @x.c:1").teamEnd(8);
        trace.on(rank).join(8).leave(8);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.at("imbalance_above", "main/work", 0), 0.003, kExact);         // 6 - 3
    EXPECT_NEAR(found.at("imbalance_above_single", "main/work", 0), 0.003, kExact);  // 3 · 1
    EXPECT_NEAR(found.at("imbalance_below_bypass", "main/work", 1), 0.003, kExact);
    EXPECT_NEAR(found.at("imbalance_below_singularity", "main/work", 1), 0.003, kExact);
}

/// Threads that the program makes itself, in two processes.
TEST(Imbalance, equalThreadsOfNoTeam_isNone) {
    TraceBuilder trace(2, 3);
    for (unsigned rank = 0; rank < 2; ++rank)
        for (unsigned thread = 0; thread < 3; ++thread) trace.on(rank, thread).call(0, 6, "work");
    EXPECT_NEAR(Findings(trace).total("imbalance"), 0, kExact);
}

TEST(Imbalance, unequalThreadsOfNoTeam_areComparedWithEachOther) {
    TraceBuilder trace(2, 2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank, 0).call(0, 6, "work");
    trace.on(0, 1).call(0, 6, "work");
    trace.on(1, 1).call(0, 2, "work");
    const Findings found(trace);
    EXPECT_NEAR(found.at("imbalance_above", "work", 0, 1), 0.001, kExact);  // 6 - 20 / 4
    EXPECT_NEAR(found.at("imbalance_below", "work", 1, 1), 0.003, kExact);  // 5 - 2
    EXPECT_NEAR(found.total("imbalance_above"), found.total("imbalance_below"), kExact);
}

/// The first thread does something else meanwhile.
TEST(Imbalance, equalWorkOfThreadsBesideTheFirst_isNone) {
    TraceBuilder trace(1, 3);
    trace.on(0, 0).call(0, 9, "serves");
    for (unsigned thread = 1; thread < 3; ++thread) trace.on(0, thread).call(0, 6, "work");
    EXPECT_EQ(Findings(trace).total("imbalance"), 0);
}

/// Before its team begins, in one of two processes.
TEST(Imbalance, workOfATeamsThreadOutsideOfItsRegions_isAsMuchOverloadAsUnderload) {
    TraceBuilder trace(2, 2);
    trace.on(0, 1).call(0, 4, "work");
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main").fork(6, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(rank, thread).teamBegin(6).call(6, 8, "!$omp parallel @x.c:1").teamEnd(8);
        trace.on(rank).join(8).leave(8);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.at("imbalance_above", "work", 0, 1), 0.002, kExact);  // 4 - 2
    EXPECT_NEAR(found.at("imbalance_below", "work", 1), 0.002, kExact);
    EXPECT_NEAR(found.total("imbalance_above"), found.total("imbalance_below"), kExact);
}

/// Its parallel region was not recorded, nor who made it: the first thread of the process stands for it.
TEST(Imbalance, taskThatAWorkerRuns_isNoOverloadOfASingleOne) {
    constexpr auto* kTask = "!$omp task @x.c:3";
    TraceBuilder trace(2, 2);
    trace.on(1, 1).switchTask(0, 7).enter(0, kTask).leave(4).completeTask(4, 7).switchTask(4, 0);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main").fork(6, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(rank, thread).teamBegin(6).call(6, 8, "!$omp parallel @x.c:1").teamEnd(8);
        trace.on(rank).join(8).leave(8);
    }
    const Findings found(trace);
    EXPECT_EQ(found.total("imbalance_above_single"), found.total("imbalance_above"));
    EXPECT_NEAR(found.at("imbalance_below_singularity", std::string("TASKS/") + kTask, 0), 0.002, kExact);
}

}  // namespace
}  // namespace holos::testing
