// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr Share kRoot{.sent = 24, .received = 8, .root = 0};
constexpr Share kLeaf{.sent = 0, .received = 8, .root = 0};

TEST(LateBroadcast, rootLate_othersWaitForIt) {
    TraceBuilder trace(4);
    trace.on(0).enter(0, "main").collective(6, 8, OTF2_COLLECTIVE_OP_BCAST, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(1, 9, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    trace.on(2).enter(0, "main").collective(4, 9, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    trace.on(3).enter(0, "main").collective(7, 9, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    const Findings found(trace);
    EXPECT_EQ(found.at("mpi_latebroadcast", "main/MPI_Bcast", 0), 0);
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Bcast", 1), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Bcast", 2), 0.002, kExact);  // 6 - 4
    EXPECT_EQ(found.at("mpi_latebroadcast", "main/MPI_Bcast", 3), 0);
}

TEST(LateBroadcast, rootFirst_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 2, OTF2_COLLECTIVE_OP_BCAST, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(3, 4, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_latebroadcast"), 0);
}

TEST(LateBroadcast, rootAtOnce_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(3, 4, OTF2_COLLECTIVE_OP_BCAST, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(3, 5, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_latebroadcast"), 0);
}

TEST(LateBroadcast, nothingToSend_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(6, 8, OTF2_COLLECTIVE_OP_BCAST,
                                            {.sent = 0, .received = 0, .root = 0});
    trace.on(0).leave(12);
    trace.on(1).enter(0, "main").collective(1, 9, OTF2_COLLECTIVE_OP_BCAST,
                                            {.sent = 0, .received = 0, .root = 0});
    trace.on(1).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_latebroadcast"), 0);
}

TEST(LateBroadcast, leftBeforeTheRootCame_waitIsTheWholeCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(6, 8, OTF2_COLLECTIVE_OP_BCAST, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(1, 4, OTF2_COLLECTIVE_OP_BCAST, kLeaf).leave(12);
    EXPECT_NEAR(Findings(trace).total("mpi_latebroadcast"), 0.003, kExact);  // min(6, 4) - 1
}

TEST(LateBroadcast, scatterFromRootOfSubcommunicator_waits) {
    TraceBuilder trace(3);
    const auto comm = trace.communicator({2, 1});
    for (const auto operation : {OTF2_COLLECTIVE_OP_SCATTER, OTF2_COLLECTIVE_OP_SCATTERV}) {
        const Tick at = operation == OTF2_COLLECTIVE_OP_SCATTER ? 0 : 20;
        trace.on(0).call(at, at + 10, "main");
        trace.on(1)
            .enter(at, "main")
            .collective(at + 7, at + 8, operation, {.sent = 16, .root = 1, .comm = comm});
        trace.on(1).leave(at + 10);
        trace.on(2)
            .enter(at, "main")
            .collective(at + 3, at + 9, operation, {.sent = 0, .root = 1, .comm = comm});
        trace.on(2).leave(at + 10);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Scatter", 2), 0.004, kExact);   // 7 - 3
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Scatterv", 2), 0.004, kExact);  // 27 - 23
    EXPECT_NEAR(found.total("mpi_latebroadcast"), 0.008, kExact);
}

}  // namespace
}  // namespace holos::testing
