// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/spread.h"

#include <array>
#include <cmath>
#include <utility>

#include "algebra/model/statistics.h"

namespace holos::plot {

namespace {

struct Measure {
    const char* name;
    double algebra::Statistics::*value;
};

/// As `SpreadLine` has them.
constexpr std::array kMeasures{Measure{"maximum", &algebra::Statistics::maximum},
                               Measure{"upper quartile", &algebra::Statistics::upperQuartile},
                               Measure{"median", &algebra::Statistics::median},
                               Measure{"lower quartile", &algebra::Statistics::lowerQuartile},
                               Measure{"minimum", &algebra::Statistics::minimum},
                               Measure{"mean", &algebra::Statistics::mean}};

/// NaN where nothing is known.
double meanOf(const Line& line) {
    return algebra::statisticsOf(line.means).mean;
}

NamedMean named(const Line& line) {
    return {line.name, meanOf(line)};
}

/// The lines with the smallest and the largest mean; both may be the same.
std::pair<NamedMean, NamedMean> ends(const std::vector<Line>& lines) {
    std::pair<NamedMean, NamedMean> ends{named(lines.front()), named(lines.front())};
    for (const Line& line : lines) {
        const NamedMean one = named(line);
        if (std::isnan(one.mean)) continue;
        if (!(one.mean >= ends.first.mean)) ends.first = one;
        if (!(one.mean <= ends.second.mean)) ends.second = one;
    }
    return ends;
}

}  // namespace

void foldIntoSpread(Panel& panel) {
    const std::vector<Line> all = std::exchange(panel.lines, {});
    const auto [lowest, highest] = ends(all);
    panel.spread = Spread{all.size(), lowest, highest};
    for (const Measure& measure : kMeasures) panel.lines.push_back({measure.name, {}});
    for (std::size_t part = 0; part < all.front().means.size(); ++part) {
        std::vector<double> values;
        for (const Line& line : all) values.push_back(line.means[part]);
        const algebra::Statistics found = algebra::statisticsOf(std::move(values));
        for (std::size_t line = 0; line < kMeasures.size(); ++line)
            panel.lines[line].means.push_back(found.*kMeasures[line].value);
    }
}

}  // namespace holos::plot
