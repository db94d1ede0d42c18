// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/findings/efficiencies.h"
#include "base/at_most.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

struct EfficiencyLine {
    std::optional<algebra::CallPathId> path;  ///< nothing: the whole program
    algebra::Efficiencies values;
};

/// The whole program, and below it the call paths that take most time, at most `top`, in the order
/// of the call tree.
std::vector<EfficiencyLine> efficiencyLines(const algebra::Experiment& experiment, AtMost top);

std::string efficiencyText(const algebra::Experiment& experiment, const std::vector<EfficiencyLine>& lines,
                           const Style& style);
std::string efficiencyCsv(const algebra::Experiment& experiment, const std::vector<EfficiencyLine>& lines);
std::string efficiencyJson(const algebra::Experiment& experiment, const std::vector<EfficiencyLine>& lines);

}  // namespace holos::cli
