// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace holos::tables {

/// What to draw in front of the lines of a tree: `├─ `, `│  └─ `. `levels` are those of the lines from top to
/// bottom, 0 for a root. Of very deep lines only the inner branches are drawn, behind `…`.
std::vector<std::string> treeBranches(const std::vector<std::size_t>& levels);

}  // namespace holos::tables
