// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/propagation.h"

#include <algorithm>

#include "analyzer/causes/blame_reader.h"

namespace holos::analyzer::causes {

namespace {

/// Every location is followed from its last point to its first. A causer's interval is left alone until all
/// that blame it for the interval have been passed, because only then their costs are known.
class Propagation {
  public:
    Propagation(const Points& points, const ByLocation<LocationBlames>& blames, Rules rules, Memory memory)
        : points_(points), rules_(rules), costs_(points, memory) {
        sleepers_.resize(blames.size());
        open_.reserve(blames.size());
        for (std::uint32_t i = 0; i < blames.size(); ++i) {
            const std::uint32_t end = points.byLocation[i].size();
            open_.push_back({BlameReader(points, i, blames[i]), end, blames[i].delays.size()});
            passed_.push_back(end);
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
            while (stuck < open_.size() && open_[stuck].points == 0) ++stuck;
            if (stuck == open_.size()) return std::move(costs_);
            follow(stuck, true);
        }
    }

  private:
    /// What waiting within an interval costs, for each tick of it.
    struct Factors {
        Costs ofKind{};
        std::uint32_t kinds = 0;  ///< those that cost anything, a bit each

        void add(Kind kind, double factor) {
            if (factor == 0) return;
            ofKind[static_cast<std::size_t>(kind)] += factor;
            kinds |= 1U << static_cast<unsigned>(kind);
        }
    };
    /// How far a location has been followed.
    struct Open {
        BlameReader reader;
        std::uint32_t point;   ///< with the next blames, or behind them
        std::uint32_t points;  ///< that are left and may have blames
    };

    /// Takes intervals from the end as long as their costs are known. `forced`: the first one anyway.
    void follow(std::uint32_t location, bool forced) {
        Open& open = open_[location];
        for (; open.points != 0; --open.points, --open.point) {
            open.point = open.reader.last(open.point);
            pass(location, open.point);
            if (!waitsWithin(location, open)) continue;
            const std::span<const Blame> blames = open.reader.at(open.point);
            if (!forced && mustWait(location, blames)) return;
            forced = false;
            open.reader.addWaits();
            open.reader.addDelays(open.points - 1);
            if (!blames.empty()) hand(location, blames);
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

    bool mustWait(std::uint32_t location, std::span<const Blame> blames) {
        for (const Blame& blame : blames) {
            const PointRef waiter = blame.waiter;
            if (waiter.location == kNone || passed_[waiter.location] <= waiter.index) continue;
            sleepers_[waiter.location].push_back({waiter.index, location});
            return true;
        }
        return false;
    }

    /// True when the causer itself waits within the intervals that end at its point.
    bool waitsWithin(std::uint32_t location, Open& open) const {
        const std::uint32_t begin = open.reader.begin(open.point) + 1;
        return points_.byLocation[location].nextWait(begin, open.point) < open.point;
    }

    /// From the waits at the end of intervals to those within them.
    void hand(std::uint32_t location, std::span<const Blame> blames) {
        const PointList& list = points_.byLocation[location];
        Factors factors;
        Costs costs{};
        std::size_t begun = 0;  // intervals that begin before point i, and those of them that count
        std::size_t counted = 0;
        const std::uint32_t begin = blames[0].from + 1;
        const std::uint32_t end = blames[0].point;
        costs_.fetch(blames);
        const auto next = [&](std::uint32_t i) { return rules_.asScalasca ? i : list.nextWait(i, end); };
        for (std::uint32_t i = next(begin); i < end; i = next(i + 1)) {
            // Scalasca lets intervals but the longest count only from where the next one begins.
            while (begun < blames.size() && blames[begun].from + 1 <= i) ++begun;
            const bool nextBegins = begun < blames.size() && blames[begun].from == i;
            const bool postponed = rules_.asScalasca && i != begin && !nextBegins;
            for (; !postponed && counted < begun; ++counted) add(factors, blames[counted]);
            const Ticks wait = list.wait(i);
            if (wait <= 0 || factors.kinds == 0) continue;
            visitKinds(factors.kinds, [&](std::size_t kind) {
                costs[kind] = factors.ofKind[kind] * static_cast<double>(wait);
            });
            costs_.add({location, i}, costs, factors.kinds);
        }
    }

    void add(Factors& factors, const Blame& blame) const {
        if (blame.explained() <= 0 || blame.isForgotten) return;
        factors.add(blame.kind, blame.scale());
        if (blame.waiter.location == kNone) return;
        costs_[blame.waiter].visit([&](Kind kind, double later) {
            if (handsOn(blame.kind, kind, rules_))
                factors.add(kind, later / static_cast<double>(blame.explained()));
        });
    }

    struct Sleeper {
        std::uint32_t point;     ///< that has to be passed
        std::uint32_t location;  ///< who waits for that
    };
    const Points& points_;
    Rules rules_;
    PropagatedCosts costs_;
    std::vector<Open> open_;             ///< by location
    std::vector<std::uint32_t> passed_;  ///< by location: points from here on have their costs
    std::vector<std::vector<Sleeper>> sleepers_;
    std::vector<std::uint32_t> ready_;
};

}  // namespace

PropagatedCosts::PropagatedCosts(const Points& points, Memory memory)
    : points_(points), locations_(points.byLocation.size(), memory) {}

KnownCosts PropagatedCosts::operator[](PointRef point) const {
    const Local& local = locations_[point.location];
    return KnownCosts(local.cells.data() + (local.positions.empty() ? 0 : local.positions[point.index]));
}

void PropagatedCosts::fetch(std::span<const Blame> blames) const {
    const auto visit = [&](auto&& ask) {
        for (const Blame& blame : blames)
            if (blame.waiter.location != kNone && !locations_[blame.waiter.location].positions.empty())
                ask(locations_[blame.waiter.location], blame.waiter.index);
    };
    visit([](const Local& local, std::uint32_t i) { __builtin_prefetch(local.positions.data() + i); });
    visit([](const Local& local, std::uint32_t i) {
        __builtin_prefetch(local.cells.data() + local.positions[i]);
    });
}

void PropagatedCosts::add(PointRef point, const Costs& costs, std::uint32_t kinds) {
    Local& local = locations_.own(point.location);
    if (local.positions.empty()) local.positions.resize(points_.byLocation[point.location].size(), 0);
    std::uint32_t& position = local.positions[point.index];
    Costs sum = costs;
    std::uint32_t all = kinds;
    (*this)[point].visit([&](Kind kind, double ticks) {
        sum[static_cast<std::size_t>(kind)] += ticks;
        all |= 1U << static_cast<unsigned>(kind);
    });
    if (all != local.cells[position]) {  // what it had before is left behind
        position = static_cast<std::uint32_t>(local.cells.size());
        local.cells.resize(local.cells.size() + 1 + static_cast<std::size_t>(std::popcount(all)));
        local.cells[position] = all;
    }
    std::size_t next = position;
    visitKinds(all, [&](std::size_t kind) { local.cells[++next] = std::bit_cast<std::uint64_t>(sum[kind]); });
}

PropagatedCosts propagateCosts(const Points& points, const ByLocation<LocationBlames>& blames, Rules rules,
                               Memory memory) {
    return Propagation(points, blames, rules, memory).run();
}

}  // namespace holos::analyzer::causes
