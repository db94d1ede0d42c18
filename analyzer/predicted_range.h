// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "analyzer/predict/conditions.h"
#include "analyzer/predictor.h"

namespace holos::analyzer {

/// A prediction in seconds, and between which values a run lies that is as predicted.
struct PredictedTime {
    double seconds = 0;
    double withoutOwn = 0;  ///< the same without the own time of MPI's calls
    double least = 0;
    double most = 0;
};

/// What a replay cannot know about is the own time of MPI's calls: under the conditions it may be gone, as it
/// was waiting, too, or be as much again. Computation varies from run to run, and more where threads had no
/// processor; if work is balanced, some may be late all the same for that reason. By what a replay without
/// changes misses, this one may be off, too.
PredictedTime predictedTime(const Predictor& predictor, std::span<const predict::Condition> conditions);

/// From run to run, on a machine that nobody else uses (docs/prediction.md).
inline constexpr double kUsualVariation = 0.02;

}  // namespace holos::analyzer
