// SPDX-License-Identifier: BSD-3-Clause
// Requests that are under way, several of them with one handle.
#include "tracing/mpi/requests.h"

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
RequestId complete(MPI_Request handle) {
    Request request;
    return completeRequest(handle, request) ? request.id : 0;
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
    EXPECT_TRUE(dropRequest(kHandle, dropped));
    EXPECT_FALSE(dropRequest(kHandle, dropped));
}

TEST(Requests, manyHandles_allAreFound) {
    constexpr int kMany = 5000;
    for (int i = 1; i <= kMany; ++i) start(i, static_cast<RequestId>(i));
    for (int i = kMany; i >= 1; --i) EXPECT_EQ(complete(i), static_cast<RequestId>(i));
}

}  // namespace
}  // namespace holos::tracing::mpi
