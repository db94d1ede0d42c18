// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// What later waits of each kind a point's own wait costs, in ticks.
using Costs = std::array<double, kWaitKinds>;

/// One point's costs of those kinds that are there. Valid until costs are added.
class KnownCosts {
  public:
    KnownCosts() = default;
    /// `kinds`: a bit each; `ticks`: in their order.
    KnownCosts(std::uint32_t kinds, const double* ticks) : kinds_(kinds), ticks_(ticks) {}

    /// Calls `visit` with each kind, in their order, and its costs.
    template <class Visit>
    void visit(Visit&& visit) const {
        const double* ticks = ticks_;
        for (unsigned left = kinds_; left != 0; left &= left - 1)
            visit(static_cast<Kind>(std::countr_zero(left)), *ticks++);
    }

  private:
    std::uint32_t kinds_ = 0;
    const double* ticks_ = nullptr;
};

/// The costs of those points that cost anything. Most of these cost waits of one kind only.
/// Thread safety: safe to read.
class PropagatedCosts {
  public:
    PropagatedCosts(const Points& points, Memory memory);

    KnownCosts operator[](PointRef point) const;
    /// Adds to the costs of a point; none of them is negative.
    void add(PointRef point, const Costs& costs);

  private:
    /// One point's, in the order of the kinds that are there.
    struct Entry {
        std::uint32_t first = 0;  ///< position in `ticks`
        std::uint32_t kinds = 0;  ///< a bit each
    };
    static_assert(kWaitKinds <= 32);
    struct Local {
        explicit Local(Memory memory) : positions(memory), entries(memory), ticks(memory) {
            entries.emplace_back();
        }
        KnownCosts of(const Entry& entry) const { return {entry.kinds, ticks.data() + entry.first}; }

        Records<std::uint32_t> positions;  ///< by point, in `entries`; none where nothing costs anything
        Records<Entry> entries;            ///< the first one is nothing, for most points
        Records<double> ticks;
    };
    const Points& points_;
    ByLocation<Local> locations_;
};

/// Follows the blames backwards: a wait within a causer's interval is to blame for its part of the wait at
/// the interval's end, and of everything that that one costs in turn.
PropagatedCosts propagateCosts(const Points& points, const ByLocation<LocationBlames>& blames, Rules rules,
                               Memory memory);

/// True for costs that a wait of kind `at` hands on to what caused it. Scalasca's of OpenMP barriers do not
/// pass through other OpenMP barriers, as they may where teams are nested, or where a message lies in
/// between.
inline bool handsOn(Kind at, Kind cost, Rules rules) {
    return !rules.asScalasca || at != Kind::OmpBarrier || cost != Kind::OmpBarrier;
}

}  // namespace holos::analyzer::causes
