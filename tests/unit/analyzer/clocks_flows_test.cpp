// SPDX-License-Identifier: BSD-3-Clause
// Which events follow which where clocks are corrected: operations of unequal exchange, between groups, and
// of windows. One tick is a millisecond; at least 10 of them lie between events that follow each other.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/corrected_clocks.h"
#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

constexpr Tick kEnd = 100;

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

TEST(CorrectWindows, fenceAfterAccessOfAnotherThread_bringsAllTogether) {
    WindowTrace run(2, 2);
    run.thread = 1;
    run.put(0, 1, 2, 1);
    run.thread = 0;
    run.fence(0, 10, 20);
    run.fence(1, 30, 45);
    expectMoved(run.findings(corrected(), kEnd), 1, 0.020);  // from 20 to 30 + 10
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

/// Rank 0 accesses the windows of others from 1 to 20, and rank 1 gives access.
struct EpochTimes {
    Tick complete;
    Tick post;
    Tick wait;
    Tick waitEnd;
    bool isGet = false;
};
Findings epochOfTwo(const EpochTimes& times) {
    WindowTrace run(2);
    run.sync(0, 1, 2, "MPI_Win_start", {1});
    times.isGet ? run.get(0, 2, 3, 1) : run.put(0, 2, 3, 1);
    run.sync(0, times.complete, times.complete + 10, "MPI_Win_complete", {1});
    run.sync(1, times.post, times.post + 1, "MPI_Win_post", {0});
    run.sync(1, times.wait, times.waitEnd, "MPI_Win_wait", {0});
    return run.findings(corrected(), kEnd);
}

TEST(CorrectWindows, waitOfTheTarget_endsAfterTheOriginsCompletion) {
    const Findings found = epochOfTwo({.complete = 30, .post = 1, .wait = 5, .waitEnd = 20});
    expectMoved(found, 1, 0.020);  // from 20 to 30 + 10
    // From the start to 20, every tick becomes 2: the wait begins at 10.
    EXPECT_NEAR(found.at("time", "main/MPI_Win_wait", 1), 0.030, kTolerance);
    EXPECT_NEAR(found.at("mpi_rma_early_wait", "main/MPI_Win_wait", 1), 0.020, kTolerance);  // 30 - 10
}

TEST(CorrectWindows, waitThatEndsLater_staysWhereItIs) {
    expectMoved(epochOfTwo({.complete = 30, .post = 1, .wait = 5, .waitEnd = 40}), 0, 0);
}

TEST(CorrectWindows, bytesThatAnOriginGot_comeAfterThePost) {
    // The completion ends at 20, but the target gave access at 30.
    expectMoved(epochOfTwo({.complete = 10, .post = 30, .wait = 50, .waitEnd = 60, .isGet = true}), 1, 0.020);
}

TEST(CorrectWindows, bytesThatAnotherThreadGot_comeAfterThePostToo) {
    WindowTrace run(2, 2);
    run.sync(0, 1, 2, "MPI_Win_start", {1});
    run.thread = 1;
    run.get(0, 2, 3, 1);
    run.thread = 0;
    run.sync(0, 10, 20, "MPI_Win_complete", {1});
    run.sync(1, 30, 31, "MPI_Win_post", {0});
    run.sync(1, 50, 60, "MPI_Win_wait", {0});
    expectMoved(run.findings(corrected(), kEnd), 1, 0.020);  // from 20 to 30 + 10
}

// Whose wait is no part of the order: nothing but the epochs' calls is.
TEST(CorrectWindows, requestCompletedBeforeTheLockIsFree_staysWhereItIs) {
    WindowTrace run(3);
    run.lock(0, 10, 20, 2);
    run.unlock(0, 30, 40, 2);
    run.lock(1, 1, 2, 2);
    run.requestGet(1, 2, 3, 2, 7);
    run.complete(1, 5, 6, "MPI_Wait", 7);
    run.unlock(1, 7, 8, 2);
    expectMoved(run.findings(corrected(), kEnd), 0, 0);
}

TEST(CorrectWindows, bytesThatAnOriginPut_doNotNeedThePost) {
    expectMoved(epochOfTwo({.complete = 10, .post = 30, .wait = 50, .waitEnd = 60}), 0, 0);
}

TEST(CorrectWindows, completionForSeveralTargets_isBeforeAllTheirWaits) {
    WindowTrace run(3);
    run.sync(0, 1, 2, "MPI_Win_start", {1, 2});
    run.put(0, 2, 3, 1);
    run.put(0, 3, 4, 2);
    run.sync(0, 30, 31, "MPI_Win_complete", {1, 2});
    for (const unsigned target : {1U, 2U}) {
        run.sync(target, 1, 2, "MPI_Win_post", {0});
        run.sync(target, 5, target == 1 ? 20 : 15, "MPI_Win_wait", {0});
    }
    expectMoved(run.findings(corrected(), kEnd), 2, 0.025);  // to 30 + 10, from 20 and from 15
}

TEST(CorrectWindows, waitForSeveralOrigins_endsAfterTheLast) {
    WindowTrace run(3);
    for (const unsigned origin : {0U, 1U}) {
        run.sync(origin, 1, 2, "MPI_Win_start", {2});
        run.put(origin, 2, 3, 2);
        run.sync(origin, origin == 0 ? 20 : 30, 35, "MPI_Win_complete", {2});
    }
    run.sync(2, 1, 2, "MPI_Win_post", {0, 1});
    run.sync(2, 5, 15, "MPI_Win_wait", {0, 1});
    expectMoved(run.findings(corrected(), kEnd), 1, 0.025);  // from 15 to 30 + 10
}

TEST(CorrectWindows, windowFreed_afterAllHaveCome) {
    WindowTrace run(2);
    run.collective(0, 10, 20, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    run.collective(1, 30, 45, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    expectMoved(run.findings(corrected(), kEnd), 1, 0.020);
}

}  // namespace
}  // namespace holos::testing
