// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::analyzer {

/// Between which values a run lies that is as predicted.
struct PredictedRange {
    double least = 0;  ///< seconds
    double most = 0;
};

/// What a replay cannot know about is the own time of MPI's calls: under the condition it may be gone, as it
/// was waiting, too, or be as much again. Computation varies from run to run by `kUsualVariation` of the
/// whole. `withoutOwn`: the prediction without the own time; `deviation`: by which part of the recorded time
/// a replay without changes misses it.
PredictedRange predictedRange(double seconds, double withoutOwn, double deviation = 0);

/// From run to run, on a machine that nobody else uses (docs/prediction.md).
inline constexpr double kUsualVariation = 0.02;

}  // namespace holos::analyzer
