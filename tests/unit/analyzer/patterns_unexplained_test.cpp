// SPDX-License-Identifier: BSD-3-Clause
// What calls take beyond all waits, and beyond what such calls cost in the run.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kUnexplained = "mpi_point2point_unexplained";

/// Twenty messages that take a tick at each end, and one more: rank 0 sends it at a time, rank 1 receives it
/// from 300 on, and both are done at 350.
Findings messagesOfATickAndOne(Tick sends) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick i = 0; i < 20; ++i) {
        trace.on(0).send(10 * i, 10 * i + 1, {.peer = 1});
        trace.on(1).recv(10 * i + 2, 10 * i + 3, {.peer = 0});
    }
    trace.on(0).send(sends, 350, {.peer = 1}).leave(400);
    trace.on(1).recv(300, 350, {.peer = 0}).leave(400);
    return Findings(trace);
}

TEST(Unexplained, callThatTakesMuchLongerThanUsualWithoutAWait_isTheRest) {
    const Findings found = messagesOfATickAndOne(300);
    EXPECT_NEAR(found.at(kUnexplained, "main/MPI_Send", 0), 0.049, kExact);
    EXPECT_NEAR(found.at(kUnexplained, "main/MPI_Recv", 1), 0.049, kExact);
}

TEST(Unexplained, callThatWaits_isExplained) {
    const Findings found = messagesOfATickAndOne(349);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.049, kExact);
    EXPECT_EQ(found.total(kUnexplained), 0);
}

TEST(Unexplained, callThatTakesThreeTimesTheUsual_isNothing) {
    EXPECT_EQ(messagesOfATickAndOne(347).total(kUnexplained), 0);
}

/// The recorder's own time is none of the call's.
TEST(Unexplained, callInWhichTheRecorderMadeRoom_isTheRest) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick i = 0; i < 20; ++i) {
        trace.on(0).send(10 * i, 10 * i + 1, {.peer = 1});
        trace.on(1).recv(10 * i + 2, 10 * i + 3, {.peer = 0});
    }
    trace.on(0).enter(300, "MPI_Send").sent(300, {.peer = 1});
    trace.on(0).record([from = trace.timestamp(301), until = trace.timestamp(341)](auto* out) {
        return OTF2_EvtWriter_BufferFlush(out, nullptr, from, until);
    });
    trace.on(0).leave(350).leave(400);
    trace.on(1).recv(300, 350, {.peer = 0}).leave(400);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main/MPI_Send", 0), 0.030, kExact);
    EXPECT_NEAR(found.at(kUnexplained, "main/MPI_Send", 0), 0.009, kExact);
}

/// Of one call alone nothing is known.
TEST(Unexplained, runOfOneMessage_isNothing) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 50, {.peer = 1}).leave(60);
    trace.on(1).enter(0, "main").recv(1, 50, {.peer = 0}).leave(60);
    EXPECT_EQ(Findings(trace).total(kUnexplained), 0);
}

}  // namespace
}  // namespace holos::testing
