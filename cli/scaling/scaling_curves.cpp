// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "algebra/model/call_names.h"
#include "base/short_name.h"
#include "cli/scaling/scaling_formats.h"
#include "report/plot/scaling_curves.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

constexpr std::size_t kMostCurves = 8;
}  // namespace

plot::Curves scalingCurves(const ScalingReport& report) {
    const algebra::Experiment& program = report.study.program();
    const ShortNames names = algebra::shortNamesOf(program);
    const std::string metric =
        report.models->paths.empty() ? std::string() : report.models->paths.front().metric;
    plot::Curves curves{"What grows: " + metric + " of a thread, on average",
                        report.study.parameters().front(),
                        plot::withUnit(report.study, metric),
                        {}};
    for (const Growing& path : listedPaths(report)) {
        if (curves.curves.size() == kMostCurves) break;
        curves.curves.push_back(plot::curveOf(report.study, path, report.models->at,
                                              algebra::callPathText(program, *path.path, names)));
    }
    return curves;
}

}  // namespace holos::cli
