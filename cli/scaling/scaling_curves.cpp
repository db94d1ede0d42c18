// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/model/call_names.h"
#include "base/short_name.h"
#include "cli/scaling/scaling_formats.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

constexpr std::size_t kMostCurves = 8;
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

plot::Curve curveOf(const ScalingReport& report, const Growing& growing, std::string name) {
    plot::Curve curve{std::move(name), {}, {}};
    const auto& groups = report.study.groups();
    const std::vector<std::size_t> along = groupsAlong(report.study);
    for (const std::size_t i : along) curve.measured.push_back({groups[i].at.front(), growing.measured[i]});
    const double largest = groups.back().at.front();
    const double from = groups[along.front()].at.front();
    const double to = report.models->at.front();
    for (int step = 0; step <= kSteps; ++step) {
        const double x = from * std::pow(to / from, static_cast<double>(step) / kSteps);
        Point at = x > largest ? report.models->at : groups.back().at;
        at.front() = x;
        curve.law.push_back({x, growing.model.model().at(at)});
    }
    curve.low = {to, growing.predicted.low};
    curve.high = {to, growing.predicted.high};
    return curve;
}

/// `time (s)`, of a metric that the runs have.
std::string withUnit(const Study& study, const std::string& metric) {
    std::string unit;
    for (std::size_t run = 0; unit.empty() && run < study.runs().size(); ++run)
        if (const auto found = study.experiment(run).findMetric(metric))
            unit = study.experiment(run).metrics[*found].unit;
    return unit.empty() ? metric : metric + " (" + (unit == "sec" ? "s" : unit) + ")";
}

}  // namespace

plot::Curves scalingCurves(const ScalingReport& report) {
    const algebra::Experiment& program = report.study.program();
    const ShortNames names = algebra::shortNamesOf(program);
    const std::string metric =
        report.models->paths.empty() ? std::string() : report.models->paths.front().metric;
    plot::Curves curves{"What grows: " + metric + " of a thread, on average",
                        report.study.parameters().front(),
                        withUnit(report.study, metric),
                        {}};
    for (const Growing& path : listedPaths(report)) {
        if (curves.curves.size() == kMostCurves) break;
        curves.curves.push_back(curveOf(report, path, algebra::callPathText(program, *path.path, names)));
    }
    return curves;
}

}  // namespace holos::cli
