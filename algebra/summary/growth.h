// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/summary/measures.h"

namespace holos::algebra {

/// How many times the waiting of these wait states in the last two fifths of the run is that in the first
/// two, where it grows all the time. Nothing where it does not, or where the analysis kept no course of it.
std::optional<double> growthOf(const Measures& measures, const MetricNames& waits);

}  // namespace holos::algebra
