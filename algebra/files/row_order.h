// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// The call paths in the order of their row numbers in a file, for metrics that are stored exclusive along
/// the call tree: depth first, parents before children.
std::vector<CallPathId> depthFirstRows(const CallTree& tree);

/// The order of metrics stored inclusive: a root; then for every node, recursively, all its children before
/// the first child's children. In 0(1(2),3): 0, 1, 3, 2.
std::vector<CallPathId> wideRows(const CallTree& tree);

/// What call paths are numbered with, by CallPathId: as in the file they come from, if that numbers all of
/// them once and without gaps.
std::vector<std::size_t> callPathNumbers(const CallTree& tree);

/// How call paths map to rows and locations to columns; shared by all metrics of a file.
struct RowLayout {
    RowLayout(const CallTree& tree, std::vector<std::uint64_t> columnNumbers);

    std::vector<std::uint32_t> depthFirst;  ///< row number of an exclusive metric, by CallPathId
    std::vector<std::uint32_t> wide;        ///< row number of an inclusive metric, by CallPathId
    std::vector<std::uint64_t> columns;     ///< by LocationId, ascending

    std::size_t callPaths() const { return depthFirst.size(); }
    std::uint64_t width() const { return columns.empty() ? 0 : columns.back() + 1; }
    /// In ascending order.
    std::span<const CallPathId> childrenOf(CallPathId path) const {
        const std::uint32_t begin = childBegin_[path.index()];
        return std::span(children_).subspan(begin, childBegin_[path.index() + 1] - begin);
    }

    std::optional<CallPathId> parentOf(CallPathId path) const { return parents_[path.index()]; }

  private:
    std::vector<std::optional<CallPathId>> parents_;
    std::vector<CallPathId> children_;       ///< of all call paths, one after the other
    std::vector<std::uint32_t> childBegin_;  ///< by CallPathId: its first in `children_`
};

}  // namespace holos::algebra
