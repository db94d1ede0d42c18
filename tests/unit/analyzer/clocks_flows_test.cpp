// SPDX-License-Identifier: BSD-3-Clause
// Which events follow which where clocks are corrected: operations of unequal exchange, between groups, and
// of windows. One tick is a millisecond; at least 10 of them lie between events that follow each other.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

constexpr double kTolerance = 1e-10;
constexpr Tick kEnd = 100;

analyzer::AnalysisOptions corrected() {
    analyzer::AnalysisOptions options;
    options.correctClocks = analyzer::clocks::ClockParameters{
        .control = 0.5, .step = 0, .message = 0.010, .collective = 0.010, .threads = 0.010, .slope = 0.5};
    return options;
}

/// What one rank does in an operation.
struct Part {
    Tick begin;
    Tick end;
    Share share;
};

Findings operation(OTF2_CollectiveOp operation, const std::vector<Part>& parts) {
    TraceBuilder trace(static_cast<unsigned>(parts.size()));
    for (unsigned rank = 0; rank < parts.size(); ++rank)
        trace.on(rank)
            .enter(0, "main")
            .collective(parts[rank].begin, parts[rank].end, operation, parts[rank].share)
            .leave(kEnd);
    return Findings(trace, corrected());
}

void expectMoved(const Findings& found, std::uint64_t events, double farthest) {
    EXPECT_EQ(found.result().statistics.clockViolations, events);
    EXPECT_NEAR(found.result().statistics.largestCorrection, farthest, kTolerance);
}

TEST(CorrectUnequalExchange, receiverThatNeedsASender_leavesAfterItsBegin) {
    const Findings found = operation(OTF2_COLLECTIVE_OP_ALLTOALLV, {{10, 20, {.sent = 0, .received = 8}},  //
                                                                    {30, 40, {.sent = 8, .received = 0}}});
    expectMoved(found, 1, 0.020);                                               // from 20 to 30 + 10
    EXPECT_NEAR(found.at("time", "main/MPI_Alltoallv", 0), 0.020, kTolerance);  // it begins at 20 now
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 0), 0.010, kTolerance);
}

TEST(CorrectUnequalExchange, othersMayHaveSentAll_nobodyHasToFollow) {
    const Share equal{.sent = 4, .received = 4};
    expectMoved(operation(OTF2_COLLECTIVE_OP_ALLTOALLV, {{10, 20, equal}, {30, 40, equal}, {50, 60, equal}}),
                0, 0);
}

TEST(CorrectUnequalExchange, onlyWhoReceivesMuch_needsAll) {
    const Findings found = operation(OTF2_COLLECTIVE_OP_ALLTOALLW, {{10, 20, {.sent = 0, .received = 6}},
                                                                    {30, 40, {.sent = 4, .received = 0}},
                                                                    {50, 52, {.sent = 4, .received = 2}}});
    expectMoved(found, 1, 0.040);  // rank 0 from 20 to 50 + 10; each of the others may have sent the 2
}

TEST(CorrectUnequalExchange, asManyBytesWithoutASender_isTheBoundary) {
    const auto exchange = [](std::uint64_t received) {
        return operation(OTF2_COLLECTIVE_OP_ALLTOALLV, {{10, 20, {.sent = 5, .received = received}},  //
                                                        {30, 40, {.sent = 5, .received = 0}}});
    };
    expectMoved(exchange(5), 0, 0);  // all may be its own
    expectMoved(exchange(6), 1, 0.020);
}

/// Ranks 0 and 1 are one group, rank 2 the other one.
Findings betweenGroups(OTF2_CollectiveOp operation, const std::vector<Part>& parts) {
    TraceBuilder trace(3);
    const OTF2_CommRef groups = trace.interCommunicator({0, 1}, {2});
    for (unsigned rank = 0; rank < 3; ++rank) {
        Share share = parts[rank].share;
        share.comm = groups;
        trace.on(rank)
            .enter(0, "main")
            .collective(parts[rank].begin, parts[rank].end, operation, share)
            .leave(kEnd);
    }
    return Findings(trace, corrected());
}

TEST(CorrectBetweenGroups, barrier_followsTheOtherGroupOnly) {
    // Rank 0 leaves before rank 1 of its own group comes, which is as it may be.
    expectMoved(betweenGroups(OTF2_COLLECTIVE_OP_BARRIER, {{10, 20, {}}, {30, 45, {}}, {5, 22, {}}}), 1,
                0.018);  // rank 2 from 22 to 30 + 10
}

TEST(CorrectBetweenGroups, possibleOrder_changesNothing) {
    expectMoved(betweenGroups(OTF2_COLLECTIVE_OP_BARRIER, {{10, 20, {}}, {30, 45, {}}, {5, 41, {}}}), 0, 0);
}

TEST(CorrectBetweenGroups, broadcast_followsItsRoot) {
    const Share root{.sent = 8, .received = 0, .root = OTF2_COLLECTIVE_ROOT_SELF};
    const Share idle{.sent = 0, .received = 0, .root = OTF2_COLLECTIVE_ROOT_NONE};
    const Share other{.sent = 0, .received = 8, .root = 0};
    expectMoved(betweenGroups(OTF2_COLLECTIVE_OP_BCAST, {{30, 31, root}, {50, 60, idle}, {10, 25, other}}), 1,
                0.015);  // rank 2 from 25 to 30 + 10
}

TEST(CorrectBetweenGroups, reduction_rootFollowsTheOtherGroup) {
    const Share root{.sent = 0, .received = 8, .root = OTF2_COLLECTIVE_ROOT_SELF};
    const Share other{.sent = 8, .received = 0, .root = 0};
    expectMoved(betweenGroups(OTF2_COLLECTIVE_OP_REDUCE, {{30, 33, other}, {40, 41, other}, {10, 45, root}}),
                1, 0.005);  // rank 2 from 45 to 40 + 10
}

TEST(CorrectBetweenGroups, unequalExchange_countsTheOtherGroup) {
    const Findings found =
        betweenGroups(OTF2_COLLECTIVE_OP_ALLTOALLV, {{30, 31, {.sent = 4, .received = 0}},
                                                     {40, 41, {.sent = 4, .received = 0}},
                                                     {10, 20, {.sent = 9, .received = 8}}});
    expectMoved(found, 1, 0.030);  // rank 2 from 20 to 40 + 10: it needs both
}

Findings twoFences(bool accessed) {
    WindowTrace run(2);
    if (accessed) run.put(0, 1, 2, 1);
    run.fence(0, 10, 20);
    run.fence(1, 30, 45);
    return run.findings(corrected(), kEnd);
}

TEST(CorrectWindows, fenceAfterAccess_bringsAllTogether) {
    const Findings found = twoFences(true);
    expectMoved(found, 1, 0.020);  // from 20 to 30 + 10
    EXPECT_NEAR(found.at("mpi_rma_wait_at_fence", "main/MPI_Win_fence", 0), 0.010, kTolerance);
}

TEST(CorrectWindows, fenceWithoutAccess_needNotWait) {
    expectMoved(twoFences(false), 0, 0);
}

TEST(CorrectWindows, accessWithinALock_isNoneOfTheFences) {
    WindowTrace run(2);
    run.lock(0, 1, 2, 1);
    run.put(0, 2, 3, 1);
    run.unlock(0, 3, 4, 1);
    run.fence(0, 10, 20);
    run.fence(1, 30, 45);
    expectMoved(run.findings(corrected(), kEnd), 0, 0);
}

TEST(CorrectWindows, windowFreed_afterAllHaveCome) {
    WindowTrace run(2);
    run.collective(0, 10, 20, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    run.collective(1, 30, 45, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    expectMoved(run.findings(corrected(), kEnd), 1, 0.020);
}

}  // namespace
}  // namespace holos::testing
