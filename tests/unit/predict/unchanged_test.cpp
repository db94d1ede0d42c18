// SPDX-License-Identifier: BSD-3-Clause
// A replay without changes gives the recorded run.
#include <gtest/gtest.h>

#include "tests/support/faulty_runs.h"
#include "tests/support/known_trace.h"
#include "tests/support/large_trace.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Nothing happens at another time than recorded.
void expectUnchanged(const TraceBuilder& trace) {
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), run.recorded());
    EXPECT_FALSE(run.predict({}).changesAnything());
    EXPECT_EQ(run.predictor().facts().contradicted, 0);
    EXPECT_EQ(run.predictor().facts().circular, 0);
}

class FaultyReplay : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultyReplay, withoutChanges_isTheRecording) {
    for (unsigned variant = 0; variant < 4; ++variant) expectUnchanged(*faultyRun(GetParam(), variant).trace);
}

INSTANTIATE_TEST_SUITE_P(OfEachFault, FaultyReplay,
                         ::testing::Values(Fault::LateOne, Fault::Gradient, Fault::WrongOrder, Fault::Serial,
                                           Fault::Lock, Fault::SlowNode, Fault::GrowingImbalance,
                                           Fault::SmallMessages, Fault::None));

TEST(LargeReplay, teamsAndMessages_areTheRecording) {
    const TemporaryDirectory directory;
    const analyzer::Predictor predictor(writeLargeTrace(
        directory.path(), {.processes = 3, .rounds = 20, .threads = 2, .parallelsPerRound = 3}));
    EXPECT_EQ(predictor.facts().replayed, predictor.facts().recorded);
    EXPECT_FALSE(predictor.predict({}).changesAnything());
}

TEST(DamagedReplay, receiveBeforeItsSend_isKeptAndCounted) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").recv(4, 5, {.peer = 0}).leave(20);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 20);
    EXPECT_EQ(run.predictor().facts().contradicted, 1);
}

TEST(DamagedReplay, sendWithoutReceive_isCounted) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").leave(20);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 20);
    EXPECT_EQ(run.predictor().facts().unmatched, 1);
}

}  // namespace
}  // namespace holos::testing
