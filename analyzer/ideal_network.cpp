// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/ideal_network.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/metric_guide.h"
#include "algebra/model/metric_values.h"

namespace holos::analyzer {

namespace {

using algebra::CallPathId;
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

bool areAlike(const Experiment& a, CallPathId pathOfA, const Experiment& b, CallPathId pathOfB) {
    const algebra::CallPath &callOfA = a.callTree[pathOfA], &callOfB = b.callTree[pathOfB];
    return a.regionOf(pathOfA).name == b.regionOf(pathOfB).name && callOfA.line == callOfB.line &&
           callOfA.module == callOfB.module;
}

/// What is no call, and may be in another call, or before or behind it, when that takes another time.
bool isNoCall(const Experiment& experiment, CallPathId path) {
    const std::string& name = experiment.regionOf(path).name;
    return name == algebra::kShortageRegionName || name == algebra::kFlushRegionName ||
           name == algebra::kOffRegionName;
}

/// Finds the call paths of an analysis in another one of the same trace. They have the same order, but one of
/// them may lack those that are no calls.
class SamePaths {
  public:
    SamePaths(const Experiment& from, const Experiment& to)
        : from_(from), to_(to), next_(to.callTree.size() + 1, 0) {}

    /// By the call path of the first; nothing where one has none.
    std::optional<std::vector<CallPathId>> find() {
        std::vector<CallPathId> found;
        for (const CallPathId path : from_.callTree.ids()) {
            const auto parent = from_.callTree.parent(path);
            const auto caller = parent ? std::optional(found[parent->index()]) : std::nullopt;
            if (const auto same = sameBelow(caller, path))
                found.push_back(*same);
            else if (parent && isNoCall(from_, path))
                found.push_back(CallPathId(found[parent->index()]));
            else
                return std::nullopt;
        }
        return found;
    }

  private:
    std::optional<CallPathId> sameBelow(std::optional<CallPathId> caller, CallPathId path) {
        const auto& below = caller ? to_.callTree.children(*caller) : to_.callTree.roots();
        std::size_t& next = next_[caller ? caller->index() + 1 : 0];
        const auto isSame = [&](CallPathId other) { return areAlike(from_, path, to_, other); };
        const auto behind = below.begin() + static_cast<std::ptrdiff_t>(next);
        auto same = std::find_if(behind, below.end(), isSame);
        if (same == below.end()) same = std::find_if(below.begin(), behind, isSame);
        if (same == below.end() || !isSame(*same)) return std::nullopt;
        next = static_cast<std::size_t>(same - below.begin()) + 1;
        return *same;
    }

    const Experiment& from_;
    const Experiment& to_;
    std::vector<std::size_t> next_;  ///< by caller: behind the callee that was found last
};

algebra::SeverityTable movedTo(const std::vector<CallPathId>& paths, const algebra::SeverityTable& table,
                               std::size_t callPaths) {
    algebra::SeverityTable moved(callPaths, table.locations(), table.missing());
    for (std::size_t from = 0; from < paths.size(); ++from) {
        const auto row = table.row(CallPathId(from));
        for (std::size_t at = 0; at < row.size(); ++at)
            moved.add(paths[from], algebra::LocationId(at), row[at]);
    }
    return moved;
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
    const auto paths = SamePaths(predicted, experiment).find();
    if (!time || !paths || experiment.system.locations.size() != predicted.system.locations.size())
        throw Error("the trace has changed while it was read", {.file = archiveOrDirectory.string()});
    algebra::MetricValues values(predicted, {});
    experiment.severities.set(addMetric(experiment),
                              movedTo(*paths, values.everywhere(*time), experiment.callTree.size()));
}

}  // namespace holos::analyzer
