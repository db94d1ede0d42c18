// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/scaling/model_search.h"
#include "algebra/insight/scaling/study.h"

namespace holos::algebra::scaling {

/// How a metric grows, in the whole program or in a call path of the study's program alone. Values are those
/// of a thread, on average.
struct Growing {
    std::string metric;
    std::optional<CallPathId> path;
    std::vector<double> measured;  ///< by group, the mean of its runs
    ModelChoice model;
    Prediction predicted;  ///< at the point that was asked for
    double share = 0;      ///< of the sum of what is predicted for all call paths; 1 for the whole program
};

/// The models of a metric in all call paths that have any of it, those with the largest prediction first.
/// Throws `holos::Error` when no run has the metric, or when there are too few sizes for models
/// (`findModel`).
std::vector<Growing> growingPaths(const Study& study, const std::string& metric, const Point& at);

/// The models of call paths with all that they call, for those that have nothing of the metric themselves.
std::vector<Growing> growingSubtrees(const Study& study, const std::string& metric, const Point& at);

/// The model of each of these metrics in the whole program, in their order, without those that not all runs
/// have.
std::vector<Growing> growingMetrics(const Study& study, const std::vector<std::string>& metrics,
                                    const Point& at);

}  // namespace holos::algebra::scaling
