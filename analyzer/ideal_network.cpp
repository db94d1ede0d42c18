// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/ideal_network.h"

#include <utility>

#include "algebra/model/metric_guide.h"
#include "algebra/model/metric_values.h"
namespace holos::analyzer {

namespace {

using algebra::Experiment;
using algebra::MetricId;

MetricId addMetric(Experiment& experiment) {
    algebra::Metric metric;
    metric.uniqueName = algebra::kIdealNetworkTime;
    metric.displayName = "Time on an ideal network";
    metric.unit = "sec";
    metric.description =
        "Time that the program would take if communication took none: by a replay of the run, in which only "
        "computation and waiting for others are left. Efficiencies follow from it.";
    metric.valueType = algebra::ValueType::Double;
    return experiment.metrics.add(std::move(metric), std::nullopt);
}

/// An analysis of the same trace has the same call paths in the same order.
bool isOfTheSameTrace(const Experiment& a, const Experiment& b) {
    if (a.callTree.size() != b.callTree.size() || a.system.locations.size() != b.system.locations.size())
        return false;
    for (const algebra::CallPathId path : a.callTree.ids())
        if (a.regionOf(path).name != b.regionOf(path).name) return false;
    return true;
}

AnalysisOptions replayOptions(const AnalysisOptions& options) {
    AnalysisOptions replay;
    replay.threads = options.threads;
    replay.progress = options.progress;
    replay.causes = false;
    return replay;
}

}  // namespace

void addIdealNetwork(Experiment& experiment, const std::filesystem::path& archiveOrDirectory,
                     const AnalysisOptions& options) {
    if (options.range) throw Error("a part of a run cannot be replayed: analyze the whole of it");
    addIdealNetwork(experiment, Predictor(archiveOrDirectory, replayOptions(options)), archiveOrDirectory,
                    options);
}

void addIdealNetwork(Experiment& experiment, const Predictor& predictor,
                     const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options) {
    const AnalysisOptions replay = replayOptions(options);
    const predict::Condition ideal = predict::parseCondition("network=ideal");
    const Experiment predicted = predictor.analyze(predictor.predict({&ideal, 1}), replay).experiment;
    const auto time = predicted.findMetric("time");
    if (!time || !isOfTheSameTrace(experiment, predicted))
        throw Error("the trace has changed while it was read", {.file = archiveOrDirectory.string()});
    algebra::MetricValues values(predicted, {});
    algebra::SeverityTable table = values.everywhere(*time);
    experiment.severities.set(addMetric(experiment), std::move(table));
}

}  // namespace holos::analyzer
