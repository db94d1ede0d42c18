// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace holos::archive {

/// What would give names to functions that have none: the files that most of them are in, and the usual ways
/// to get their names. `unnamed`: by file how many have none; `all`: how many functions there are. Empty
/// unless at least half of them, and more than a few, have no name.
std::string howToNameFunctions(const std::map<std::string, std::size_t>& unnamed, std::size_t all);

}  // namespace holos::archive
