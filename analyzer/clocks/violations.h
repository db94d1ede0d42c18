// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::clocks {

/// Where clocks disagree: events that were recorded before ones that they follow, such as a receive before
/// its send. One diagnosis for each pair of locations and kind of event, with their number, the first of them
/// and how far they are off. `consequence`: what was done about it.
std::vector<Diagnosis> clockViolations(const patterns::JudgedTrace& run, workers::Workers& workers,
                                       const std::string& consequence);

}  // namespace holos::analyzer::clocks
