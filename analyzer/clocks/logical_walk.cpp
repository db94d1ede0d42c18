// SPDX-License-Identifier: BSD-3-Clause
//
//   recorded    rank 0 ────────── Send ──            rank 1 comes 2 too early to its receive, with a least
//               rank 1 ──── Recv ───── x             time of 1 it jumps by 3; x is moved, too, but less
//
//   corrected   rank 0 ────────── Send ──
//               rank 1 ─────────────── Recv ──── x
//
#include "analyzer/clocks/logical_walk.h"

namespace holos::analyzer::clocks {

namespace {

class Walk {
  public:
    Walk(const std::vector<ClockPoints>& points, Constraints& constraints, const LeastTimes& leastTimes)
        : points_(points),
          constraints_(constraints),
          leastTimes_(leastTimes),
          clocks_(points.size(), kNever),
          sleepsAt_(points.size(), kNone) {
        result_.times.resize(points.size());
        result_.jumps.resize(points.size());
    }

    LogicalTimes run() {
        openChains();
        for (auto location = static_cast<std::uint32_t>(points_.size()); location-- > 0;)
            ready_.push_back(location);
        for (std::uint32_t stuck = 0;;) {
            while (!ready_.empty()) {
                const std::uint32_t location = ready_.back();
                ready_.pop_back();
                go(location, false);
            }
            // Only in traces that contradict themselves do locations wait for each other in a circle.
            while (stuck < points_.size() && sleepsAt_[stuck] == kNone) ++stuck;
            if (stuck == points_.size()) break;
            std::erase(sleepers_.at(sleepsAt_[stuck]), stuck);
            sleepsAt_[stuck] = kNone;
            go(stuck, true);
            stuck = 0;
        }
        shareEarliest();
        return std::move(result_);
    }

  private:
    /// From point to point until one has to wait. `forced`: the first one does not.
    void go(std::uint32_t location, bool forced) {
        auto& times = result_.times[location];
        while (times.size() < points_[location].list.size()) {
            const PointConstraint constraint = constraints_.of(location, times.size());
            if (constraint.place == Place::After && constraints_[constraint.constraint].open != 0 &&
                !forced) {
                sleepsAt_[location] = constraint.constraint;
                sleepers_[constraint.constraint].push_back(location);
                return;
            }
            const ClockPoint& point = points_[location].list[times.size()];
            Ticks& clock = clocks_[location];
            clock = std::max(clock + point.rise, point.floor);
            if (constraint.place == Place::After && !forced)
                clock = follow(location, point, constraints_.all()[constraint.constraint], clock);
            forced = false;
            times.push_back(clock);
            if (constraint.place == Place::Before || constraint.place == Place::BeforeAndFree)
                arrive(constraint.constraint, clock);
        }
    }

    Ticks follow(std::uint32_t location, const ClockPoint& point, Constraint& constraint, Ticks clock) {
        if (constraint.latest != kNever) {
            const Ticks least = constraint.latest + leastTimes_.of(constraint.kind);
            if (least > clock) {
                result_.jumps[location].push_back(
                    {point.event, result_.times[location].size(), point.recorded, clock, least});
                clock = least;
            }
        }
        constraint.earliest = std::min(constraint.earliest, clock);
        return clock;
    }

    void arrive(std::uint32_t index, Ticks time) {
        while (index != kNone) {
            Constraint& constraint = constraints_.all()[index];
            constraint.latest = std::max(constraint.latest, time);
            if (--constraint.open != 0) return;
            wake(index);
            time = constraint.latest;
            index = constraint.next;
        }
    }

    void wake(std::uint32_t constraint) {
        const auto found = sleepers_.find(constraint);
        if (found == sleepers_.end()) return;
        for (const std::uint32_t location : found->second) {
            sleepsAt_[location] = kNone;
            ready_.push_back(location);
        }
        sleepers_.erase(found);
    }

    /// Chains of constraints whose first one has nobody before it.
    void openChains() {
        std::vector<std::uint32_t> seconds;
        for (const Constraint& constraint : constraints_.all())
            if (constraint.open == 0 && constraint.next != kNone) seconds.push_back(constraint.next);
        for (const std::uint32_t second : seconds) arrive(second, kNever);
    }

    void shareEarliest() {
        auto& constraints = constraints_.all();
        for (std::size_t i = constraints.size(); i-- > 0;)
            if (constraints[i].next != kNone)
                constraints[i].earliest =
                    std::min(constraints[i].earliest, constraints[constraints[i].next].earliest);
    }

    const std::vector<ClockPoints>& points_;
    Constraints& constraints_;
    const LeastTimes& leastTimes_;
    std::vector<Ticks> clocks_;
    std::vector<std::uint32_t> sleepsAt_;  ///< by location: the constraint that it waits for
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sleepers_;  ///< by constraint
    std::vector<std::uint32_t> ready_;
    LogicalTimes result_;
};

}  // namespace

LogicalTimes walkForward(const std::vector<ClockPoints>& points, Constraints& constraints,
                         const LeastTimes& leastTimes) {
    return Walk(points, constraints, leastTimes).run();
}

}  // namespace holos::analyzer::clocks
