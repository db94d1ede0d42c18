// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/plot/plot.h"

namespace holos::plot {

/// The lines of a spread, in their order.
enum class SpreadLine : std::size_t { Maximum, UpperQuartile, Median, LowerQuartile, Minimum, Mean };

/// Puts how the values of all lines are distributed in each part in the place of the lines.
void foldIntoSpread(Panel& panel);

inline const Line& lineOf(const Panel& panel, SpreadLine line) {
    return panel.lines[static_cast<std::size_t>(line)];
}

}  // namespace holos::plot
