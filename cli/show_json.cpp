// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <nlohmann/json.hpp>

#include "algebra/model/statistics.h"
#include "cli/show_formats.h"
#include "cli/summary.h"

namespace holos::cli {

using namespace algebra;
using Json = nlohmann::ordered_json;

namespace {

Json number(double value) {
    return std::isnan(value) ? Json() : Json(value);
}

Json metricObject(const Experiment& experiment, const MetricLine& line) {
    const Metric& metric = experiment.metrics[line.metric];
    const auto parent = experiment.metrics.parent(line.metric);
    Json object{{"metric", metric.uniqueName},
                {"displayName", metric.displayName},
                {"parent", parent ? Json(experiment.metrics[*parent].uniqueName) : Json()},
                {"unit", metric.unit},
                {"incomplete", metric.incomplete},
                {"value", number(line.value)},
                {"percentOfRoot", line.percent ? Json(*line.percent) : Json()}};
    if (line.whyNotEvaluated) object["notEvaluated"] = *line.whyNotEvaluated;
    return object;
}

Json callPathList(const Experiment& experiment, const std::vector<CallPathLine>& lines) {
    Json list = Json::array();
    for (const auto& [path, exclusive, inclusive] : lines) {
        const Region& region = experiment.regionOf(path);
        list.push_back({{"callPath", pathText(experiment, path)},
                        {"module", region.module},
                        {"line", region.beginLine},
                        {"exclusive", number(exclusive)},
                        {"inclusive", number(inclusive)}});
    }
    return list;
}

Json locationList(const Experiment& experiment, const std::vector<LocationLine>& lines) {
    Json list = Json::array();
    for (const auto& [location, value] : lines) {
        const Location& it = experiment.system[location];
        list.push_back({{"process", experiment.system[it.process].name},
                        {"rank", experiment.system[it.process].rank},
                        {"thread", it.name},
                        {"value", number(value)}});
    }
    return list;
}

Json distribution(const Experiment& experiment, MetricId metric) {
    const Statistics found = statisticsOf(perLocation(experiment, {metric}));
    return {{"count", found.count},
            {"sum", number(found.sum)},
            {"mean", number(found.mean)},
            {"standardDeviation", number(found.standardDeviation)},
            {"minimum", number(found.minimum)},
            {"lowerQuartile", number(found.lowerQuartile)},
            {"median", number(found.median)},
            {"upperQuartile", number(found.upperQuartile)},
            {"maximum", number(found.maximum)},
            {"imbalance", number(found.imbalance)}};
}

Json wholeExperiment(const Experiment& experiment, std::size_t top) {
    Json object{{"metrics", Json::array()}, {"waitStates", Json::array()}};
    for (const MetricLine& line : metricLines(experiment))
        object["metrics"].push_back(metricObject(experiment, line));
    for (const WaitStateLine& line : largestWaitStates(experiment, top)) {
        Json state = metricObject(experiment, line.metric);
        state["meaning"] = std::string(line.waitState->meaning);
        state["callPaths"] = callPathList(experiment, line.callPaths);
        state["locations"] = locationList(experiment, line.locations);
        object["waitStates"].push_back(std::move(state));
    }
    return object;
}

}  // namespace

std::string showJson(const Experiment& experiment, const ShowRequest& request) {
    Json object;
    if (request.metric) {
        object = metricObject(experiment, metricLine(experiment, *request.metric));
        object["description"] = experiment.metrics[*request.metric].description;
        object["callPaths"] =
            callPathList(experiment, hottestCallPaths(experiment, *request.metric, request.top));
        object["locations"] = locationList(experiment, byLocation(experiment, *request.metric));
        object["distribution"] = distribution(experiment, *request.metric);
    } else {
        object = wholeExperiment(experiment, request.top);
    }
    object["file"] = request.file;
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace holos::cli
