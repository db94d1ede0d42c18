// SPDX-License-Identifier: BSD-3-Clause
// The experiment of a predicted run.
#include <gtest/gtest.h>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Seconds of a call path alone, of all locations, as ticks.
double at(const algebra::Experiment& experiment, const char* metric, const char* path) {
    const auto id = experiment.findMetric(metric);
    const auto node = algebra::callPathNamed(experiment, path);
    if (!id || !node) return -1;
    return 1000 * algebra::perCallPath(experiment, {*id}, algebra::Extent::Exclusive)[node->index()];
}

/// Rank 0 works in two functions before it sends; rank 1 waits.
TraceBuilder& twoFunctions(TraceBuilder& trace) {
    trace.on(0)
        .enter(0, "main")
        .call(0, 10, "quick")
        .call(10, 30, "slow")
        .send(30, 31, {.peer = 1})
        .leave(40);
    trace.on(1).enter(0, "main").call(0, 5, "work").recv(5, 32, {.peer = 0}).leave(40);
    return trace;
}

TEST(PredictedExperiment, changesWhereTheConditionDoes) {
    TraceBuilder trace(2);
    const Predicted run(twoFunctions(trace));
    const algebra::Experiment changed = run.experiment("speedup slow=4");
    EXPECT_NEAR(at(changed, "time", "main/quick"), 10, 1e-6);
    EXPECT_NEAR(at(changed, "time", "main/slow"), 5, 1e-6);
    EXPECT_NEAR(at(changed, "time", "main/MPI_Send"), 1, 1e-6);
    EXPECT_NEAR(at(changed, "time", "main/work"), 5, 1e-6);
    EXPECT_NEAR(at(changed, "mpi_latesender", "main/MPI_Recv"), 10, 1e-6);  // 15 - 5; 25 as recorded
}

TEST(PredictedExperiment, withoutChange_isTheRecordedOne) {
    TraceBuilder trace(2);
    const Predicted run(twoFunctions(trace));
    const algebra::Experiment same = run.experiment("locks free");
    for (const char* path :
         {"main", "main/quick", "main/slow", "main/MPI_Send", "main/work", "main/MPI_Recv"})
        EXPECT_NEAR(at(same, "time", path), at(run.predictor().recorded(), "time", path), 1e-6) << path;
}

/// A receive that took no time waits when its message comes later.
TEST(PredictedExperiment, callWithoutTime_canWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "work").send(10, 11, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").call(0, 15, "other").recv(15, 15, {.peer = 0}).leave(20);
    const Predicted run(trace);
    const algebra::Experiment changed = run.experiment("speedup work=0.5");
    EXPECT_NEAR(at(changed, "time", "main/other"), 15, 1e-6);
    EXPECT_NEAR(at(changed, "time", "main/MPI_Recv"), 5, 1e-6);
}

}  // namespace
}  // namespace holos::testing
