// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/clock_correction.h"

#include <algorithm>
#include <map>
#include <vector>

#include "analyzer/clocks/backward.h"
#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/matching/epochs.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::clocks {

Ticks CorrectedClock::at(std::uint64_t event, Ticks recorded, replay::NodeId) {
    const bool isBack = steps_.started() && steps_.fine().of(recorded) < steps_.now();
    const Ticks step = steps_.next(recorded);
    clock_ = std::max(clock_ + step, steps_.now());
    const auto& jumps = correction_.jumps;
    if (nextJump_ < jumps.size() && jumps[nextJump_].event == event)
        clock_ = std::max(clock_, jumps[nextJump_++].after);
    const Ticks time = correction_.shift.of(clock_);
    // The replay reports what runs backwards and takes the last time instead.
    return isBack ? time - 2 * step : time;
}

Ticks CorrectedClock::later(Ticks recorded) const {
    const Ticks now = steps_.fine().of(recorded);
    if (!steps_.started() || now <= steps_.now()) return correction_.shift.of(std::max(clock_, now));
    return correction_.shift.of(std::max(clock_ + steps_.stepTo(now), now));
}

namespace {

using matching::AccessEpoch;
using matching::CallRef;
using matching::Epochs;
using matching::Exposure;
using replay::ClockRole;
using replay::kNone;

/// The constraints of each call of a location, by its position.
using TiesOfCalls = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// What comes before and after in each constraint. An exposure has the constraint of its own number, an
/// access epoch the one of its number behind all exposures.
class EpochOrder {
  public:
    explicit EpochOrder(const replay::ReplayedTrace& trace)
        : before_(trace.locations.size()), after_(trace.locations.size()) {
        const Epochs epochs = matching::matchEpochs(trace);
        for (std::size_t i = 0; i < epochs.accesses.size(); ++i)
            add(epochs, epochs.accesses[i], static_cast<std::uint32_t>(epochs.exposures.size() + i));
    }

    /// Constraints in which a call comes before others, or after them.
    const std::vector<std::uint32_t>& of(std::size_t location, const replay::ClockEvent& event) const {
        static const std::vector<std::uint32_t> kNothing;
        const auto& calls = (event.role == ClockRole::EpochBegin ? before_ : after_)[location];
        const auto found = calls.find(event.record);
        return found == calls.end() ? kNothing : found->second;
    }

  private:
    void add(const Epochs& epochs, const AccessEpoch& access, std::uint32_t tieOfAccess) {
        if (!access.complete.isKnown()) return;
        for (const AccessEpoch::Target& target : access.targets) {
            if (!target.exposure) continue;
            const Exposure& exposure = epochs.exposures[*target.exposure];
            if (exposure.wait.isKnown())
                constraint(access.complete, exposure.wait, static_cast<std::uint32_t>(*target.exposure));
            if (access.brings(target.process)) constraint(exposure.post, access.complete, tieOfAccess);
        }
    }

    void constraint(CallRef before, CallRef after, std::uint32_t number) {
        before_[before.location.index()][before.position].push_back(number);
        after_[after.location.index()][after.position].assign(1, number);
    }

    std::vector<TiesOfCalls> before_;  ///< by location
    std::vector<TiesOfCalls> after_;
};

bool isOfEpoch(const ClockPoint& point) {
    return point.part.role == ClockRole::EpochBegin || point.part.role == ClockRole::EpochEnd;
}

/// The logical order of epochs of one-sided communication with active targets (MPI 4.0, section 12.5.2):
///
///     origin  ──┤ Start ├┤ Get ├─ Complete ├──        MPI_Win_wait ends after the origins' MPI_Win_complete
///     target  ──┤ Post ├──────────┤ Wait ··├──        began; where an origin got bytes, its MPI_Win_complete
///                                                     ends after the target's MPI_Win_post began
///
/// What is only put may be kept, so that it does not bind an origin to the post.
///
/// A call may come before events of several processes. Its point is repeated for each of them, and the record
/// of these points becomes the number of the constraint; `kNone` for calls that nothing follows from. Points
/// of other events stay as they are.
void constrainEpochs(const replay::ReplayedTrace& trace, std::vector<ClockPoints>& points) {
    const EpochOrder order(trace);
    for (std::size_t location = 0; location < points.size(); ++location) {
        std::vector<ClockPoint>& list = points[location].list;
        if (std::ranges::none_of(list, isOfEpoch)) continue;
        std::vector<ClockPoint> constrained;
        for (ClockPoint point : list) {
            if (!isOfEpoch(point)) {
                constrained.push_back(point);
                continue;
            }
            const auto& constraints = order.of(location, point.part);
            point.part.record = constraints.empty() ? kNone : constraints[0];
            constrained.push_back(point);
            for (std::size_t i = 1; i < constraints.size(); ++i) {
                point.rise = 0;
                point.floor = kNever;
                point.part.record = constraints[i];
                constrained.push_back(point);
            }
        }
        list = std::move(constrained);
    }
}

/// The events of a location that others follow, and how far these let them move.
std::vector<Limit> limitsOf(const Constraints& constraints, std::uint32_t location,
                            const std::vector<Ticks>& times, const LeastTimes& leastTimes) {
    std::vector<Limit> limits;
    for (std::size_t point = 0; point < times.size(); ++point) {
        const PointConstraint place = constraints.of(location, point);
        if (place.place != Place::Before) continue;
        const Constraint& constraint = constraints[place.constraint];
        if (constraint.earliest == std::numeric_limits<Ticks>::max()) continue;
        limits.push_back({point, times[point], constraint.earliest - leastTimes.of(constraint.kind)});
    }
    return limits;
}

}  // namespace

ClockCorrection correctClocks(const matching::MatchedTrace& run, std::vector<ClockPoints> points,
                              const FineTicks& fine, const ClockParameters& parameters,
                              workers::Workers& workers) {
    const LeastTimes leastTimes(fine, parameters);
    constrainEpochs(run.trace, points);
    Constraints constraints(run, points);
    LogicalTimes forward = walkForward(points, constraints, leastTimes);
    ClockCorrection result;
    result.locations.resize(points.size());
    Ticks largest = 0;
    for (const auto& jumps : forward.jumps) {
        result.violations += jumps.size();
        for (const Jump& jump : jumps) largest = std::max(largest, jump.after - jump.recorded);
    }
    result.largest = fine.seconds(largest);
    workers.forEach(points.size(), [&](std::size_t i) {
        Correction& correction = result.locations[i];
        correction.jumps = std::move(forward.jumps[i]);
        if (correction.jumps.empty()) return;
        const auto limits =
            limitsOf(constraints, static_cast<std::uint32_t>(i), forward.times[i], leastTimes);
        correction.shift = amortizeBackward(limits, correction.jumps, points[i].begin, parameters.slope);
    });
    return result;
}

}  // namespace holos::analyzer::clocks
