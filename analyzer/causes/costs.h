// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "analyzer/causes/blames.h"
#include "analyzer/causes/cause_values.h"

namespace holos::analyzer::causes {

/// What later waits of each kind a point's own wait costs, in ticks.
using Costs = std::array<double, kWaitKinds>;

/// Calls `visit` with the number of each kind that has its bit.
template <class Visit>
void visitKinds(std::uint32_t kinds, Visit&& visit) {
    for (; kinds != 0; kinds &= kinds - 1) visit(static_cast<std::size_t>(std::countr_zero(kinds)));
}

/// One point's costs of those kinds that are there. Valid until costs are added.
class KnownCosts {
  public:
    KnownCosts() = default;
    /// `cell`: the kinds, a bit each, and behind them the bits of their ticks, in the order of kinds.
    explicit KnownCosts(const std::uint64_t* cell)
        : kinds_(static_cast<std::uint32_t>(*cell)), ticks_(cell + 1) {}

    /// Calls `visit` with each kind, in their order, and its costs.
    template <class Visit>
    void visit(Visit&& visit) const {
        const std::uint64_t* ticks = ticks_;
        visitKinds(kinds_, [&](std::size_t kind) {
            visit(static_cast<Kind>(kind), std::bit_cast<double>(*ticks++));
        });
    }

  private:
    std::uint32_t kinds_ = 0;
    const std::uint64_t* ticks_ = nullptr;
};

/// The costs of those points that cost anything. Most of these cost waits of one kind only.
/// Thread safety: safe to read.
class PropagatedCosts {
  public:
    PropagatedCosts(const Points& points, Memory memory);

    KnownCosts operator[](PointRef point) const;
    /// Whether a point costs anything.
    bool has(PointRef point) const {
        const Local& local = locations_[point.location];
        return !local.positions.empty() && local.positions[point.index] != 0;
    }
    /// Asks for those of all who wait, which lie scattered in memory, so that the processor fetches the next
    /// ones while it reads the first.
    void fetch(std::span<const Blame> blames) const;
    /// Adds to the costs of a point, those of `kinds`, a bit each: all that are not 0; none is negative.
    void add(PointRef point, const Costs& costs, std::uint32_t kinds);

  private:
    static_assert(kWaitKinds <= 32);
    struct Local {
        explicit Local(Memory memory) : positions(memory), cells(memory) { cells.push_back(0); }

        Records<std::uint32_t> positions;  ///< by point, in `cells`; none where nothing costs anything
        Records<std::uint64_t> cells;  ///< as `KnownCosts` reads them; the first is that of most points: 0
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

/// Where the time of delays is known, and who wants to know it.
struct DelayTimes {
    const replay::ReplayedTrace& trace;
    const Profiles& profiles;
    const TellDelay& tell;
};

/// Books long-term delay costs at the call paths of causers, and the propagating and indirect parts of waits.
void bookCosts(const Points& points, const ByLocation<LocationBlames>& blames, const PropagatedCosts& costs,
               Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes,
               const std::optional<DelayTimes>& times = std::nullopt);

}  // namespace holos::analyzer::causes
