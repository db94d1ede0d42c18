// SPDX-License-Identifier: BSD-3-Clause
// Requests that are under way, several of them with one handle.
#include "tracing/recorder/mpi/state/requests.h"

#include <gtest/gtest.h>

#include <thread>

namespace holos::tracing::mpi {
namespace {

constexpr MPI_Request kHandle = 7;

void start(MPI_Request handle, RequestId id, bool isPersistent = false) {
    Request request;
    request.id = id;
    request.persistent = isPersistent;
    addRequest(handle, request);
}

/// 0 where there is none.
RequestId complete(MPI_Request handle, Claim claim = 0) {
    Request request;
    return completeRequest(handle, claim, request) ? request.id : 0;
}

TEST(Requests, oneHandleSeveralTimes_inTheOrderOfTheirStart) {
    for (RequestId id = 1; id <= 3; ++id) start(kHandle, id);
    for (RequestId id = 1; id <= 3; ++id) EXPECT_EQ(complete(kHandle), id);
    EXPECT_EQ(complete(kHandle), 0);
}

/// What MPI allows: a wait frees the handle, and another thread gets it before the former has said so.
TEST(Requests, handleOfTwoThreads_eachCompletesItsOwn) {
    start(kHandle, 1);
    RequestId other = 0;
    std::thread([&] {
        start(kHandle, 2);
        start(kHandle, 3);
        other = complete(kHandle);
    }).join();
    EXPECT_EQ(other, 2);
    EXPECT_EQ(complete(kHandle), 1);
    start(kHandle, 4);
    EXPECT_EQ(complete(kHandle), 4);
    EXPECT_EQ(complete(kHandle), 3);  // of nobody else any more
    EXPECT_EQ(complete(kHandle), 0);
}

TEST(Requests, startedByAnotherThread_isCompletedAllTheSame) {
    std::thread([] { start(kHandle, 1); }).join();
    EXPECT_EQ(complete(kHandle), 1);
}

template <class Work>
void inAnotherThread(Work work) {
    std::thread(work).join();
}

/// Of a request, where the thread that waits is not the one that started the request.
TEST(Requests, claimed_isCompletedThoughItsHandleWasHandedOutAgain) {
    start(kHandle, 1);
    inAnotherThread([] {
        const Claim first = claimRequest(kHandle);
        inAnotherThread([] { start(kHandle, 2); });
        inAnotherThread([] {  // waits for the second one before the end of the first one is known
            EXPECT_EQ(complete(kHandle, claimRequest(kHandle)), 2);
        });
        EXPECT_EQ(complete(kHandle, first), 1);
    });
}

TEST(Requests, claimGivenUp_canBeClaimedAgain) {
    start(kHandle, 1);
    inAnotherThread([] {
        const Claim tested = claimRequest(kHandle);
        EXPECT_NE(tested, 0U);
        EXPECT_EQ(claimRequest(kHandle), 0U);  // there is no other
        releaseRequest(kHandle, tested);
        EXPECT_EQ(complete(kHandle, claimRequest(kHandle)), 1);
    });
}

TEST(Requests, inactiveOne_isClaimedInVainAndNotForGood) {
    start(kHandle, 1, true);
    inAnotherThread([] {
        EXPECT_EQ(complete(kHandle, claimRequest(kHandle)), 1);
        EXPECT_EQ(complete(kHandle, claimRequest(kHandle)), 0);
        EXPECT_NE(claimRequest(kHandle), 0U);
    });
    Request dropped;
    EXPECT_TRUE(dropRequest(kHandle, 0, dropped));
}

TEST(Requests, lastOfAHandleEndsFirst_thoseThatComeLaterAreFound) {
    std::thread([] { start(kHandle, 1); }).join();
    start(kHandle, 2);
    EXPECT_EQ(complete(kHandle), 2);
    start(kHandle, 3);
    EXPECT_EQ(complete(kHandle), 3);
    EXPECT_EQ(complete(kHandle), 1);
    start(kHandle, 4);
    EXPECT_EQ(complete(kHandle), 4);
}

TEST(Requests, persistent_isInactiveUntilItStartsAgain) {
    start(kHandle, 1, true);
    EXPECT_EQ(complete(kHandle), 1);
    EXPECT_EQ(complete(kHandle), 0);
    changeRequest(kHandle, [](Request& request) { request.active = true; });
    EXPECT_EQ(complete(kHandle), 1);
    Request dropped;
    EXPECT_TRUE(dropRequest(kHandle, 0, dropped));
    EXPECT_FALSE(dropRequest(kHandle, 0, dropped));
}

TEST(Requests, manyHandles_allAreFound) {
    constexpr int kMany = 5000;
    for (int i = 1; i <= kMany; ++i) start(i, static_cast<RequestId>(i));
    for (int i = kMany; i >= 1; --i) EXPECT_EQ(complete(i), static_cast<RequestId>(i));
}

}  // namespace
}  // namespace holos::tracing::mpi
