// SPDX-License-Identifier: BSD-3-Clause
#include "report/trials/trials.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "analyzer/predict/conditions.h"
#include "analyzer/workers/workers.h"

namespace holos::trials {

namespace {

using algebra::CallPathId;
using algebra::Experiment;

/// The candidates, each once.
class Candidates {
  public:
    void add(std::string condition, std::string reason = {}) {
        if (!condition.empty() && known_.insert(condition).second)
            trials_.push_back({std::move(condition), std::move(reason)});
    }
    std::vector<Trial> take() { return std::move(trials_); }

  private:
    std::set<std::string> known_;
    std::vector<Trial> trials_;
};

std::string pathOr(const Experiment& experiment, const algebra::Problem& problem, const char* otherwise) {
    return problem.path ? algebra::callPathText(experiment, *problem.path) : otherwise;
}

/// Call paths that compute enough. Those whose whole computation is in one of their callees are left out: it
/// stands for them.
std::vector<std::string> computingPaths(const Experiment& experiment, double leastShare) {
    std::vector<std::string> paths;
    const auto computation = experiment.findMetric("comp");
    if (!computation) return paths;
    const std::vector<double> work =
        algebra::perCallPath(experiment, {*computation}, algebra::Extent::Inclusive);
    double all = 0;
    for (const CallPathId root : experiment.callTree.roots()) all += work[root.index()];
    for (const CallPathId path : experiment.callTree.ids()) {
        const double own = work[path.index()];
        const auto& callees = experiment.callTree.children(path);
        const bool isOneOfThem = std::ranges::any_of(
            callees, [&](CallPathId callee) { return work[callee.index()] >= 0.999 * own; });
        if (own > leastShare * all && !isOneOfThem) paths.push_back(algebra::callPathText(experiment, path));
    }
    return paths;
}

}  // namespace

std::string conditionFor(const Experiment& experiment, const algebra::Problem& problem) {
    const std::string& kind = problem.kind;
    if (kind == "imbalance" || kind == "growing-imbalance" || kind == "slow-node") {
        const std::string path = pathOr(experiment, problem, "");
        return path.empty() ? "threads balanced" : "balance " + path;
    }
    if (kind == "serial") return problem.path ? "speedup " + pathOr(experiment, problem, "") + "=2" : "";
    if (kind == "lock") return "locks free";
    if (kind == "small-messages" || kind == "communication" || kind == "collectives" ||
        kind == "late-communication")
        return "network=ideal";
    if (kind == "files") return problem.path ? "remove " + pathOr(experiment, problem, "") : "";
    return {};
}

std::vector<Trial> tryEach(const analyzer::Predictor& predictor, const Experiment& analyzed,
                           const TrialOptions& options) {
    Candidates candidates;
    if (const auto summary = algebra::summarize(analyzed))
        for (const algebra::Problem& problem : summary->problems)
            candidates.add(conditionFor(analyzed, problem), problem.what);
    for (const std::string& path : computingPaths(predictor.recorded(), options.leastShare)) {
        candidates.add("balance " + path);
        candidates.add("speedup " + path + "=2");
    }
    for (const char* condition : {"threads balanced", "locks free", "network=ideal"})
        candidates.add(condition);

    std::vector<Trial> trials = candidates.take();
    const double recorded = predictor.facts().replayed;
    std::size_t done = 0;
    std::mutex mutex;
    analyzer::workers::makeThreads(options.threads)->forEach(trials.size(), [&](std::size_t i) {
        const analyzer::predict::Condition condition = analyzer::predict::parseCondition(trials[i].condition);
        trials[i].seconds = predictor.predict({&condition, 1}).seconds();
        trials[i].gain = recorded - trials[i].seconds;
        if (!options.progress) return;
        const std::lock_guard lock(mutex);
        options.progress({static_cast<double>(++done) / static_cast<double>(trials.size()), 0});
    });
    std::erase_if(trials, [&](const Trial& trial) { return trial.gain <= 1e-6 * recorded; });
    std::ranges::stable_sort(trials, std::ranges::greater(), &Trial::gain);
    return trials;
}

}  // namespace holos::trials
