// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "cli/show_formats.h"
#include "cli/summary.h"

namespace holos::cli {

using namespace algebra;

namespace {

/// A field as RFC 4180 wants it.
std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// Exact, and empty where undefined.
std::string field(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

std::string metricTable(const Experiment& experiment) {
    std::string text = "metric,display_name,parent,unit,value,percent_of_root\n";
    for (const auto& [id, value, percent, why] : metricLines(experiment)) {
        const Metric& metric = experiment.metrics[id];
        const auto parent = experiment.metrics.parent(id);
        text += fmt::format("{},{},{},{},{},{}\n", field(metric.uniqueName), field(metric.displayName),
                            parent ? field(experiment.metrics[*parent].uniqueName) : "", field(metric.unit),
                            field(value), percent ? field(*percent) : "");
    }
    return text;
}

/// One row per call path: its sums, and the exclusive value of every location.
std::string callPathTable(const Experiment& experiment, MetricId metric, std::size_t top) {
    std::string text = "call_path,module,line,inclusive,exclusive";
    for (std::size_t at = 0; at < experiment.system.locations.size(); ++at)
        text += ',' + field(locationText(experiment, LocationId(at)));
    text += '\n';
    for (const auto& [path, exclusive, inclusive] : hottestCallPaths(experiment, metric, top)) {
        const Region& region = experiment.regionOf(path);
        text += fmt::format("{},{},{},{},{}", field(pathText(experiment, path)), field(region.module),
                            region.beginLine, field(inclusive), field(exclusive));
        for (const double value : perLocation(experiment, {metric}, {{path, Extent::Exclusive}}))
            text += ',' + field(value);
        text += '\n';
    }
    return text;
}

}  // namespace

std::string showCsv(const Experiment& experiment, const ShowRequest& request) {
    return request.metric ? callPathTable(experiment, *request.metric, request.top) : metricTable(experiment);
}

}  // namespace holos::cli
