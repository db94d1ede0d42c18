// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace holos::plot {
namespace {

constexpr double kMarks = 3.0;
constexpr double kRounding = 1e-9;  // what the means of equal values may differ by, relative
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 1, 2 or 5 times a power of ten, at least `distance`.
double roundStep(double distance) {
    const double power = std::pow(10.0, std::floor(std::log10(distance)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= distance * (1.0 - 1e-9)) return digit * power;
    return 10.0 * power;
}

struct Prefix {
    double value;
    const char* symbol;
};
constexpr std::array kPrefixes{Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"}, Prefix{1e6, "M"},
                               Prefix{1e3, "k"}};
constexpr double kRoundedUp = 0.9995;  // what three digits would write as 1000 of the smaller prefix

}  // namespace

Axis axisBetween(double low, double high) {
    const double step = roundStep((high - low) / kMarks);
    return {step * std::floor(low / step + 1e-9), step * std::ceil(high / step - 1e-9), step};
}

Axis axisOf(const Panel& panel) {
    double low = kInfinity, high = -kInfinity;
    for (const Line& line : panel.lines)
        for (const double value : line.means) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high) return {};
    const bool nearZero = low > 0.0 && low < 0.5 * high;
    if (panel.grows || nearZero) low = std::min(low, 0.0);
    if (high - low <= kRounding * std::fabs(high)) {
        high += low == 0.0 ? 1.0 : 0.1 * std::fabs(low);
        low -= 0.1 * std::fabs(low);
    }
    return axisBetween(low, high);
}

std::string shortNumber(double value) {
    const double magnitude = std::fabs(value);
    for (const Prefix& prefix : kPrefixes)
        if (magnitude >= kRoundedUp * prefix.value)
            return fmt::format("{:.3g}{}", value / prefix.value, prefix.symbol);
    return fmt::format("{:.4g}", value + 0.0);  // no -0
}

}  // namespace holos::plot
