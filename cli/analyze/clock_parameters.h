// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "analyzer/clocks/controlled_clock.h"

namespace holos::cli {

/// From words such as `message=3e-6`; what is not named keeps its default. Throws `UsageError` for other
/// names and values that make no sense.
analyzer::clocks::ClockParameters clockParameters(const std::vector<std::string>& words);

}  // namespace holos::cli
