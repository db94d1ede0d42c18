// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/scaling_curves.h"

#include <algorithm>
#include <cmath>

namespace holos::plot {

using namespace algebra::scaling;

namespace {

constexpr int kSteps = 120;

/// The sizes that differ from the largest one in the first parameter only.
std::vector<std::size_t> groupsAlong(const Study& study) {
    const Point& largest = study.groups().back().at;
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < study.groups().size(); ++i)
        if (std::equal(largest.begin() + 1, largest.end(), study.groups()[i].at.begin() + 1))
            groups.push_back(i);
    return groups;
}

}  // namespace

Curve curveOf(const Study& study, const Growing& growing, const Point& at, std::string name) {
    Curve curve{std::move(name), {}, {}};
    const auto& groups = study.groups();
    const std::vector<std::size_t> along = groupsAlong(study);
    for (const std::size_t i : along) curve.measured.push_back({groups[i].at.front(), growing.measured[i]});
    const double largest = groups.back().at.front();
    const double from = groups[along.front()].at.front();
    const double to = at.front();
    for (int step = 0; step <= kSteps; ++step) {
        const double x = from * std::pow(to / from, static_cast<double>(step) / kSteps);
        Point place = x > largest ? at : groups.back().at;
        place.front() = x;
        curve.law.push_back({x, growing.model.model().at(place)});
    }
    curve.low = {to, growing.predicted.low};
    curve.high = {to, growing.predicted.high};
    return curve;
}

std::string withUnit(const Study& study, const std::string& metric) {
    std::string unit;
    for (std::size_t run = 0; unit.empty() && run < study.runs().size(); ++run)
        if (const auto found = study.experiment(run).findMetric(metric))
            unit = study.experiment(run).metrics[*found].unit;
    return unit.empty() ? metric : metric + " (" + (unit == "sec" ? "s" : unit) + ")";
}

}  // namespace holos::plot
