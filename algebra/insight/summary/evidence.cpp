// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/evidence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// Says so where a profile has time that may be waiting.
void includeWaits(const ProblemRule& rule, bool isOwn, Problem& problem) {
    problem.what = rule.withWaits;
    problem.why = "the time includes waiting for others; a profile does not know how much of it that is";
    problem.remedy = std::string("find out with a trace how much is waiting") +
                     (isOwn ? ": `holos record` without --profile, or with --trace-phase" : "") +
                     "; for the rest: " + rule.remedy;
}

/// `Point-to-point › Waiting for Processors`: several metrics are called by one name.
std::string nameBelowParent(const Experiment& experiment, MetricId metric) {
    const auto parent = experiment.metrics.parent(metric);
    return (parent ? experiment.metrics[*parent].displayName + " › " : "") +
           experiment.metrics[metric].displayName;
}

}  // namespace

Problem problemOf(const Measures& measures, const char* kind, double cost) {
    const ProblemRule& rule = problemRule(kind);
    Problem problem;
    problem.kind = kind;
    problem.cost = cost;
    problem.percent = measures.percent(cost);
    problem.what = rule.what;
    problem.remedy = rule.remedy;
    if (rule.withWaits != nullptr && !measures.knowsWaits())
        includeWaits(rule, isOwnRecording(measures.experiment()), problem);
    return problem;
}

void placeAt(const Measures& measures, CallPathId path, Problem& problem) {
    problem.path = path;
    problem.where = pathText(measures.experiment(), path);
}

void addUnrecordedChildren(const Measures& measures, Problem& problem) {
    if (!hasUnrecordedChildren(measures.experiment())) return;
    problem.why += std::string(problem.why.empty() ? "" : "; ") +
                   "it may be waiting for the forked processes, which were not recorded";
    problem.remedy = kChildrenRemedy;
    problem.gain.reset();
}

void addEvidence(const Measures& measures, const MetricNames& names, const std::string& says,
                 std::optional<CallPathId> path, const ChosenLocations& locations, Problem& problem) {
    constexpr double kNextToNothing = 0.02;
    const Experiment& experiment = measures.experiment();
    const ChosenPaths paths = path ? ChosenPaths{{*path, Extent::Inclusive}} : kAll;
    std::vector<Evidence> found;
    double all = 0;
    for (const char* name : names) {
        const auto metric = measures.find(name);
        if (!metric) continue;
        const double value = aggregate(experiment, {*metric}, paths, locations);
        if (!std::isfinite(value) || value == 0) continue;
        found.push_back({says, *metric, path, locations, value});
        all += std::fabs(value);
    }
    std::erase_if(found, [&](const Evidence& one) { return std::fabs(one.value) < kNextToNothing * all; });
    std::ranges::stable_sort(found, std::ranges::greater(), &Evidence::value);
    for (Evidence& one : found) {
        if (found.size() > 1) one.says += ": " + nameBelowParent(experiment, one.metric);
        problem.evidence.push_back(std::move(one));
    }
}

void describeWaiters(const Measures& measures, const MetricNames& waits, CallPathId path, Problem& problem) {
    const std::vector<double> values = measures.perLocation(waits, path);
    const bool several = measures.threads().size() > measures.processes().size();
    const std::vector<Member> members =
        several ? threadMembers(measures, values) : processMembers(measures, values);
    std::vector<const Member*> waiting;
    for (const Member& member : members)
        if (member.value > 0) waiting.push_back(&member);
    std::ranges::stable_sort(waiting, [](const Member* a, const Member* b) { return a->value > b->value; });
    if (waiting.empty()) return;
    for (const Member* member : waiting)
        problem.locations.insert(problem.locations.end(), member->locations.begin(), member->locations.end());
    problem.who = waiting.size() == 1
                      ? waiting.front()->name + " waits " + secondsText(waiting.front()->value)
                      : counted(waiting.size(), several ? "thread" : "process") + " wait, " +
                            waiting.front()->name + " longest: " + secondsText(waiting.front()->value);
}

}  // namespace holos::algebra
