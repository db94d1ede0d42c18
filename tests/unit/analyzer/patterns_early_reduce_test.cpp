// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr Share kRoot{.sent = 8, .received = 24, .root = 0};
constexpr Share kLeaf{.sent = 8, .received = 0, .root = 0};

TEST(EarlyReduce, rootEarly_waitsForTheLast) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").collective(1, 9, OTF2_COLLECTIVE_OP_REDUCE, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_REDUCE, kLeaf).leave(12);
    trace.on(2).enter(0, "main").collective(6, 7, OTF2_COLLECTIVE_OP_REDUCE, kLeaf).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_earlyreduce", "main/MPI_Reduce", 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.total("mpi_earlyreduce"), 0.005, kExact);
}

TEST(EarlyReduce, rootLast_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(6, 9, OTF2_COLLECTIVE_OP_REDUCE, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_REDUCE, kLeaf).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_earlyreduce"), 0);
}

TEST(EarlyReduce, rootAtOnceWithTheLast_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(4, 9, OTF2_COLLECTIVE_OP_REDUCE, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_REDUCE, kLeaf).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_earlyreduce"), 0);
}

TEST(EarlyReduce, lastHasNothingToGive_isNotWaitedFor) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").collective(1, 9, OTF2_COLLECTIVE_OP_GATHERV, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_GATHERV, kLeaf).leave(12);
    trace.on(2).enter(0, "main").collective(6, 7, OTF2_COLLECTIVE_OP_GATHERV,
                                            {.sent = 0, .received = 0, .root = 0});
    trace.on(2).leave(12);
    EXPECT_NEAR(Findings(trace).at("mpi_earlyreduce", "main/MPI_Gatherv", 0), 0.003, kExact);  // 4 - 1
}

TEST(EarlyReduce, rootReceivesNothing_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 9, OTF2_COLLECTIVE_OP_GATHER,
                                            {.sent = 8, .received = 0, .root = 0});
    trace.on(0).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_GATHER, kLeaf).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_earlyreduce"), 0);
}

TEST(EarlyReduce, rootLeftBeforeTheLastCame_waitIsTheWholeCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 3, OTF2_COLLECTIVE_OP_GATHER, kRoot).leave(12);
    trace.on(1).enter(0, "main").collective(4, 5, OTF2_COLLECTIVE_OP_GATHER, kLeaf).leave(12);
    EXPECT_NEAR(Findings(trace).total("mpi_earlyreduce"), 0.002, kExact);  // min(4, 3) - 1
}

}  // namespace
}  // namespace holos::testing
