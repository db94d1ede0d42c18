// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "base/csv.h"
#include "cli/show/show_formats.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

std::string metricTable(const Experiment& experiment) {
    std::string text = "metric,display_name,parent,unit,value,percent_of_root\n";
    for (const MetricLine& line : metricLines(experiment)) {
        const Metric& metric = experiment.metrics[line.metric];
        const auto parent = experiment.metrics.parent(line.metric);
        text +=
            fmt::format("{},{},{},{},{},{}\n", csvField(metric.uniqueName), csvField(metric.displayName),
                        parent ? csvField(experiment.metrics[*parent].uniqueName) : "", csvField(metric.unit),
                        csvField(line.value), line.percent ? csvField(*line.percent) : "");
    }
    return text;
}

/// One row per call path: its sums, and the exclusive value of every part of the system.
std::string callPathTable(const Experiment& experiment, MetricId metric, const ShowRequest& request) {
    std::string text = "call_path,module,line,inclusive,exclusive";
    const std::vector<PartLine> columns = partValues(experiment, metric, request.per).lines;
    std::vector<SystemPart> parts;
    for (const PartLine& column : columns) parts.push_back(column.part);
    for (const SystemPart& part : parts) text += ',' + csvField(partText(experiment, part));
    text += '\n';
    const LocationGroups groups = groupsOf(experiment.system, parts);
    for (const auto& [path, exclusive, inclusive] : hottestCallPaths(experiment, metric, request.top)) {
        const Region& region = experiment.regionOf(path);
        text +=
            fmt::format("{},{},{},{},{}", csvField(callPathText(experiment, path)), csvField(region.module),
                        region.beginLine, csvField(inclusive), csvField(exclusive));
        for (const double value : perGroup(experiment, {metric}, groups, {{path, Extent::Exclusive}}))
            text += ',' + csvField(value);
        text += '\n';
    }
    return text;
}

}  // namespace

std::string valuesCsv(const Experiment& experiment, const ShowRequest& request) {
    return request.metric ? callPathTable(experiment, *request.metric, request) : metricTable(experiment);
}

}  // namespace holos::cli
