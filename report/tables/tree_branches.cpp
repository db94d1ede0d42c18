// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/tree_branches.h"

namespace holos::tables {

std::vector<std::string> treeBranches(const std::vector<std::size_t>& levels) {
    constexpr std::size_t kDrawnLevels = 64;
    std::vector<std::string> branches(levels.size());
    std::vector<bool> goesOn;  // by level: a line further down has the same parent
    for (std::size_t at = levels.size(); at-- > 0;) {
        const std::size_t level = levels[at];
        goesOn.resize(level + 1, false);
        if (level > 0) {
            const std::size_t first = level > kDrawnLevels ? level - kDrawnLevels : 1;
            if (first > 1) branches[at] = "…";
            for (std::size_t up = first; up < level; ++up) branches[at] += goesOn[up] ? "│  " : "   ";
            branches[at] += goesOn[level] ? "├─ " : "└─ ";
        }
        goesOn[level] = true;
    }
    return branches;
}

}  // namespace holos::tables
