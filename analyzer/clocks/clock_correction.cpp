// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/clock_correction.h"

#include "analyzer/clocks/backward.h"
#include "analyzer/clocks/epoch_constraints.h"

namespace holos::analyzer::clocks {

namespace {

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
