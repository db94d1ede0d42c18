// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/insight/summary/measures.h"

namespace holos::algebra {

/// How many times as long a wait of these wait states is in the last two fifths of the time since waiting
/// began as in the first two, where it grows all the time and more than chance makes it. Nothing where it
/// does not, or where the analysis kept no course of it.
std::optional<double> growthOf(const Measures& measures, const MetricNames& waits);

/// A part of the run in which most waiting begins.
struct WaitingPhase {
    double begin = 0;  ///< of the run's time: 0 to 1
    double end = 0;
    double share = 0;  ///< of all waiting
};

/// The shortest part of the run with at least four fifths of the waiting of these wait states. Nothing where
/// it is more than two fifths of what the run takes without starting and ending MPI, or where the analysis
/// kept no course of it.
std::optional<WaitingPhase> waitingPhaseOf(const Measures& measures, const MetricNames& waits);

}  // namespace holos::algebra
