// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/severities.h"
#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// What patterns find in a trace, by location.
struct Findings {
    Waits waits;
    Severities severities;
};

/// Looks for all patterns, in the order of their list. Waits are kept in `memory`. The same for any number of
/// workers.
Findings findWaits(const matching::MatchedTrace& run, matching::CollectiveOperations operations,
                   workers::Workers& workers, Memory memory);

}  // namespace holos::analyzer::patterns
