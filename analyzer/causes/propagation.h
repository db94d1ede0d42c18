// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// What later waits of each kind a point's own wait costs, in ticks.
using Costs = std::array<double, kWaitKinds>;

/// By location and point. Follows the blames backwards: a wait within a causer's interval is to blame for its
/// part of the wait at the interval's end, and of everything that that one costs in turn.
using PropagatedCosts = std::vector<Records<Costs>>;
PropagatedCosts propagateCosts(const Points& points, const std::vector<LocationBlames>& blames, Rules rules,
                               Memory memory);

/// True for costs that a wait of kind `at` hands on to what caused it. Costs of OpenMP barriers do not pass
/// through other OpenMP barriers.
inline bool handsOn(Kind at, Kind cost) {
    return at != Kind::OmpBarrier || cost != Kind::OmpBarrier;
}

}  // namespace holos::analyzer::causes
