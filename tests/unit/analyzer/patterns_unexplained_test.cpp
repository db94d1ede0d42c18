// SPDX-License-Identifier: BSD-3-Clause
// What calls take beyond all waits, and beyond what such calls cost in the run.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/support/findings.h"
#include "tests/support/lawful.h"
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

/// Twenty messages that take a tick at each end; then rank 1 receives one from 300 to 360, and calls a
/// function of the program in that, from 310 to 350, which sends a message itself.
Findings callbackInAReceive(Tick sends) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick i = 0; i < 20; ++i) {
        trace.on(0).send(10 * i, 10 * i + 1, {.peer = 1});
        trace.on(1).recv(10 * i + 2, 10 * i + 3, {.peer = 0});
    }
    trace.on(0).send(sends, sends + 1, {.peer = 1}).recv(sends + 1, 370, {.peer = 1}).leave(400);
    trace.on(1).enter(300, "MPI_Recv").enter(310, "callback").send(320, 321, {.peer = 0}).leave(350);
    trace.on(1).received(360, {.peer = 0}).leave(360).leave(400);
    return Findings(trace);
}

TEST(Unexplained, whatACallCalls_isNoneOfItsTime) {
    const Findings found = callbackInAReceive(300);
    EXPECT_NEAR(found.at("time", "main/MPI_Recv", 1), 0.040, kExact);  // 20 of the others
    EXPECT_NEAR(found.at(kUnexplained, "main/MPI_Recv", 1), 0.019, kExact);
    EXPECT_EQ(brokenLaws(found.result().experiment), "");
}

/// A wait until the sender comes, at 355, is one only as long as nothing is called in it.
TEST(Unexplained, whatACallCalls_isNoPartOfItsWaitEither) {
    const Findings found = callbackInAReceive(355);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.015, kExact);  // 55 - 40
    EXPECT_NEAR(found.at(kUnexplained, "main/MPI_Recv", 1), 0.004, kExact);      // 20 - 15 - 1
    EXPECT_EQ(brokenLaws(found.result().experiment), "");
}

/// Rank 0 runs a function from 2 to 12 while it waits in each of these for rank 1, which comes at 20.
TEST(Unexplained, whatAnyCallThatWaitsCalls_isNoPartOfItsWait) {
    for (const char* name : {"MPI_Barrier", "MPI_Finalize", "MPI_Probe"}) {
        TraceBuilder trace(2);
        for (unsigned rank = 0; rank < 2; ++rank) {
            auto& on = trace.on(rank).enter(0, "main").enter(rank == 0 ? 1 : 20, name);
            if (std::string_view(name) == "MPI_Barrier") on.collectiveBegin(rank == 0 ? 1 : 20);
            if (rank == 0) on.call(2, 12, "callback");
            if (std::string_view(name) == "MPI_Barrier") on.collectiveEnd(20, OTF2_COLLECTIVE_OP_BARRIER, {});
            on.leave(20);
        }
        trace.on(0).recv(20, 21, {.peer = 1}).leave(30);
        trace.on(1).send(20, 21, {.peer = 0}).leave(30);
        const Findings found(trace);
        EXPECT_EQ(brokenLaws(found.result().experiment), "") << name;
        const double waits = found.total("mpi_barrier_wait") + found.total("mpi_finalize_wait") +
                             found.total("mpi_latesender_polling");
        EXPECT_NEAR(waits, 0.009, kExact) << name;  // 20 - 1 - 10
    }
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
