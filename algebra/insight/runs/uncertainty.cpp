// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/uncertainty.h"

#include <cmath>
#include <numeric>

#include "algebra/insight/scaling/noise.h"

namespace holos::algebra {

namespace {

struct Sample {
    explicit Sample(const std::vector<double>& values) : count(static_cast<double>(values.size())) {
        mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
        for (const double value : values) squares += (value - mean) * (value - mean);
    }

    bool isRepeated() const { return count > 1; }
    double variance() const { return squares / (count - 1); }

    double count;
    double mean = 0;
    double squares = 0;
};

/// 95 % of the differences of such means are no further from the true one.
double errorOf(const Sample& first, const Sample& second) {
    if (!first.isRepeated() || !second.isRepeated()) {
        const Sample& known = first.isRepeated() ? first : second;
        return scaling::deviationsOf95Percent(static_cast<std::size_t>(known.count) - 1) *
               std::sqrt(known.variance() * (1 / first.count + 1 / second.count));
    }
    const double one = first.variance() / first.count, other = second.variance() / second.count;
    const double all = one + other;
    if (!(all > 0)) return 0;
    const double freedom = all * all / (one * one / (first.count - 1) + other * other / (second.count - 1));
    return scaling::deviationsOf95Percent(static_cast<std::size_t>(freedom)) * std::sqrt(all);
}

}  // namespace

bool MeanDifference::isWithinError() const {
    return error && std::fabs(difference()) <= *error;
}

std::optional<double> errorOfMean(const std::vector<double>& values) {
    const Sample sample(values);
    if (!sample.isRepeated()) return std::nullopt;
    return scaling::deviationsOf95Percent(values.size() - 1) * std::sqrt(sample.variance() / sample.count);
}

MeanDifference differenceOfMeans(const std::vector<double>& first, const std::vector<double>& second) {
    const Sample one(first), other(second);
    MeanDifference found{one.mean, other.mean, std::nullopt};
    if (one.isRepeated() || other.isRepeated()) found.error = errorOf(one, other);
    return found;
}

}  // namespace holos::algebra
