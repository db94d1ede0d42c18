// SPDX-License-Identifier: BSD-3-Clause
#include "report/trials/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "analyzer/predict/conditions.h"
#include "analyzer/predict/scenario.h"
#include "analyzer/workers/workers.h"
#include "base/error.h"

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

/// What a condition does to a call path: `speedup main/solve=2` → `speedup`, `main/solve` and `=2`; no path
/// where it has none.
struct Change {
    std::string what;
    std::string path;
    std::string value;

    bool isAround(const Change& other) const {
        return !path.empty() && what == other.what && other.path.starts_with(path + "/");
    }
};

Change changeOf(const std::string& condition) {
    for (const std::string what : {"balance", "speedup", "remove", "limit"}) {
        if (!condition.starts_with(what + " ")) continue;
        const std::string path = condition.substr(what.size() + 1);
        const bool hasValue = what == "speedup" || what == "limit";
        const std::size_t end = hasValue ? path.rfind('=') : path.size();
        return {what, path.substr(0, end), path.substr(std::min(end, path.size()))};
    }
    return {condition, {}, {}};
}

/// Call paths of which one calls the other are one piece of advice. The inner ones stay where they bring most
/// of it, else the outer one does, and so does each problem of the summary. Where one inner path brings
/// nearly all, it has the reason of those around it.
class Folded {
  public:
    explicit Folded(std::vector<Trial>& trials) : trials_(trials), isKept_(trials.size(), 1) {
        for (const Trial& trial : trials) changes_.push_back(changeOf(trial.condition));
        std::vector<std::size_t> inwards(trials.size());
        std::iota(inwards.begin(), inwards.end(), std::size_t{0});
        std::ranges::stable_sort(inwards, std::ranges::greater(),
                                 [this](std::size_t at) { return changes_[at].path.size(); });
        for (const std::size_t outer : inwards) fold(outer);
        std::size_t at = 0;
        std::erase_if(trials, [&](const Trial&) { return isKept_[at++] == 0; });
    }

  private:
    void fold(std::size_t outer) {
        constexpr double kNearlyAll = 0.9, kMost = 0.5;
        const std::vector<std::size_t> inside = keptInside(outer);
        if (inside.empty()) return;
        double gain = 0;
        for (const std::size_t inner : inside) gain += trials_[inner].gain;
        const Trial& whole = trials_[outer];
        const auto nearlyAll = std::ranges::find_if(
            inside, [&](std::size_t inner) { return trials_[inner].gain >= kNearlyAll * whole.gain; });
        if (nearlyAll != inside.end() && trials_[*nearlyAll].reason.empty())
            trials_[*nearlyAll].reason = whole.reason;
        const bool isTold = nearlyAll != inside.end() || (whole.reason.empty() && gain >= kMost * whole.gain);
        if (isTold)
            isKept_[outer] = 0;
        else
            for (const std::size_t inner : inside)
                if (trials_[inner].reason.empty()) isKept_[inner] = 0;
    }
    /// Without those that are within others of them.
    std::vector<std::size_t> keptInside(std::size_t outer) const {
        std::vector<std::size_t> inside;
        for (std::size_t i = 0; i < trials_.size(); ++i)
            if (isKept_[i] != 0 && changes_[outer].isAround(changes_[i])) inside.push_back(i);
        std::erase_if(inside, [&](std::size_t inner) {
            return std::ranges::any_of(
                inside, [&](std::size_t other) { return changes_[other].isAround(changes_[inner]); });
        });
        return inside;
    }

    std::vector<Trial>& trials_;
    std::vector<Change> changes_;
    std::vector<char> isKept_;
};

/// Conditions with whole call paths become ones with short names.
void shorten(std::vector<Trial>& trials, const Experiment& experiment) {
    const analyzer::predict::PathNames names(experiment);
    for (Trial& trial : trials) {
        const Change change = changeOf(trial.condition);
        if (const auto path = algebra::callPathNamed(experiment, change.path))
            trial.condition = change.what + ' ' + names.of(*path) + change.value;
    }
}

/// Call paths that compute enough. Those whose whole computation is in one of their callees are left out: it
/// stands for them.
struct ComputingPath {
    std::string text;
    /// Nearly all that the program computes, in callees, too: to make that faster is no advice.
    bool isAll = false;
};
std::vector<ComputingPath> computingPaths(const Experiment& experiment, double leastShare) {
    constexpr double kNearlyAll = 0.9;
    std::vector<ComputingPath> paths;
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
        const bool hasCallees = std::ranges::any_of(callees, [&](CallPathId callee) {
            return experiment.regionOf(callee).name != algebra::kShortageRegionName;
        });
        if (own > leastShare * all && !isOneOfThem)
            paths.push_back({algebra::callPathText(experiment, path), own >= kNearlyAll * all && hasCallees});
    }
    return paths;
}

}  // namespace

std::string conditionFor(const Experiment& experiment, const algebra::Problem& problem) {
    const std::string& kind = problem.kind;
    if (problem.limit && problem.path)
        return fmt::format("limit {}={:.4g}s", pathOr(experiment, problem, ""), *problem.limit);
    // Whoever sleeps under a lock does so all the same, but nobody has to wait for it.
    if (kind == "lock") return "locks free";
    // Nobody can share sleep out, and a replay leaves it as long. What is slept for others is not gained.
    if (problem.isSleep)
        return (kind == "serial" || kind == "sleep" || kind == "sleep-of-one") && problem.path && problem.gain
                   ? "remove " + pathOr(experiment, problem, "")
                   : "";
    if (kind == "imbalance" || kind == "growing-imbalance" || kind == "slow-node") {
        const std::string path = pathOr(experiment, problem, "");
        return path.empty() ? "threads balanced" : "balance " + path;
    }
    if (kind == "serial") return problem.path ? "speedup " + pathOr(experiment, problem, "") + "=2" : "";
    if (kind == "join" && problem.isOneAtATime)
        return problem.path ? "speedup " + pathOr(experiment, problem, "") + "=2" : "";
    if (kind == "join") return "joined threads balanced";
    if (kind == "small-messages" || kind == "communication" || kind == "collectives" ||
        kind == "late-communication" || kind == "late-progress")
        return "network=ideal";
    if (kind == "files") return problem.path ? "remove " + pathOr(experiment, problem, "") : "";
    return {};
}

namespace {

/// What mends a problem wholly. Half of what one does alone is left where two share it, less where more do.
std::string conditionThatMends(const Experiment& experiment, const algebra::Problem& problem) {
    if (problem.kind != "serial" || problem.isSleep || !problem.path)
        return conditionFor(experiment, problem);
    if (problem.pattern.empty()) return {};  // threads wait in the same regions in which they work
    const std::size_t threads = algebra::numberOfThreads(experiment.system);
    return "speedup " + pathOr(experiment, problem, "") + '=' +
           std::to_string(std::max<std::size_t>(2, threads));
}

/// Of the whole run. Nothing where the run has no such call path.
std::optional<double> secondsWith(const analyzer::Predictor& predictor,
                                  const std::vector<analyzer::predict::Condition>& conditions) try {
    return predictor.predict(conditions).seconds();
} catch (const Error&) {
    return std::nullopt;
}

}  // namespace

std::vector<algebra::ReplayedGain> gainsOfProblems(const analyzer::Predictor& predictor,
                                                   const Experiment& analyzed) {
    std::vector<algebra::ReplayedGain> gains;
    std::vector<analyzer::predict::Condition> mended;
    double before = predictor.facts().replayed;
    const auto summary = algebra::summarize(analyzed);
    if (!summary) return gains;
    for (const algebra::Problem& problem : summary->problems) {
        const std::string text = problem.isMistake ? "" : conditionThatMends(analyzed, problem);
        // One replay tells the gain of all problems of a kind in a place: they are mended together.
        const std::string path = algebra::keyOf(analyzed, problem.path);
        const bool isKnown = std::ranges::any_of(
            gains, [&](const auto& gain) { return gain.kind == problem.kind && gain.path == path; });
        if (text.empty() || isKnown) continue;
        mended.push_back(analyzer::predict::parseCondition(text));
        const auto after = secondsWith(predictor, mended);
        if (!after) {
            mended.pop_back();
            continue;
        }
        gains.push_back({problem.kind, path, text, std::max(0.0, before - *after)});
        before = std::min(before, *after);
    }
    return gains;
}

std::vector<Trial> tryEach(const analyzer::Predictor& predictor, const Experiment& analyzed,
                           const TrialOptions& options) {
    Candidates candidates;
    if (const auto summary = algebra::summarize(analyzed))
        for (const algebra::Problem& problem : summary->problems)
            candidates.add(conditionFor(analyzed, problem), problem.what);
    for (const ComputingPath& path : computingPaths(predictor.recorded(), options.leastShare)) {
        candidates.add("balance " + path.text);
        if (!path.isAll) candidates.add("speedup " + path.text + "=2");
    }
    for (const char* condition :
         {"threads balanced", "joined threads balanced", "locks free", "network=ideal"})
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
    std::erase_if(trials, [&](const Trial& trial) { return trial.gain < kLeastGain * recorded; });
    std::ranges::stable_sort(trials, std::ranges::greater(), &Trial::gain);
    Folded{trials};
    shorten(trials, predictor.recorded());
    return trials;
}

}  // namespace holos::trials
