// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/allocations/blocks.h"

#include <gtest/gtest.h>

namespace holos::tracing::allocations {
namespace {

std::uint32_t pathAt(const Blocks& blocks, std::uint64_t address) {
    const auto block = blocks.at(address);
    return block ? block->path : 0;
}

TEST(Blocks, address_isInTheBlockThatHasIt) {
    Blocks blocks;
    blocks.add(0x1000, 0x1000, 7);
    blocks.add(0x3000, 0x1000, 8);
    EXPECT_EQ(pathAt(blocks, 0xFFF), 0U);
    EXPECT_EQ(pathAt(blocks, 0x1000), 7U);
    EXPECT_EQ(pathAt(blocks, 0x1FFF), 7U);
    EXPECT_EQ(pathAt(blocks, 0x2000), 0U);
    EXPECT_EQ(pathAt(blocks, 0x3800), 8U);
}

TEST(Blocks, blockInThePlaceOfAFreedOne_isAnother) {
    Blocks blocks;
    blocks.add(0x1000, 0x1000, 7);
    const auto first = blocks.at(0x1000);
    EXPECT_TRUE(blocks.remove(0x1000));
    EXPECT_FALSE(blocks.remove(0x1000)) << "freed once";
    EXPECT_FALSE(blocks.at(0x1000));
    blocks.add(0x1000, 0x800, 7);
    EXPECT_NE(blocks.at(0x1000)->number, first->number);
    EXPECT_FALSE(blocks.at(0x1800));
}

TEST(Blocks, blockThatWasKept_isTheSame) {
    Blocks blocks;
    blocks.add(0x1000, 0x1000, 7);
    const auto block = blocks.remove(0x1000);
    blocks.restore(*block);
    EXPECT_EQ(blocks.at(0x1000)->number, block->number);
}

TEST(Blocks, partThatIsUnmapped_isGone) {
    Blocks blocks;
    blocks.add(0x1000, 0x4000, 7);
    blocks.add(0x6000, 0x1000, 8);
    blocks.clear(0x2000, 0x3000);
    EXPECT_EQ(pathAt(blocks, 0x1FFF), 7U);
    EXPECT_EQ(pathAt(blocks, 0x2000), 0U);
    EXPECT_EQ(pathAt(blocks, 0x3000), 7U);
    blocks.clear(0x4000, 0x6800);
    EXPECT_EQ(pathAt(blocks, 0x3FFF), 7U);
    EXPECT_EQ(pathAt(blocks, 0x4000), 0U);
    EXPECT_EQ(pathAt(blocks, 0x6000), 0U);
    EXPECT_EQ(pathAt(blocks, 0x6800), 8U);
}

TEST(Blocks, newBlock_takesThePlaceOfWhatWasThere) {
    Blocks blocks;
    blocks.add(0x1000, 0x4000, 7);  // freed unseen
    blocks.add(0x2000, 0x1000, 8);
    EXPECT_EQ(pathAt(blocks, 0x2000), 8U);
    EXPECT_EQ(pathAt(blocks, 0x1000), 7U);
    blocks.add(0x800, ~std::uint64_t{0}, 9);
    EXPECT_EQ(pathAt(blocks, 0x1000), 7U) << "no such block";
}

}  // namespace
}  // namespace holos::tracing::allocations
