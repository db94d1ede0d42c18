// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "algebra/files/experiment_file.h"
#include "algebra/model/metric_values.h"
#include "base/error.h"
#include "cli/export/export_format.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

/// The smallest or largest value of a call path and those that it calls.
SeverityTable extremesBelow(const Experiment& experiment, const SeverityTable& own, bool isLargest) {
    SeverityTable all = own;
    for (std::size_t i = experiment.callTree.size(); i-- > 0;) {  // callees stand behind their callers
        const auto caller = experiment.callTree.parent(CallPathId(i));
        if (!caller || !all.hasRow(CallPathId(i))) continue;
        const bool isNew = !all.hasRow(*caller);
        const auto to = all.editRow(*caller);
        if (isNew) std::ranges::fill(to, all.missing());
        const auto from = all.row(CallPathId(i));
        for (std::size_t at = 0; at < to.size(); ++at)
            to[at] = isLargest ? std::max(to[at], from[at]) : std::min(to[at], from[at]);
    }
    return all;
}

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, ValueSink& sink) {
    MetricValues values(experiment, {});
    const SeverityTable& all = values.everywhere(metric);
    const ValueType type = experiment.metrics[metric].valueType;
    const bool isExtreme = type == ValueType::MinDouble || type == ValueType::MaxDouble;
    SeverityTable extremes;
    if (isExtreme && all.callPaths() > 0)
        extremes = extremesBelow(experiment, all, type == ValueType::MaxDouble);
    const SeverityTable& inclusive = isExtreme ? extremes : values.everywhere(metric, Extent::Inclusive);
    const auto valueIn = [](const SeverityTable& from, CallPathId path, std::size_t at) {
        return from.callPaths() == 0 ? from.missing() : from.at(path, LocationId(at));
    };
    for (const CallPathId path : experiment.callTree.ids())
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
            const double value = valueIn(all, path, at);
            if (zeros || value != all.missing())
                sink.add({metric, path, LocationId(at), value, valueIn(inclusive, path, at)});
        }
}

}  // namespace

std::vector<MetricId> ValueFormat::metrics(const Experiment& experiment,
                                           const std::vector<MetricId>& named) const {
    if (!named.empty()) return named;
    std::vector<MetricId> all;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (!metric.ghost && !metric.isVoid && metric.valueType != ValueType::Compound) all.push_back(id);
    }
    return all;
}

std::string ValueFormat::communication(const Experiment& /*experiment*/, const std::string& /*file*/) const {
    throw UsageError("--communication: --format " + word() + " has no table of messages");
}

void ValueFormat::write(const ExportRequest& request, ExportOutput& output) const {
    const std::string& file = request.files.front();
    const Experiment experiment = readExperiment(file);
    if (request.communication) return output.write(communication(experiment, file));
    std::vector<MetricId> named;
    for (const std::string& name : request.metrics) named.push_back(metricNamed(experiment, name, file));
    const auto sink = valuesTo(output, experiment);
    for (const MetricId metric : metrics(experiment, named)) {
        try {
            exportMetric(experiment, metric, request.zeros, *sink);
        } catch (const Error& error) {
            const std::string& name = experiment.metrics[metric].uniqueName;
            if (experiment.metrics[metric].hasValues() || !request.metrics.empty())
                throw Error("metric \"" + name + "\": " + error.what(), Place{.file = file});
            complain("note: metric \"" + name + "\" is left out: " + error.what());
        }
    }
    sink->finish();
}

}  // namespace holos::cli
