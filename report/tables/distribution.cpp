// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/model/statistics.h"
#include "report/tables/summary.h"

namespace holos::tables {
namespace {

constexpr std::size_t kBins = 16;
constexpr std::array<const char*, 9> kHeights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// Every part that has a value gets at least the lowest bar.
std::string histogramText(const std::vector<double>& values) {
    const auto counts = algebra::histogramOf(values, kBins);
    const std::size_t most = *std::ranges::max_element(counts);
    std::string text;
    for (const std::size_t count : counts)
        text += kHeights[most == 0 ? 0 : (count * (kHeights.size() - 1) + most - 1) / most];
    return text;
}

}  // namespace

std::string distributionText(const std::vector<double>& values, const std::string& unit) {
    const algebra::Statistics found = algebra::statisticsOf(values);
    if (found.count < 2) return {};
    const auto text = [&unit](double value) { return valueText(value, unit); };
    return fmt::format(
        "  quartiles {} | {} | {} | {} | {}\n  mean {}, standard deviation {}, imbalance {}\n  {} |{}| {}\n",
        text(found.minimum), text(found.lowerQuartile), text(found.median), text(found.upperQuartile),
        text(found.maximum), text(found.mean), text(found.standardDeviation),
        std::isnan(found.imbalance) ? "-" : fmt::format("{:.1f} %", 100.0 * found.imbalance),
        text(found.minimum), histogramText(values), text(found.maximum));
}

}  // namespace holos::tables
