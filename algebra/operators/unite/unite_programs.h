// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"
#include "algebra/operators/unite/matching.h"

namespace holos::algebra {

/// Adds the regions of `from` that `into` lacks; returns for each region of `from` its id in `into`. The same
/// are regions of one name and module, first of all those on the same lines; several alike pair up in their
/// order.
std::vector<RegionId> uniteRegions(std::vector<Region>& into, const std::vector<Region>& from,
                                   const Matching& matching = {});

/// Adds the call paths of `from` that `into` lacks; returns for each call path of `from` its id in `into`.
/// The same are call paths with the same callers, callee and parameters, first of all those called on the
/// same line; several alike siblings (of recursion or loops) pair up in their order. `regions` maps the
/// regions of `from`.
std::vector<CallPathId> uniteCallTrees(CallTree& into, const CallTree& from,
                                       const std::vector<RegionId>& regions, const Matching& matching = {});

}  // namespace holos::algebra
