// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(EarlyScan, lowerRankLate_higherOnesWaitForIt) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").collective(5, 10, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    trace.on(1).enter(0, "main").collective(1, 10, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    trace.on(2).enter(0, "main").collective(7, 10, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    const Findings found(trace);
    EXPECT_EQ(found.at("mpi_earlyscan", "main/MPI_Scan", 0), 0);
    EXPECT_NEAR(found.at("mpi_earlyscan", "main/MPI_Scan", 1), 0.004, kExact);  // 5 - 1
    EXPECT_EQ(found.at("mpi_earlyscan", "main/MPI_Scan", 2), 0);
}

TEST(EarlyScan, higherRankLate_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 3, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    trace.on(1).enter(0, "main").collective(5, 6, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_earlyscan"), 0);
}

TEST(EarlyScan, allAtOnce_noWait) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank).enter(0, "main").collective(3, 4, OTF2_COLLECTIVE_OP_EXSCAN, {}).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_earlyscan"), 0);
}

TEST(EarlyScan, lowerRankWithoutData_isNotWaitedFor) {
    TraceBuilder trace(3);
    trace.on(0)
        .enter(0, "main")
        .collective(3, 10, OTF2_COLLECTIVE_OP_EXSCAN, {.sent = 8, .received = 0})
        .leave(12);
    trace.on(1)
        .enter(0, "main")
        .collective(6, 10, OTF2_COLLECTIVE_OP_EXSCAN, {.sent = 0, .received = 8})
        .leave(12);
    trace.on(2).enter(0, "main").collective(1, 10, OTF2_COLLECTIVE_OP_EXSCAN, {}).leave(12);
    EXPECT_NEAR(Findings(trace).at("mpi_earlyscan", "main/MPI_Exscan", 2), 0.002, kExact);  // 3 - 1
}

TEST(EarlyScan, leftBeforeTheLowerRankCame_waitIsTheWholeCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(8, 9, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    trace.on(1).enter(0, "main").collective(2, 5, OTF2_COLLECTIVE_OP_SCAN, {}).leave(12);
    EXPECT_NEAR(Findings(trace).total("mpi_earlyscan"), 0.003, kExact);  // min(8, 5) - 2
}

}  // namespace
}  // namespace holos::testing
