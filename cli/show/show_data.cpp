// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "algebra/insight/runs/change.h"
#include "algebra/model/statistics.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/csv.h"
#include "base/json.h"
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

using namespace tables;

using namespace algebra;
using Json = nlohmann::ordered_json;

namespace {

Json metricObject(const Experiment& experiment, const MetricLine& line) {
    const Metric& metric = experiment.metrics[line.metric];
    const auto parent = experiment.metrics.parent(line.metric);
    Json object{{"metric", metric.uniqueName},
                {"displayName", metric.displayName},
                {"parent", parent ? Json(experiment.metrics[*parent].uniqueName) : Json()},
                {"unit", metric.unit},
                {"incomplete", metric.incomplete},
                {"value", line.value},
                {"percentOfRoot", orNull(line.percent)}};
    if (line.whyNotEvaluated) object["notEvaluated"] = *line.whyNotEvaluated;
    return object;
}

Json callPathList(const Experiment& experiment, const std::vector<CallPathLine>& lines) {
    Json list = Json::array();
    for (const auto& [path, exclusive, inclusive] : lines) {
        const Region& region = experiment.regionOf(path);
        const std::string site = calledAt(experiment.callTree[path]);
        list.push_back({{"callPath", callPathText(experiment, path)},
                        {"module", region.module},
                        {"line", region.beginLine},
                        {"exclusive", exclusive},
                        {"inclusive", inclusive},
                        {"calledAt", site.empty() ? Json() : Json(site)}});
    }
    return list;
}

/// What was added up is null.
Json partList(const Experiment& experiment, const std::vector<PartLine>& lines) {
    const SystemTree& system = experiment.system;
    Json list = Json::array();
    for (const auto& [part, value] : lines)
        list.push_back({{"process", part.process ? Json(system[*part.process].name) : Json()},
                        {"rank", part.process ? Json(system[*part.process].rank) : Json()},
                        {"thread", part.location ? Json(system[*part.location].name) : Json()},
                        {"value", value},
                        {"node", system.nodes[part.node].name}});
    return list;
}

Json distribution(const std::vector<double>& values) {
    const Statistics found = statisticsOf(values);
    return {{"count", found.count},     {"sum", found.sum},
            {"mean", found.mean},       {"standardDeviation", found.standardDeviation},
            {"minimum", found.minimum}, {"lowerQuartile", found.lowerQuartile},
            {"median", found.median},   {"upperQuartile", found.upperQuartile},
            {"maximum", found.maximum}, {"imbalance", found.imbalance}};
}

Json estimatesObject(const WaitEstimates& estimates) {
    Json waits = Json::array();
    for (const WaitEstimate& wait : estimates.waits)
        waits.push_back({{"metric", wait.metric},
                         {"traced", wait.traced},
                         {"whole", wait.whole},
                         {"error95", orNull(wait.error)}});
    return {{"phase", estimates.phase},
            {"instances", estimates.instances},
            {"traced", estimates.traced},
            {"shareOfTime", estimates.shareOfTime},
            {"waits", std::move(waits)}};
}

Json wholeExperiment(const Experiment& experiment, const ShowRequest& request) {
    Json object;
    if (const auto part = partOfRun(experiment)) object["partOfRun"] = *part;
    if (const std::string ends = endsOf(experiment); !ends.empty()) object["ends"] = ends;
    if (const auto broken = brokenLawsOf(experiment); !broken.empty()) object["brokenLaws"] = broken;
    if (const auto change = changeIn(experiment)) object["change"] = *change;
    if (request.summary) object["summary"] = summaryObject(experiment);
    object["metrics"] = Json::array();
    object["waitStates"] = Json::array();
    for (const MetricLine& line : metricLines(experiment))
        object["metrics"].push_back(metricObject(experiment, line));
    for (const WaitStateLine& line : largestWaitStates(experiment, request.top, request.per)) {
        Json state = metricObject(experiment, line.metric);
        state["meaning"] = std::string(line.meaning);
        state["callPaths"] = callPathList(experiment, line.callPaths);
        state["locations"] = partList(experiment, line.parts);
        object["waitStates"].push_back(std::move(state));
    }
    if (const auto estimates = waitEstimatesOf(experiment)) object["estimates"] = estimatesObject(*estimates);
    return object;
}

}  // namespace

std::string valuesJson(const Experiment& experiment, const ShowRequest& request) {
    Json object;
    if (request.metric) {
        object = metricObject(experiment, metricLine(experiment, *request.metric));
        object["description"] = experiment.metrics[*request.metric].description;
        object["callPaths"] =
            callPathList(experiment, hottestCallPaths(experiment, *request.metric, request.top));
        object["locations"] = partList(experiment, largestParts(experiment, *request.metric, request.per));
        object["distribution"] = distribution(partValues(experiment, *request.metric, request.per).compared);
    } else {
        object = wholeExperiment(experiment, request);
    }
    object["file"] = request.file;
    return jsonText(object, 2) + '\n';
}

}  // namespace holos::cli
