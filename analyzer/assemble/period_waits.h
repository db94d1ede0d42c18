// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/period_waits.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// What was waited in each of the periods in which a trace was recorded, where recording was switched off and
/// on (`MEASUREMENT OFF`): the n-th of all processes count as one, as long as all have it. Without periods
/// where recording was never switched. After patterns.
algebra::PeriodWaits periodWaits(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                                 workers::Workers& workers);

}  // namespace holos::analyzer::assemble
