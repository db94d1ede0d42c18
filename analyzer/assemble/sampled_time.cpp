// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <fmt/format.h>

namespace holos::analyzer::assemble {

namespace {

constexpr const char* kEstimated[] = {"time",          "execution",         "comp", "delay", "imbalance",
                                      "critical_path", "performance_impact"};
constexpr const char* kParts =
    " Where functions were sampled, samples of the call stack divide it among them: these parts are "
    "estimates, their sums are exact.";
constexpr const char* kVisits =
    " For functions that are known only from samples of the call stack, this is a lower bound.";

}  // namespace

void markSampledTime(algebra::Experiment& experiment, const replay::ReplayedCalls& calls) {
    replay::Ticks shared = 0;
    for (const replay::LocationCalls& location : calls.locations)
        for (const replay::SharedTime& part : location.shared) shared += part.ticks;
    if (shared == 0) return;
    experiment.attributes.emplace_back(
        kSampledTimeAttribute, fmt::format("{:.6g} s of the time were given to functions by samples of the "
                                           "call stack: an estimate",
                                           calls.definitions.seconds(shared)));
    for (const char* name : kEstimated)
        if (const auto metric = experiment.findMetric(name))
            experiment.metrics[*metric].description += kParts;
    if (const auto visits = experiment.findMetric("visits"))
        experiment.metrics[*visits].description += kVisits;
}

}  // namespace holos::analyzer::assemble
