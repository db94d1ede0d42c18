// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/clocks/clock_survey.h"
#include "analyzer/clocks/corrected_clock.h"
#include "analyzer/workers/ranks.h"
#include "analyzer/workers/shares.h"

namespace holos::analyzer::clocks {

/// What each rank noted of the locations that it read goes to the first.
void bringToFirst(workers::Ranks& ranks, const workers::Shares& shares, std::vector<ClockPoints>& points);

/// What the first rank found out about locations goes to those who read them.
void bringFromFirst(workers::Ranks& ranks, const workers::Shares& shares, std::vector<Correction>& locations);

}  // namespace holos::analyzer::clocks
