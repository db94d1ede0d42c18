// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/scaling/model_search.h"

namespace holos::algebra::scaling {

/// The measurements at one point each, as the fits need them.
struct Points {
    std::vector<Point> at;
    std::vector<double> values;      ///< the mean of the repetitions
    std::vector<double> deviations;  ///< of these means, for a noise of 1 (100 %)
    double noise = 0;         ///< of one measurement, as a part of its value; 0: repetitions say nothing
    std::size_t freedom = 0;  ///< how many differences between repetitions that is known from
};

Points pointsOf(const std::vector<Measurement>& measurements);

/// How many standard deviations around the mean hold 95 % of values, where the deviation is known from this
/// many differences (Student's distribution).
double deviationsOf95Percent(std::size_t freedom);

/// Whether a mean square of this size, in units of the noise's, is too large to be noise: chance exceeds it
/// in one of a thousand cases (F test for lack of fit). `freedom` is that of the mean square,
/// `freedomOfNoise` that of the noise, which is known from repetitions; with 0 nothing can be said.
bool isBeyondNoise(double meanSquare, std::size_t freedom, std::size_t freedomOfNoise);

}  // namespace holos::algebra::scaling
