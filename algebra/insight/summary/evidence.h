// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// A problem of this kind, in the words of its rule.
Problem problemOf(const Measures& measures, const char* kind, double cost);

/// Puts a call path into the problem, with its text and the source line.
void placeAt(const Measures& measures, CallPathId path, Problem& problem);

/// Says of sleep that it may be waiting for processes that the program forked and nobody recorded, if there
/// are any: nobody knows then what is gained without it.
void addUnrecordedChildren(const Measures& measures, Problem& problem);

/// Adds the values of these metrics, the largest first, without those that have next to nothing of their sum.
/// With a path they are those of the path and what it calls.
void addEvidence(const Measures& measures, const MetricNames& names, const std::string& says,
                 std::optional<CallPathId> path, const ChosenLocations& locations, Problem& problem);

/// Says who waits in a call path, and how long.
void describeWaiters(const Measures& measures, const MetricNames& waits, CallPathId path, Problem& problem);

}  // namespace holos::algebra
