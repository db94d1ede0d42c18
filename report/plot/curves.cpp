// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/curves.h"

#include <algorithm>
#include <cmath>

namespace holos::plot {

namespace {
constexpr double kRounding = 1e-9;
}

void LogarithmicAxis::extend(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    low = isEmpty ? value : std::min(low, value);
    high = isEmpty ? value : std::max(high, value);
    isEmpty = false;
}

void LogarithmicAxis::roundToPowers() {
    low = std::pow(10.0, std::floor(std::log10(low) + kRounding));
    high = std::pow(10.0, std::ceil(std::log10(high) - kRounding));
    if (high <= low) high = 10 * low;
}

double LogarithmicAxis::placeOf(double value) const {
    return high > low ? std::log(value / low) / std::log(high / low) : 0.5;
}

LogarithmicAxis acrossOf(const Curves& curves) {
    LogarithmicAxis axis;
    for (const Curve& curve : curves.curves)
        for (const auto* points : {&curve.measured, &curve.law})
            for (const PlacedValue& point : *points) axis.extend(point.x);
    return axis;
}

LogarithmicAxis upOf(const Curves& curves) {
    LogarithmicAxis axis;
    for (const Curve& curve : curves.curves) {
        for (const auto* points : {&curve.measured, &curve.law})
            for (const PlacedValue& point : *points) axis.extend(point.y);
        axis.extend(curve.high.y);
    }
    axis.roundToPowers();
    // A law that falls to nothing would press all others together.
    constexpr double kMost = 1e6;
    axis.low = std::max(axis.low, axis.high / kMost);
    return axis;
}

bool LogarithmicAxis::holds(double value) const {
    return value > 0 && value >= low * (1 - kRounding) && value <= high * (1 + kRounding);
}

std::vector<double> LogarithmicAxis::powers() const {
    std::vector<double> powers;
    for (double power = low; power <= high * (1 + kRounding); power *= 10) powers.push_back(power);
    return powers;
}

std::vector<double> marksAcross(const Curves& curves) {
    std::vector<double> marks;
    for (const Curve& curve : curves.curves) {
        for (const PlacedValue& point : curve.measured) marks.push_back(point.x);
        if (!curve.law.empty()) marks.push_back(curve.law.back().x);
    }
    std::ranges::sort(marks);
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    return marks;
}

}  // namespace holos::plot
