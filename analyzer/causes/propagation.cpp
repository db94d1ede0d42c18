// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/propagation.h"

namespace holos::analyzer::causes {

namespace {

/// Every location is followed from its last point to its first. A causer's interval is left alone until all
/// that blame it for the interval have been passed, because only then their costs are known.
class Propagation {
  public:
    Propagation(const Points& points, const std::vector<LocationBlames>& blames, Rules rules, Memory memory)
        : points_(points), blames_(blames), rules_(rules), costs_(points, memory) {
        const std::size_t locations = blames.size();
        sleepers_.resize(locations);
        for (std::size_t i = 0; i < locations; ++i) {
            open_.push_back(blames[i].blames.size());
            passed_.push_back(static_cast<std::uint32_t>(points.byLocation[i].size()));
        }
    }

    PropagatedCosts run() {
        for (std::uint32_t i = 0; i < open_.size(); ++i) ready_.push_back(i);
        for (std::uint32_t stuck = 0;;) {
            while (!ready_.empty()) {
                const std::uint32_t location = ready_.back();
                ready_.pop_back();
                follow(location, false);
            }
            // Only in traces that contradict themselves do locations wait for each other in a circle.
            while (stuck < open_.size() && open_[stuck] == 0) ++stuck;
            if (stuck == open_.size()) return std::move(costs_);
            follow(stuck, true);
        }
    }

  private:
    /// Takes intervals from the end as long as their costs are known. `forced`: the first one anyway.
    void follow(std::uint32_t location, bool forced) {
        const auto& blames = blames_[location].blames;
        while (open_[location] != 0) {
            const std::size_t last = open_[location];
            std::size_t first = last - 1;
            while (first != 0 && blames[first - 1].point == blames[last - 1].point) --first;
            pass(location, blames[first].point);
            if (!forced && mustWait(location, first, last)) return;
            forced = false;
            hand(location, first, last);
            open_[location] = first;
        }
        pass(location, 0);
    }

    /// The costs of this point and of those after it are complete.
    void pass(std::uint32_t location, std::uint32_t point) {
        passed_[location] = std::min(passed_[location], point);
        auto& sleepers = sleepers_[location];
        for (std::size_t i = 0; i < sleepers.size();) {
            if (sleepers[i].point < passed_[location]) {
                ++i;
                continue;
            }
            ready_.push_back(sleepers[i].location);
            sleepers[i] = sleepers.back();
            sleepers.pop_back();
        }
    }

    bool mustWait(std::uint32_t location, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const PointRef waiter = blames_[location].blames[i].waiter;
            if (waiter.location == kNone || passed_[waiter.location] <= waiter.index) continue;
            sleepers_[waiter.location].push_back({waiter.index, location});
            return true;
        }
        return false;
    }

    /// From the waits at the end of intervals to those within them.
    void hand(std::uint32_t location, std::size_t first, std::size_t last) {
        const auto& blames = blames_[location].blames;
        const auto& list = points_.byLocation[location];
        Costs factors{};
        std::size_t begun = first;  // intervals that begin before point i, and those of them that count
        std::size_t counted = first;
        const std::uint32_t begin = blames[first].from + 1;
        for (std::uint32_t i = begin; i < blames[first].point && i < list.size(); ++i) {
            // Scalasca lets intervals but the longest count only from where the next one begins.
            while (begun < last && blames[begun].from + 1 <= i) ++begun;
            const bool nextBegins = begun < last && blames[begun].from == i;
            const bool postponed = rules_.asScalasca && i != begin && !nextBegins;
            for (; !postponed && counted < begun; ++counted) add(factors, blames[counted]);
            if (list[i].wait <= 0 || factors == Costs{}) continue;
            Costs& costs = costs_.of({location, i});
            for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
                costs[kind] += factors[kind] * static_cast<double>(list[i].wait);
        }
    }

    void add(Costs& factors, const Blame& blame) const {
        if (blame.explained() <= 0 || blame.isForgotten) return;
        factors[static_cast<std::size_t>(blame.kind)] += blame.scale();
        if (blame.waiter.location == kNone) return;
        const Costs& later = costs_[blame.waiter];
        for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
            if (handsOn(blame.kind, static_cast<Kind>(kind), rules_))
                factors[kind] += later[kind] / static_cast<double>(blame.explained());
    }

    struct Sleeper {
        std::uint32_t point;     ///< that has to be passed
        std::uint32_t location;  ///< who waits for that
    };
    const Points& points_;
    const std::vector<LocationBlames>& blames_;
    Rules rules_;
    PropagatedCosts costs_;
    std::vector<std::size_t> open_;      ///< by location: how many blames are left
    std::vector<std::uint32_t> passed_;  ///< by location: points from here on have their costs
    std::vector<std::vector<Sleeper>> sleepers_;
    std::vector<std::uint32_t> ready_;
};

}  // namespace

PropagatedCosts::PropagatedCosts(const Points& points, Memory memory) {
    locations_.reserve(points.byLocation.size());
    for (const auto& list : points.byLocation) locations_.emplace_back(list.size(), memory);
}

Costs& PropagatedCosts::of(PointRef point) {
    Local& local = locations_[point.location];
    std::uint32_t& position = local.positions[point.index];
    if (position == 0) {
        position = static_cast<std::uint32_t>(local.costs.size());
        local.costs.emplace_back();
    }
    return local.costs[position];
}

PropagatedCosts propagateCosts(const Points& points, const std::vector<LocationBlames>& blames, Rules rules,
                               Memory memory) {
    return Propagation(points, blames, rules, memory).run();
}

}  // namespace holos::analyzer::causes
