// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::cli {

/// What to draw in front of each metric's name, by MetricId: `├─ `, `│  └─ `. `shown`, by MetricId, says
/// which metrics are drawn at all.
std::vector<std::string> metricBranches(const algebra::Experiment& experiment,
                                        const std::vector<bool>& shown);

}  // namespace holos::cli
