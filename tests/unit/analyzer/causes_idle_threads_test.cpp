// SPDX-License-Identifier: BSD-3-Clause
// What it costs that all other threads are idle while a master works alone, in traces that lost something.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kLate = "!$omp parallel @x.c:1";
constexpr auto* kSound = "!$omp parallel @x.c:2";

// The first team's parallel region begins after its join, and after another team: it ends no serial section.
//
//   main ┤fork ······ join├ main ┤fork sound join├ main ┤ late ├ main
//        1                3      5               8      10     14    20
//
// Sections: 0 to 5, and 8 to 20. Management of the late region, which begins 9 after its fork, counts for it
// instead of the caller, which has no more left than nothing in the second one.
TEST(IdleThreads, regionBeginsAfterItsJoin_sectionEndsAtTheNextForkInItsPlace) {
    TraceBuilder trace(1, 2);
    const auto late = trace.team(0, {0, 1});
    const auto sound = trace.team(0, {0, 1});
    trace.on(0).enter(0, "main").fork(1, 2).teamBegin(1, late).join(3);
    trace.on(0).fork(5, 2).teamBegin(5, sound).enter(5, kSound).leave(8).teamEnd(8, sound).join(8);
    trace.on(0).enter(10, kLate).leave(14).teamEnd(14, late).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_ompidle", "main", 0), 0.005, kExact);
    EXPECT_NEAR(found.at("delay_ompidle", std::string("main/") + kSound, 0), 0, kExact);
    EXPECT_NEAR(found.at("delay_ompidle", std::string("main/") + kLate, 0), 0.004 + 0.009, kExact);
}

/// Thread 0 works alone until 8, and with thread 1 of its team until 11. Thread 2 is one that it made.
void addMasterAndWorker(TraceBuilder& trace) {
    const auto team = trace.team(0, {0, 1});
    trace.on(0, 0).enter(0, "main").fork(8, 2).teamBegin(8, team).call(8, 11, kSound);
    trace.on(0, 0).teamEnd(11, team).join(11).leave(11);
    trace.on(0, 1).teamBegin(8, team).call(8, 11, kSound).teamEnd(11, team);
}

TEST(IdleThreads, threadThatTheProgramMade_isNotIdleWhileTheMasterWorks) {
    TraceBuilder trace(1, 3);
    addMasterAndWorker(trace);
    const auto made = trace.team(0, {2, 0});
    const auto begun = trace.timestamp(2);
    trace.on(0, 2).record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadBegin(out, nullptr, begun, made, 1); });
    trace.on(0, 2).call(2, 11, "body");
    EXPECT_NEAR(Findings(trace).at("delay_ompidle", "main", 0), 0.008, kExact);
}

/// There, no time of idle threads is counted.
TEST(IdleThreads, programThatStartsThreadsItself_paysForNone) {
    TraceBuilder trace(1, 2);
    trace.region("pthread_create", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    trace.on(0).enter(0, "main").call(1, 2, "pthread_create").fork(8, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(8).call(8, 11, kSound).teamEnd(11);
    trace.on(0).join(11).leave(11);
    const Findings found(trace);
    EXPECT_EQ(found.total("omp_idle_threads"), 0);
    EXPECT_EQ(found.total("delay_ompidle_aggregate"), 0);
}

/// Nobody is idle while the region lasts, whose join is missing.
TEST(IdleThreads, masterThatIsKilledInATeam_paysUntilThatAtMost) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(8, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(8).call(8, 30, kSound).teamEnd(30);
    trace.on(0).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_idle_threads"), 0.008, kExact);
    EXPECT_EQ(found.at("delay_ompidle", std::string("main/") + kSound, 0), 0);
}

TEST(IdleThreads, threadOfOpenMpInNoTeam_isIdleWhileTheMasterWorks) {
    TraceBuilder trace(1, 3);
    addMasterAndWorker(trace);
    EXPECT_NEAR(Findings(trace).at("delay_ompidle", "main", 0), 0.016, kExact);
}

/// As threads of the runtime system that help, whose time is not part of what teams leave unused.
TEST(IdleThreads, threadOfOpenMpInNoTeamThatWorks_isNotIdleWhileTheMasterWorks) {
    TraceBuilder trace(1, 3);
    trace.limitUsualTeams(2);
    addMasterAndWorker(trace);
    trace.on(0, 2).call(2, 5, "!$omp task @t.c:1");
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_ompidle", "main", 0), 0.008, kExact);
    EXPECT_NEAR(found.total("time"), 2 * 0.011 + 0.003, kExact);
}

/// Thread 1 is in it from 0 to 8, in the first one of two parallel regions; its call path comes behind
/// theirs.
TEST(IdleThreads, functionThatOnlyALaterThreadCalls_isInItsRegion) {
    TraceBuilder trace(1, 2);
    trace.callingContext("main");  // as our recorder's traces have them
    trace.on(0).enter(0, "main");
    for (const auto& [begin, region] : {std::pair{Tick{0}, "!$omp parallel @x.c:1"}, {10, kSound}}) {
        trace.on(0).fork(begin, 2);
        for (unsigned thread = 0; thread < 2; ++thread) {
            auto& script = trace.on(0, thread).teamBegin(begin).enter(begin, region);
            if (thread == 1 && begin == 0) script.call(0, 8, "late");
            script.leave(begin + 10).teamEnd(begin + 10);
        }
        trace.on(0).join(begin + 10);
    }
    trace.on(0).leave(20);
    const Findings found(trace);
    EXPECT_EQ(found.total("omp_idle_threads"), 0);
    EXPECT_NEAR(found.total("time"), 0.040, kExact);
}

}  // namespace
}  // namespace holos::testing
