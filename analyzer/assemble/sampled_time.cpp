// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/sampled_time.h"

#include <fmt/format.h>

namespace holos::analyzer::assemble {

namespace {

constexpr const char* kEstimated[] = {"time",          "execution",         "comp", "delay", "imbalance",
                                      "critical_path", "performance_impact"};
constexpr const char* kParts =
    " Its parts in functions that were sampled are estimates, which samples of the call stack share out; "
    "their "
    "sums are exact.";
constexpr const char* kVisits =
    " Of functions that were seen on the call stack: how often they were newly met, a least value.";

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
