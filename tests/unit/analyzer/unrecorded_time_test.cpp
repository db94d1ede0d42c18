// SPDX-License-Identifier: BSD-3-Clause
// Time in which recording was off is a metric of its own, and part of no other.
#include <gtest/gtest.h>

#include "algebra/insight/findings/efficiencies.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "tests/support/findings.h"
#include "tests/support/joining_trace.h"
#include "tests/support/recording_switch.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kOff = "main/MEASUREMENT OFF";

/// Rank 0 is recorded for 6 of its 20 ms, 4 of them in a function, and sends at 18; rank 1 waits from 10 on.
class UnrecordedTime : public ::testing::Test {
  protected:
    UnrecordedTime() : trace_(2) {
        trace_.on(0).enter(0, "main").call(1, 5, "work");
        trace_.on(0).record(switched(trace_, 5, OTF2_MEASUREMENT_OFF));
        trace_.on(0).record(switched(trace_, 18, OTF2_MEASUREMENT_ON));
        trace_.on(0).send(18, 19, {.peer = 1}).leave(20);
        trace_.on(1).enter(0, "main").recv(10, 19, {.peer = 0}).leave(20);
    }
    TraceBuilder trace_;
};

TEST_F(UnrecordedTime, isAMetricOfItsOwn) {
    const Findings found(trace_);
    EXPECT_NEAR(found.at("unrecorded", kOff, 0), 0.013, kExact);  // 18 - 5
    EXPECT_NEAR(found.total("unrecorded"), 0.013, kExact);
    EXPECT_NEAR(found.total("time"), 0.027, kExact);  // 20 - 13, and 20
    for (const char* metric : {"time", "execution", "comp"})
        EXPECT_EQ(found.at(metric, kOff, 0), 0) << metric;
    EXPECT_NEAR(found.at("comp", "main/work", 0), 0.004, kExact);
}

TEST_F(UnrecordedTime, isNoCause) {
    const Findings found(trace_);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.008, kExact);  // 18 - 10: what happened
    for (const char* metric :
         {"critical_path", "delay_latesender", "critical_path_activities", "performance_impact"})
        EXPECT_EQ(found.at(metric, kOff, 0), 0) << metric;
}

TEST_F(UnrecordedTime, isNotInEfficiencies) {
    const Findings found(trace_);
    const algebra::Efficiencies values =
        algebra::efficiencies(found.result().experiment, analyzer::metricGuide());
    EXPECT_NEAR(values.runtime, 0.020, kExact);
    EXPECT_NEAR(values.parallel, 17.0 / 40, kExact);  // 6 and 11 of twice 20
}

/// A trace of some instances of a phase ends like this.
TEST_F(UnrecordedTime, untilTheEnd_isNoTrouble) {
    trace_.on(0).enter(21, "main").record(switched(trace_, 22, OTF2_MEASUREMENT_OFF));
    trace_.on(0).record([time = trace_.timestamp(30)](OTF2_EvtWriter* out) {
        return OTF2_EvtWriter_ProgramEnd(out, nullptr, time, OTF2_UNDEFINED_INT64);
    });
    const Findings found(trace_);
    EXPECT_TRUE(found.result().diagnoses.empty()) << found.result().diagnoses.front().message;
    EXPECT_NEAR(found.at("unrecorded", kOff, 0), 0.021, kExact);  // 18 - 5, 30 - 22
}

/// Rank 0 is killed after 10 ms, of which nothing is known but of the first; rank 1 computes for 10 ms.
class KilledRank : public ::testing::Test {
  protected:
    KilledRank() : trace_(2) {
        trace_.on(0).enter(0, "main").call(0, 1, "work").call(1, 10, "NO MORE EVENTS").leave(10);
        trace_.on(1).enter(0, "main").call(0, 10, "work").leave(10);
    }
    TraceBuilder trace_;
};

TEST_F(KilledRank, timeAfterItsLastEvent_isOfItsOwnKind) {
    const Findings found(trace_);
    EXPECT_NEAR(found.total("no_more_events"), 0.009, kExact);
    EXPECT_NEAR(found.total("unrecorded"), 0.009, kExact);
    EXPECT_NEAR(found.total("time"), 0.011, kExact);
    EXPECT_NEAR(found.total("comp"), 0.011, kExact);
}

TEST_F(KilledRank, isNotComparedWithOthers) {
    EXPECT_EQ(Findings(trace_).total("imbalance"), 0);
}

TEST_F(KilledRank, timeAfterItsLastEvent_isNoCause) {
    const Findings found(trace_);
    for (const char* metric : {"critical_path", "critical_path_activities", "performance_impact"})
        EXPECT_EQ(found.at(metric, "main/NO MORE EVENTS", 0), 0) << metric;
}

/// What it waited for when it was killed, and whether it still did, nobody knows.
TEST(KilledInACall, timeAfterItsLastEvent_isNotTheCalls) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    for (Tick i = 0; i < 20; ++i) {
        trace.on(0).send(10 * i + 1, 10 * i + 2, {.peer = 1});
        trace.on(1).recv(10 * i + 2, 10 * i + 3, {.peer = 0});
    }
    trace.on(0).enter(300, "MPI_Send").sent(300, {.peer = 1}).call(301, 9000, "NO MORE EVENTS").leave(9000);
    trace.on(0).leave(9000);
    trace.on(1).recv(300, 302, {.peer = 0}).leave(9000);
    const Findings found(trace);
    EXPECT_NEAR(found.total("no_more_events"), 8.699, kExact);
    EXPECT_LE(found.total("mpi_point2point_unexplained"), found.total("mpi_point2point"));
}

LocationScript::Record ended(TraceBuilder& trace, Tick tick) {
    return [time = trace.timestamp(tick)](OTF2_EvtWriter* out) {
        return OTF2_EvtWriter_ProgramEnd(out, nullptr, time, 143);
    };
}

/// Rank 0 is killed in its second call, after which there is nothing; rank 1 returns from its last one.
TEST(KilledInACall, callThatDidNotReturn_isAMetricOfItsOwn) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 3, "MPI_Probe").enter(4, "MPI_Probe").call(4, 10, "NO MORE EVENTS");
    trace.on(0).leave(10).leave(10).record(ended(trace, 10));
    trace.on(1).enter(0, "main").call(1, 9, "MPI_Probe").leave(10).record(ended(trace, 10));
    const Findings found(trace);
    EXPECT_NEAR(found.at("unfinished_calls", "main/MPI_Probe", 0), 0.006, kExact);  // 10 - 4
    EXPECT_NEAR(found.total("unfinished_calls"), 0.006, kExact);
    TraceBuilder whole(1);
    whole.on(0).enter(0, "main").call(1, 9, "MPI_Probe").leave(10).record(ended(whole, 11));
    EXPECT_FALSE(Findings(whole).result().experiment.findMetric("unfinished_calls"));
}

/// The first thread joins the others, of which one works until all are killed, and one waits for a lock, in
/// vain. A third one has ended before.
TEST(KilledInACall, threadThatDidNotReturn_isInTheMetricLikeTheFirstOne) {
    JoiningTrace run(4);
    run.trace.region("pthread_mutex_lock", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_WRAPPER, "PTHREAD"});
    run.trace.region("body", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    for (unsigned thread = 1; thread < 4; ++thread) run.make(0, thread, 1);
    run.on(0).enter(2, "pthread_join").call(10, 20, "NO MORE EVENTS").leave(20).leave(20);
    run.on(0).record(ended(run.trace, 20));
    run.on(1).call(2, 10, "work").call(10, 20, "NO MORE EVENTS").leave(20);
    run.on(2).enter(6, "pthread_mutex_lock").call(10, 20, "NO MORE EVENTS").leave(20).leave(20);
    run.on(3).call(2, 8, "pthread_mutex_lock");
    run.end(3, 8);
    const Findings found(run.trace);
    EXPECT_NEAR(found.at("unfinished_calls", "main/pthread_join", 0, 0), 0.018, kExact);  // 20 - 2
    EXPECT_NEAR(found.at("unfinished_calls", "THREADS/body/pthread_mutex_lock", 0, 2), 0.014,
                kExact);  // 20 - 6
    EXPECT_NEAR(found.total("unfinished_calls"), 0.032, kExact);
}

/// One thread calls `_exit` while another one waits for a lock, in vain, and the first one joins. A third one
/// came back from its call and ended, and a fourth one did when the process ended; of the fifth it is not
/// recorded how it ended, but it did so before.
TEST(EndedInACall, threadThatDidNotReturn_isInTheMetricWithoutAKill) {
    JoiningTrace run(6);
    run.trace.region("pthread_mutex_lock", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_WRAPPER, "PTHREAD"});
    run.trace.region("body", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    for (unsigned thread = 1; thread < 6; ++thread) run.make(0, thread, 1);
    run.on(0).enter(2, "pthread_join").leave(20).record(ended(run.trace, 20));
    run.on(1).call(2, 20, "work").leave(20);
    run.on(2).enter(6, "pthread_mutex_lock").leave(20).leave(20);
    run.on(3).call(2, 8, "pthread_mutex_lock");
    run.end(3, 8);
    run.on(4).call(2, 20, "pthread_mutex_lock");
    run.end(4, 20);
    run.on(5).enter(2, "pthread_mutex_lock").leave(15).leave(15);
    const Findings found(run.trace);
    EXPECT_NEAR(found.at("unfinished_calls", "main/pthread_join", 0, 0), 0.018, kExact);  // 20 - 2
    EXPECT_NEAR(found.at("unfinished_calls", "THREADS/body/pthread_mutex_lock", 0, 2), 0.014,
                kExact);  // 20 - 6
    EXPECT_NEAR(found.total("unfinished_calls"), 0.032, kExact);
}

/// Of a team one thread works in the region, and the other one waits at its barrier until both are killed.
TEST(KilledInACall, constructOfTheProgramsOwnCode_isNoneThatDidNotReturn) {
    TraceBuilder trace(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread) {
        trace.on(0, thread).teamBegin(0).enter(0, "!$omp parallel");
        if (thread == 1) trace.on(0, thread).enter(4, "!$omp barrier");
        trace.on(0, thread).call(6, 9, "NO MORE EVENTS").leave(9);
        if (thread == 1) trace.on(0, thread).leave(9);
        trace.on(0, thread).teamEnd(9);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.total("unfinished_calls"), 0.005, kExact);  // 9 - 4
}

TEST_F(KilledRank, hasNoEfficiencies) {
    const Findings found(trace_);
    EXPECT_THROW(algebra::efficiencies(found.result().experiment, analyzer::metricGuide()), Error);
}

TEST_F(UnrecordedTime, traceThatIsWhole_hasNone) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(20);
    EXPECT_FALSE(Findings(trace).result().experiment.findMetric("unrecorded"));
}

}  // namespace
}  // namespace holos::testing
