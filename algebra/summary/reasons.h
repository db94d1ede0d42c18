// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/summary/measures.h"

namespace holos::algebra {

/// Why some threads compute longer than others in a call path (or the whole program), as far as counters
/// tell: more instructions, fewer of them in a cycle, more misses. Empty where none were counted.
std::string counterReason(const Measures& measures, std::optional<CallPathId> path,
                          const std::vector<LocationId>& high, const std::vector<LocationId>& low);

}  // namespace holos::algebra
