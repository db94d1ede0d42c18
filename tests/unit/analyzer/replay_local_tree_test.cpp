// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/local_tree.h"

#include <gtest/gtest.h>

namespace holos::analyzer::replay {
namespace {

const std::vector<trace::RegionClass> kClasses(100);

TEST(LocalTree, childOfSameRegion_enteredTwice_isOneNode) {
    LocalTree tree;
    const NodeId first = tree.child(kProgram, RegionId(7), kClasses);
    EXPECT_EQ(tree.child(kProgram, RegionId(7), kClasses), first);
    EXPECT_EQ(tree.size(), 3U);
}

TEST(LocalTree, sameRegionBelowOtherParent_isAnotherNode) {
    LocalTree tree;
    const NodeId outer = tree.child(kProgram, RegionId(7), kClasses);
    const NodeId inner = tree.child(outer, RegionId(7), kClasses);
    EXPECT_NE(outer, inner);
    EXPECT_EQ(tree[inner].parent, outer);
}

TEST(LocalTree, childrenInChangingOrder_areFoundAgain) {
    LocalTree tree;
    std::vector<NodeId> nodes;
    for (std::size_t region = 10; region < 60; ++region)
        nodes.push_back(tree.child(kProgram, RegionId(region), kClasses));
    for (const std::size_t step : {7U, 11U, 49U})
        for (std::size_t i = 0; i < 50; ++i) {
            const std::size_t which = i * step % 50;
            EXPECT_EQ(tree.child(kProgram, RegionId(10 + which), kClasses), nodes[which]);
        }
    EXPECT_EQ(tree.size(), 52U);
}

TEST(LocalTree, thousandsOfNodes_areFoundAgain_alsoBelowEachOther) {
    constexpr std::size_t kNodes = 5000;
    LocalTree tree;
    std::vector<NodeId> nodes{kProgram};
    const auto childOf = [&](std::size_t i) {
        return tree.child(nodes[i / 3], RegionId(i % 100), kClasses, trace::SiteId(i));
    };
    for (std::size_t i = 0; i < kNodes; ++i) nodes.push_back(childOf(i));
    for (std::size_t i = kNodes; i-- > 0;) EXPECT_EQ(childOf(i), nodes[i + 1]);
    EXPECT_EQ(tree.size(), kNodes + 2);
}

TEST(LocalTree, standIns_areNobodysChildren) {
    LocalTree tree;
    const NodeId standIn = tree.standIn();
    for (std::size_t region = 0; region < 50; ++region)
        EXPECT_NE(tree.child(kOutside, RegionId(region), kClasses), standIn);
    EXPECT_NE(tree.child(kOutside, trace::kUndefinedRegion, kClasses), standIn);
}

TEST(LocalTree, closed_findsNodesAgain) {
    LocalTree tree;
    const NodeId first = tree.child(kProgram, RegionId(7), kClasses);
    const NodeId second = tree.child(first, RegionId(8), kClasses);
    tree.close();
    EXPECT_EQ(tree.child(first, RegionId(8), kClasses), second);
    EXPECT_EQ(tree.child(kProgram, RegionId(7), kClasses), first);
    EXPECT_EQ(tree.size(), 4U);
}

TEST(LocalTree, adoptedTwiceFromSameOrigin_isOneNode) {
    LocalTree tree;
    const Origin origin{trace::LocationId(3), NodeId(9)};
    const NodeId adopted = tree.adopt(origin);
    EXPECT_EQ(tree.adopt(origin), adopted);
    EXPECT_NE(tree.adopt({trace::LocationId(4), NodeId(9)}), adopted);
    EXPECT_TRUE(tree[adopted].adopted);
    EXPECT_EQ(tree.originOf(adopted).node, NodeId(9));
}

}  // namespace
}  // namespace holos::analyzer::replay
