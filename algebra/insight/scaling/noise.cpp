// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/noise.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace holos::algebra::scaling {

namespace {

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Points pointsOf(const std::vector<Measurement>& measurements) {
    // Values near zero beside large ones are no more exact than this part of the largest.
    constexpr double kSmallest = 0.02;
    Points points;
    double largest = 0;
    for (const Measurement& each : measurements) {
        points.at.push_back(each.at);
        points.values.push_back(meanOf(each.values));
        largest = std::max(largest, std::abs(points.values.back()));
    }
    double squares = 0;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        const double size = std::max({std::abs(points.values[i]), kSmallest * largest, 1e-300});
        for (const double value : measurements[i].values)
            squares += std::pow((value - points.values[i]) / size, 2);
        points.freedom += measurements[i].values.size() - 1;
        points.deviations.push_back(size / std::sqrt(static_cast<double>(measurements[i].values.size())));
    }
    if (points.freedom > 0) points.noise = std::sqrt(squares / static_cast<double>(points.freedom));
    return points;
}

namespace {

// Not by long double, for which the library fills tables when a program is loaded, and gives up under
// valgrind.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double deviationsOf95Percent(std::size_t freedom) {
    const boost::math::students_t_distribution<double, InDouble> distribution(
        static_cast<double>(std::max<std::size_t>(freedom, 1)));
    return boost::math::quantile(distribution, 0.975);
}

bool isBeyondNoise(double meanSquare, std::size_t freedom, std::size_t freedomOfNoise) {
    if (freedom == 0 || freedomOfNoise == 0) return false;
    const boost::math::fisher_f_distribution<double, InDouble> distribution(
        static_cast<double>(freedom), static_cast<double>(freedomOfNoise));
    constexpr double kByChance = 0.001;
    return meanSquare > boost::math::quantile(boost::math::complement(distribution, kByChance));
}

}  // namespace holos::algebra::scaling
