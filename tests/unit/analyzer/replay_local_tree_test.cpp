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
