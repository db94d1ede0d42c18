// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/scaling/performance_model.h"
#include "base/error.h"

namespace holos::algebra::scaling {

/// What was measured in runs with the same parameters.
struct Measurement {
    Point at;
    std::vector<double> values;  ///< by repetition, at least one
};

/// There are too few runs for a model; everything else can still be said.
class TooFewSizes : public Error {
  public:
    using Error::Error;
};

/// Different values of each parameter without which no model is looked for. With three, any growth with two
/// factors is nearly sure to fit.
inline constexpr std::size_t kFewestSizes = 4;

inline constexpr std::size_t kMostParameters = 3;

/// The law that values follow, in the performance model normal form. Each candidate is a constant and one
/// product; one that vanishes beside one that grows; or, with two or three parameters, sums of products of
/// what was found for each of them (M. Ritter et al.: Learning Cost-Effective Sampling Strategies for
/// Empirical Performance Modeling, IPDPS 2020). The likeliest is chosen: what a model leaves unexplained is
/// measured in the noise that repetitions show, and unusual exponents must explain more than usual ones. (To
/// choose by leave-one-out cross-validation finds the law less often, as points at the ends of so few sizes
/// weigh most.)
///
/// With one parameter, laws that change at some size are looked for as well, and are chosen where they
/// explain much more: a step, a kink, growth that ends. What chance does not explain is tested where there
/// are repetitions; then the bounds are wider, and the model says that it does not fit.
///
/// Throws `TooFewSizes` when a parameter has fewer than `kFewestSizes` values, and `holos::Error` when there
/// are more than `kMostParameters`, or when one is smaller than 1. Pure; thread safety: safe.
ModelChoice findModel(const std::vector<Measurement>& measurements);

}  // namespace holos::algebra::scaling
