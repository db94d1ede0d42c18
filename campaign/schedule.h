// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "campaign/state.h"

namespace holos::campaign {

/// The runs that are still to be done for `measurements`, in the order in which each measurement is done once
/// before any is repeated. A run that finished or is scripted serves one measurement whose events it has,
/// also one of another plan. New runs get names that no run had before. Where the request compares with
/// multiplexing, the last run counts all events at once, as many as a recording can have; it serves nothing
/// else.
std::vector<Run> remainingRuns(const std::vector<Measurement>& measurements, const State& state);

/// One more run of a measurement.
Run anotherRun(const Measurement& measurement, const State& state);

/// How many finished runs have all events of a measurement.
std::size_t runsOf(const Measurement& measurement, const State& state);

/// Decides which of the runs to be done leave profiles, and which traces. `needsTrace`: of events that no
/// profile keeps.
void chooseRecordings(std::vector<Run>& runs, const State& state,
                      const std::function<bool(const Measurement&)>& needsTrace);

/// The mean duration of finished runs whose duration is known, times `runs`; 0 when none is known.
double secondsFor(std::size_t runs, const State& state);

}  // namespace holos::campaign
