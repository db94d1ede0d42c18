// SPDX-License-Identifier: BSD-3-Clause
// The data of the three panes.
#include <cmath>

#include "algebra/model/call_names.h"
#include "base/json.h"
#include "report/formats.h"

namespace holos::report {

using namespace algebra;
using nlohmann::json;

namespace {

/// What is smaller in parts of a metric's value is left over from subtracting the metrics below it.
constexpr double kRounding = 1e-12;

bool isShown(const Metric& metric) {
    return metric.hasValues() && metric.valueType != ValueType::Compound &&
           metric.valueType != ValueType::MinDouble && metric.valueType != ValueType::MaxDouble;
}

int parentOf(const auto& forest, auto id) {
    const auto parent = forest.parent(id);
    return parent ? static_cast<int>(parent->index()) : -1;
}

json metricsOf(const Experiment& experiment) {
    json nodes = json::array();
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        nodes.push_back({{"name", metric.displayName.empty() ? metric.uniqueName : metric.displayName},
                         {"parent", parentOf(experiment.metrics, id)},
                         {"unit", metric.unit},
                         {"description", metric.description}});
    }
    return nodes;
}

json pathsOf(const Experiment& experiment) {
    json nodes = json::array();
    for (const CallPathId id : experiment.callTree.ids())
        nodes.push_back({{"name", callText(experiment, id)}, {"parent", parentOf(experiment.callTree, id)}});
    return nodes;
}

/// System nodes, processes and locations as one tree; `places` says which node a location is.
json systemOf(const SystemTree& system, json& places) {
    json nodes = json::array();
    for (const SystemNodeId id : system.nodes.ids())
        nodes.push_back({{"name", system.nodes[id].name}, {"parent", parentOf(system.nodes, id)}});
    const std::size_t processes = nodes.size();
    for (const Process& each : system.processes)
        nodes.push_back({{"name", each.name}, {"parent", each.node.index()}});
    for (const Location& each : system.locations) {
        places.push_back(nodes.size());
        nodes.push_back({{"name", each.name}, {"parent", processes + each.process.index()}});
    }
    return nodes;
}

/// Values are inclusive along metrics in the model; the page has them exclusive along all trees.
json rowOf(const Experiment& experiment, MetricId metric, CallPathId path) {
    json row = json::array({path.index()});
    bool any = false;
    for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
        const double inclusive = experiment.severities.table(metric).at(path, LocationId(at));
        double value = inclusive;
        for (const MetricId child : experiment.metrics.children(metric))
            if (isShown(experiment.metrics[child]) && experiment.severities.has(child))
                value -= experiment.severities.table(child).at(path, LocationId(at));
        if (!std::isfinite(value) || std::fabs(value) < kRounding * std::fabs(inclusive)) value = 0.0;
        any = any || value != 0.0;
        row.push_back(value);
    }
    return any ? row : json();
}

json valuesOf(const Experiment& experiment) {
    json all = json::array();
    for (const MetricId metric : experiment.metrics.ids()) {
        json rows = json::array();
        if (isShown(experiment.metrics[metric]) && experiment.severities.has(metric))
            for (const CallPathId path : experiment.callTree.ids())
                if (json row = rowOf(experiment, metric, path); !row.is_null())
                    rows.push_back(std::move(row));
        all.push_back(std::move(rows));
    }
    return all;
}

}  // namespace

std::string browsableData(const Subjects& subjects, std::size_t most) {
    json all = json::array();
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        const Experiment& experiment = subjects.experiment(at);
        const std::size_t count =
            experiment.metrics.size() * experiment.callTree.size() * experiment.system.locations.size();
        json one{{"name", subjects.name(at)}, {"count", count}};
        if (count <= most) {
            one["places"] = json::array();
            one["metrics"] = metricsOf(experiment);
            one["paths"] = pathsOf(experiment);
            one["system"] = systemOf(experiment.system, one["places"]);
            one["values"] = valuesOf(experiment);
        }
        all.push_back(std::move(one));
    }
    return jsonText(all);
}

}  // namespace holos::report
