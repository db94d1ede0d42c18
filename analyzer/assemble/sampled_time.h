// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::assemble {

/// An attribute of the experiment: how much of its time was shared out by samples.
inline constexpr const char* kSampledTimeAttribute = "holos::sampled time";

/// Says of an experiment, and of its metrics, that parts of the time are estimates. Nothing where no time was
/// shared out by samples.
void markSampledTime(algebra::Experiment& experiment, const replay::ReplayedCalls& calls);

}  // namespace holos::analyzer::assemble
