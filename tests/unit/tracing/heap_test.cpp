// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/memory/heap.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace holos::tracing::heap {
namespace {

bool isAligned(const void* block, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

TEST(RecorderHeap, blocksOfAllSizes_areAlignedAndHaveRoom) {
    for (std::size_t bytes : {0, 1, 16, 17, 48, 100, 4096, 16'368, 16'369, 100'000, 3'000'000}) {
        void* const block = allocate(bytes);
        ASSERT_NE(block, nullptr);
        EXPECT_TRUE(isAligned(block, 16)) << bytes;
        EXPECT_TRUE(owns(block)) << bytes;
        EXPECT_GE(sizeOf(block), bytes);
        std::memset(block, 0xFF, bytes);
        release(block);
    }
}

TEST(RecorderHeap, blocksWithAlignment_haveIt_upToHalfAPage) {
    for (std::size_t alignment = 1; alignment < 4096; alignment *= 2)
        for (std::size_t bytes : {1, 4000, 100'000}) {
            void* const block = allocateAligned(alignment, bytes);
            ASSERT_NE(block, nullptr);
            EXPECT_TRUE(isAligned(block, alignment));
            EXPECT_TRUE(owns(block)) << alignment << ' ' << bytes;
            EXPECT_GE(sizeOf(block), bytes);
            std::memset(block, 0xFF, bytes);
            release(block);
        }
    EXPECT_EQ(allocateAligned(4096, 1), nullptr);
}

TEST(RecorderHeap, moreThanThereIs_isRefused) {
    EXPECT_EQ(allocate(SIZE_MAX), nullptr);
    EXPECT_EQ(allocate(SIZE_MAX / 4), nullptr);
}

TEST(RecorderHeap, blocksOfTheCLibrary_areNotItsOwn) {
    std::set<void*> blocks;
    for (std::size_t bytes = 1; bytes < 1'000'000; bytes = bytes * 3 + 5) blocks.insert(std::malloc(bytes));
    for (void* const block : blocks) {
        EXPECT_FALSE(owns(block));
        std::free(block);
    }
}

TEST(RecorderHeap, releasedBlock_isUsedAgain) {
    void* const first = allocate(5000);
    release(first);
    EXPECT_EQ(allocate(5000), first);
    release(first);
}

TEST(RecorderHeap, threadsThatHandBlocksOver_eachHasItsOwn) {
    constexpr std::size_t kBlocks = 64;
    constexpr std::size_t kThreads = 4;
    std::array<std::atomic<unsigned char*>, kBlocks> shared{};
    std::atomic<int> overwritten{0};
    const auto work = [&](unsigned char own) {
        for (int i = 0; i < 20'000; ++i) {
            auto* block = static_cast<unsigned char*>(allocate(40));
            std::memset(block, own, 40);
            block = shared[static_cast<std::size_t>(i) % kBlocks].exchange(block);
            if (block == nullptr) continue;
            for (int at = 1; at < 40; ++at)
                if (block[at] != block[0]) ++overwritten;
            release(block);
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(work, static_cast<unsigned char>(i + 1));
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(overwritten, 0);
}

}  // namespace
}  // namespace holos::tracing::heap
