// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer {

/// What must hold of every trace, and of the analysis of it, and does not:
///
/// - `span of locations`: the events of each location lie between the start and the end of the run;
/// - `time of locations`: the times of the call paths of each location add up to the time from its first
/// event
///   to its last one.
///
/// As attributes of an experiment (`algebra/operators/history/recorded_run.h`), each with numbers and the
/// first location that breaks the law; none of a sound trace.
algebra::Attributes brokenLaws(const replay::ReplayedCalls& calls, const replay::ReplayedTrace& trace);

}  // namespace holos::analyzer
