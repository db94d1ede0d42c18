// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/evidence.h"

#include <cmath>
#include <string>

#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"

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

void addEvidence(const Measures& measures, const MetricNames& names, const std::string& says,
                 std::optional<CallPathId> path, const ChosenLocations& locations, Problem& problem) {
    const auto metric = measures.largest(names);
    if (!metric) return;
    const ChosenPaths paths = path ? ChosenPaths{{*path, Extent::Inclusive}} : kAll;
    const double value = aggregate(measures.experiment(), {*metric}, paths, locations);
    if (std::isfinite(value) && value != 0)
        problem.evidence.push_back({says, *metric, path, locations, value});
}

}  // namespace holos::algebra
