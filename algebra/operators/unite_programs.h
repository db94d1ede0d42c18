// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// Adds the regions of `from` that `into` lacks. Two regions are the same when name, module, first and last
/// line agree. Returns for each region of `from` its id in `into`.
std::vector<RegionId> uniteRegions(std::vector<Region>& into, const std::vector<Region>& from);

/// Adds the call paths of `from` that `into` lacks. Two call paths are the same when they have the same
/// region, line and module of the call, parameters, and parents; several such siblings pair up in their
/// order. `regions` is the result of `uniteRegions`. Returns for each call path of `from` its id in `into`.
std::vector<CallPathId> uniteCallTrees(CallTree& into, const CallTree& from,
                                       const std::vector<RegionId>& regions);

}  // namespace holos::algebra
