// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kConstruct = "!$omp parallel @test.c:10";
const std::string kParallelPath = std::string("main/") + kConstruct;

/// A parallel region from 5 to 9 that was forked at 2 and joined at 11, in a program from 0 to 12.
void tellParallelRegion(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").fork(2, trace.threads());
    for (unsigned thread = 0; thread < trace.threads(); ++thread)
        trace.on(0, thread).teamBegin(5).enter(5, kConstruct).call(6, 8, "work").leave(9).teamEnd(9);
    trace.on(0).join(11).leave(12);
}

TEST(CallTree, workers_standUnderTheMastersParallelRegion) {
    TraceBuilder trace(1, 3);
    tellParallelRegion(trace);
    const Findings found(trace);
    EXPECT_EQ(found.result().experiment.callTree.size(), 3);  // main, the parallel region, work
    for (unsigned thread = 0; thread < 3; ++thread) {
        EXPECT_NEAR(found.at("time", kParallelPath + "/work", 0, thread), 0.002, kExact);
        EXPECT_EQ(found.at("visits", kParallelPath, 0, thread), 1);
    }
}

TEST(CallTree, forkAndJoin_belongToTheParallelRegion) {
    TraceBuilder trace(1, 2);
    tellParallelRegion(trace);
    const Findings found(trace);
    // 11 - 2 in all, without 2 in `work`; the master's `main` keeps what is left of 12.
    EXPECT_NEAR(found.at("time", kParallelPath, 0, 0), 0.007, kExact);
    EXPECT_NEAR(found.at("time", kParallelPath, 0, 1), 0.007, kExact);
    EXPECT_NEAR(found.at("time", "main", 0, 0), 0.003, kExact);
}

TEST(CallTree, workersOutsideParallelRegions_areIdle) {
    TraceBuilder trace(1, 2);
    tellParallelRegion(trace);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_idle_threads", "main", 0, 1), 0.003,
                kExact);  // as long as the master was alone
    EXPECT_NEAR(found.at("time", "main", 0, 1), 0.003, kExact);
    EXPECT_NEAR(found.total("time"), 2 * 0.012, kExact);
}

/// The flush is the last call path to appear, behind one that is outside of the region.
TEST(CallTree, flushWithinAParallelRegion_leavesNoWorkerIdle) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main");
    for (const Tick begin : {0, 10}) {
        trace.on(0).fork(begin, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(0, thread).teamBegin(begin).enter(begin, kConstruct);
        if (begin == 10)
            trace.on(0).record([flush = trace.timestamp(12), end = trace.timestamp(15)](auto* out) {
                return OTF2_EvtWriter_BufferFlush(out, nullptr, flush, end);
            });
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(0, thread).leave(begin + 8).teamEnd(begin + 8);
        trace.on(0).join(begin + 8);
        if (begin == 0) trace.on(0).call(8, 10, "serial");
    }
    trace.on(0).leave(18);
    const Findings found(trace);
    const std::string flush = kParallelPath + "/TRACE BUFFER FLUSH";
    EXPECT_NEAR(found.at("time", flush, 0, 0), 0.003, kExact);
    EXPECT_EQ(found.at("omp_idle_threads", flush, 0, 1), 0);
    EXPECT_NEAR(found.total("time"), 2 * 0.018, kExact);
}

/// A master that writes its buffer out between the fork and the region, and again before the join.
TEST(CallTree, flushBesideAParallelRegion_isNoPartOfItsManagement) {
    TraceBuilder trace(1, 2);
    const auto flush = [&trace](Tick begin, Tick end) {
        trace.on(0).record([from = trace.timestamp(begin), until = trace.timestamp(end)](auto* out) {
            return OTF2_EvtWriter_BufferFlush(out, nullptr, from, until);
        });
    };
    trace.on(0).enter(0, "main").fork(10, 2);
    flush(11, 14);
    trace.on(0, 0).teamBegin(14).enter(16, kConstruct).leave(20);
    trace.on(0, 1).teamBegin(11).enter(12, kConstruct).leave(20).teamEnd(20);
    flush(21, 28);
    trace.on(0, 0).teamEnd(29);
    trace.on(0).join(30).leave(40);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main", 0, 0), 0.020, kExact);
    EXPECT_NEAR(found.at("time", "main/TRACE BUFFER FLUSH", 0, 0), 0.010, kExact);
    EXPECT_NEAR(found.at("omp_fork", kParallelPath, 0, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("omp_management", kParallelPath, 0, 0), 0.006, kExact);
}

TEST(CallTree, sameRegionCalledFromTwoPlaces_twoCallPaths) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(1, "f").call(2, 4, "g").leave(5).call(6, 9, "g").leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main/f/g", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("time", "main/g", 0), 0.003, kExact);
}

TEST(CallTree, recursion_aCallPathForEachLevel) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "f").enter(1, "f").call(2, 3, "f").leave(5).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.result().experiment.callTree.size(), 3);
    EXPECT_NEAR(found.at("time", "f", 0), 0.006, kExact);      // 10 - (5 - 1)
    EXPECT_NEAR(found.at("time", "f/f", 0), 0.003, kExact);    // (5 - 1) - (3 - 2)
    EXPECT_NEAR(found.at("time", "f/f/f", 0), 0.001, kExact);  // 3 - 2
}

TEST(CallTree, processesWithDifferentCalls_areUnited) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 3, "f").leave(10);
    trace.on(1).enter(0, "main").call(1, 2, "g").call(4, 8, "f").leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.result().experiment.callTree.size(), 3);
    EXPECT_NEAR(found.at("time", "main/f", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("time", "main/f", 1), 0.004, kExact);
    EXPECT_NEAR(found.at("time", "main/g", 1), 0.001, kExact);
    EXPECT_EQ(found.at("time", "main/g", 0), 0);
}

TEST(CallTree, locations_standProcessByProcessMasterFirst) {
    TraceBuilder trace(2, 2);
    const Findings found(trace);
    const auto& system = found.result().experiment.system;
    ASSERT_EQ(system.locations.size(), 4);
    ASSERT_EQ(system.processes.size(), 2);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& location = system.locations[i];
        EXPECT_EQ(location.rank, static_cast<std::int64_t>(i % 2));
        EXPECT_EQ(system[location.process].rank, static_cast<std::int64_t>(i / 2));
    }
}

}  // namespace
}  // namespace holos::testing
