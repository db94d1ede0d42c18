// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/analyze.h"

namespace holos::testing {

/// How well times are known after a correction, in seconds.
inline constexpr double kTolerance = 1e-10;

/// Clocks are corrected as far as events that follow each other are less than 10 ticks of a millisecond
/// apart.
inline analyzer::AnalysisOptions corrected() {
    analyzer::AnalysisOptions options;
    options.correctClocks = analyzer::clocks::ClockParameters{
        .control = 0.5, .step = 0, .message = 0.010, .collective = 0.010, .threads = 0.010, .slope = 0.5};
    return options;
}

}  // namespace holos::testing
