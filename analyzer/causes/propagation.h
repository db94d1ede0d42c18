// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// What later waits of each kind a point's own wait costs, in ticks.
using Costs = std::array<double, kWaitKinds>;

/// The costs of those points that cost anything.
class PropagatedCosts {
  public:
    PropagatedCosts(const Points& points, Memory memory);

    const Costs& operator[](PointRef point) const {
        const Local& local = locations_[point.location];
        return local.costs[local.positions[point.index]];
    }
    /// To add to.
    Costs& of(PointRef point);

  private:
    struct Local {
        explicit Local(std::size_t points, Memory memory) : positions(points, 0, memory), costs(memory) {
            costs.emplace_back();
        }

        Records<std::uint32_t> positions;  ///< by point, in `costs`
        Records<Costs> costs;              ///< the first one is nothing, for most points
    };
    std::vector<Local> locations_;
};

/// Follows the blames backwards: a wait within a causer's interval is to blame for its part of the wait at
/// the interval's end, and of everything that that one costs in turn.
PropagatedCosts propagateCosts(const Points& points, const std::vector<LocationBlames>& blames, Rules rules,
                               Memory memory);

/// True for costs that a wait of kind `at` hands on to what caused it. Scalasca's of OpenMP barriers do not
/// pass through other OpenMP barriers, as they may where teams are nested, or where a message lies in
/// between.
inline bool handsOn(Kind at, Kind cost, Rules rules) {
    return !rules.asScalasca || at != Kind::OmpBarrier || cost != Kind::OmpBarrier;
}

}  // namespace holos::analyzer::causes
