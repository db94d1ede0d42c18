// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace holos::gui {

namespace {

double quantile(const std::vector<double>& sorted, double part) {
    const double at = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

}  // namespace

std::size_t Distribution::binOf(double value) const {
    const double width = (maximum - minimum) / static_cast<double>(bins.size());
    if (!(width > 0.0)) return 0;
    const double at = std::max(0.0, (value - minimum) / width);
    return std::min(bins.size() - 1, static_cast<std::size_t>(at));
}

std::optional<Distribution> distributionOf(std::vector<double> values, std::size_t bins) {
    values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
                 values.end());
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    Distribution found;
    found.count = values.size();
    const auto count = static_cast<double>(found.count);
    found.minimum = values.front();
    found.lowerQuartile = quantile(values, 0.25);
    found.median = quantile(values, 0.5);
    found.upperQuartile = quantile(values, 0.75);
    found.maximum = values.back();
    found.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0.0;
    for (const double value : values) squares += (value - found.mean) * (value - found.mean);
    found.deviation = std::sqrt(squares / count);
    found.bins.assign(found.minimum < found.maximum ? std::max<std::size_t>(bins, 1) : 1, 0);
    for (const double value : values) ++found.bins[found.binOf(value)];
    return found;
}

}  // namespace holos::gui
