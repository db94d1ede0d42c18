// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"

namespace holos::algebra {

/// The first metric that counts executed instructions, or cycles of processors; nothing where none does.
std::optional<MetricId> instructionMetric(const Experiment& experiment);
std::optional<MetricId> cycleMetric(const Experiment& experiment);

/// Why some threads compute longer than others in a call path (or the whole program), as far as counters
/// tell: more instructions, fewer of them in a cycle, more misses. Empty where none were counted.
std::string counterReason(const Measures& measures, std::optional<CallPathId> path,
                          const std::vector<LocationId>& high, const std::vector<LocationId>& low);

}  // namespace holos::algebra
