// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clock_pass.h"

#include "analyzer/clocks/clock_survey.h"
#include "analyzer/clocks/corrected_clock.h"
#include "analyzer/clocks/violations.h"
#include "analyzer/matching/matches.h"
#include "analyzer/patterns/search.h"
#include "base/packing.h"

namespace holos::analyzer {

namespace {

using clocks::ClockPoints;
using clocks::Correction;

template <class Packing>
void describe(Packing& packing, ClockPoints& points) {
    packing.value(points.begin);
    packing.list(points.list);
}

template <class Packing>
void describe(Packing& packing, Correction& correction) {
    packing.list(correction.jumps);
    correction.shift.pack(packing);
}

/// Rank `from`'s values of what rank `reader` reads come to rank `to`.
template <class Value>
void bring(workers::Ranks& ranks, const workers::Shares& shares, unsigned reader, unsigned from, unsigned to,
           std::vector<Value>& values) {
    if (ranks.self() == from) {
        Packer packer;
        for (const trace::LocationId location : shares.of(reader)) describe(packer, values[location.index()]);
        ranks.send(to, packer.take());
    } else if (ranks.self() == to) {
        Unpacker unpacker(ranks.receive(from));
        for (const trace::LocationId location : shares.of(reader))
            describe(unpacker, values[location.index()]);
    }
}

/// What each rank noted of the locations that it read goes to the first.
void bringToFirst(Reading& reading, std::vector<ClockPoints>& points) {
    for (unsigned rank = 1; rank < reading.ranks.count(); ++rank)
        bring(reading.ranks, reading.shares, rank, rank, 0, points);
}

/// What the first rank found out about locations goes to those who read them.
void bringFromFirst(Reading& reading, std::vector<Correction>& locations) {
    for (unsigned rank = 1; rank < reading.ranks.count(); ++rank)
        bring(reading.ranks, reading.shares, rank, 0, rank, locations);
}

}  // namespace

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
    bringToFirst(reading, points);

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
    bringFromFirst(reading, corrected.correction.locations);
    for (const clocks::Correction& correction : corrected.correction.locations)
        corrected.byLocation.push_back(
            std::make_unique<clocks::CorrectedClock>(fine, parameters, correction));
    return corrected;
}

}  // namespace holos::analyzer
