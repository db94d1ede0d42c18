// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "analyzer/clocks/clock_correction.h"
#include "analyzer/read_trace.h"

namespace holos::analyzer {

/// Clocks for a second reading, in which the events come in their logical order.
struct CorrectedClocks {
    clocks::ClockCorrection correction;
    trace::Clock clock;  ///< that counts the corrected times
    std::vector<std::unique_ptr<clocks::CorrectedClock>> byLocation;
    std::vector<Diagnosis> diagnoses;  ///< of what was in an impossible order
};

/// Reads the trace once to see which events follow which. The first rank finds out what has to be done, and
/// each has it for the locations that it reads.
CorrectedClocks correctClocks(Reading reading, const trace::Definitions& definitions,
                              const std::vector<trace::RegionClass>& classes,
                              const clocks::ClockParameters& parameters);

}  // namespace holos::analyzer
