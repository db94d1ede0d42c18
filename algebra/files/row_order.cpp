// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/row_order.h"

namespace holos::algebra {

std::vector<CallPathId> depthFirstRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        const auto below = tree.subtree(root);
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

std::vector<CallPathId> wideRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        rows.push_back(root);
        // Going depth first, each node emits its children.
        for (const CallPathId node : tree.subtree(root)) {
            const auto& children = tree.children(node);
            rows.insert(rows.end(), children.begin(), children.end());
        }
    }
    return rows;
}

}  // namespace holos::algebra
