// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// The call paths in the order of their row numbers in a file, for metrics that are stored exclusive along
/// the call tree: depth first, parents before children.
std::vector<CallPathId> depthFirstRows(const CallTree& tree);

/// The same for metrics stored inclusive: a root; then for every node, recursively, all its children before
/// the first child's children. In 0(1(2),3): 0, 1, 3, 2.
std::vector<CallPathId> wideRows(const CallTree& tree);

/// What call paths are numbered with, by CallPathId: as in the file they come from, if that numbers all of
/// them once and without gaps.
std::vector<std::size_t> callPathNumbers(const CallTree& tree);

}  // namespace holos::algebra
