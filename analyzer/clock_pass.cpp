// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clock_pass.h"

#include "analyzer/clocks/shared_correction.h"
#include "analyzer/clocks/violations.h"
#include "analyzer/matching/matches.h"
#include "analyzer/patterns/search.h"

namespace holos::analyzer {

CorrectedClocks correctClocks(Reading reading, const trace::Definitions& definitions,
                              const std::vector<trace::RegionClass>& classes,
                              const clocks::ClockParameters& parameters) {
    const clocks::FineTicks fine(definitions.clock);
    std::vector<std::unique_ptr<clocks::ClockSurvey>> surveys;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        surveys.push_back(std::make_unique<clocks::ClockSurvey>(fine, parameters));
    reading.withCounters = false;
    reading.clockOf = [&](trace::LocationId location) { return surveys[location.index()].get(); };
    const replay::ReplayedTrace trace{definitions, readTrace(reading, definitions, classes).traces};
    std::vector<clocks::ClockPoints> points;
    for (const auto& survey : surveys) points.push_back(survey->take());
    clocks::bringToFirst(reading.ranks, reading.shares, points);

    CorrectedClocks corrected{{}, fine.clock(), {}, {}};
    corrected.correction.locations.resize(definitions.locations.size());
    reading.ranks.agree([&] {
        if (!reading.ranks.isFirst()) return;
        auto [matches, operations] = matching::matchRecords(trace, reading.workers, reading.memory);
        const patterns::Waits waits =
            patterns::findWaits({trace, matches}, std::move(operations), reading.workers, reading.memory)
                .waits;
        corrected.diagnoses =
            clocks::clockViolations({trace, matches, waits}, reading.workers, "the clocks were corrected");
        corrected.correction =
            clocks::correctClocks({trace, matches}, std::move(points), fine, parameters, reading.workers);
    });
    clocks::bringFromFirst(reading.ranks, reading.shares, corrected.correction.locations);
    for (const clocks::Correction& correction : corrected.correction.locations)
        corrected.byLocation.push_back(
            std::make_unique<clocks::CorrectedClock>(fine, parameters, correction));
    return corrected;
}

}  // namespace holos::analyzer
