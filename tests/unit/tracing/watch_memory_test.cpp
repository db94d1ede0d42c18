// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a recording that is watched.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <functional>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/generated_run.h"
#include "tracing/recordings/watch/followed_run.h"

namespace holos::testing {
namespace {

constexpr std::uint32_t kProcesses = 64;
constexpr std::uint32_t kEvents = 1000;

/// Bytes that are allocated; 0 where another allocator is in the place of the C library's.
std::size_t allocated() {
    const struct mallinfo2 now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

/// Of each process, in the time between the two.
std::size_t perProcess(std::size_t before, std::size_t after) {
    return (after - std::min(before, after)) / kProcesses;
}

/// After few events, and after as many more as `goesOn` says, when it is asked before each further look.
void expectThatNothingIsKept(GeneratedRun& run, const std::filesystem::path& directory,
                             const std::function<bool()>& goesOn) {
    run.goOn(kEvents);
    const std::size_t before = allocated();
    if (before == 0) GTEST_SKIP() << "the allocator does not say what is allocated";
    watch::FollowedRun watched(directory);
    const auto lookOnceMore = [&] {
        run.goOn(kEvents);
        watched.look();
    };
    watched.look();
    lookOnceMore();
    const std::size_t few = allocated();
    while (goesOn()) lookOnceMore();
    EXPECT_EQ(watched.picture().processes.size(), kProcesses);
    constexpr std::size_t kMost = 48 * 1024;
    constexpr std::size_t kGrowth = 1024;
    EXPECT_LT(perProcess(before, few), kMost);
    EXPECT_LT(perProcess(few, allocated()), kGrowth);
}

/// As many events as a process's file takes, 48 bytes each.
TEST(WatchMemory, eventsThatWereSeen_areNotKept) {
    const TemporaryDirectory directory;
    GeneratedRun run(directory.path(), {.processes = kProcesses, .scene = RunScene::Ring, .counters = 3});
    std::size_t rounds = 0;
    expectThatNothingIsKept(run, directory.path(), [&] { return !run.isFull(kEvents) && ++rounds > 0; });
    EXPECT_TRUE(rounds >= 3U || IsSkipped());
}

/// Profiles are added up in the recorder: all there is to see is read again and again.
TEST(WatchMemory, profilesThatWereSeen_areNotKept) {
    const TemporaryDirectory directory;
    GeneratedRun run(directory.path(), {.processes = kProcesses, .scene = RunScene::Ring, .isProfile = true});
    int rounds = 0;
    expectThatNothingIsKept(run, directory.path(), [&] { return ++rounds <= 3; });
}

}  // namespace
}  // namespace holos::testing
