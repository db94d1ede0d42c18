// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "algebra/model/processor_time.h"
#include "algebra/model/queries.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using algebra::Experiment;
using algebra::MetricId;
using algebra::SeverityTable;

/// What is less is the kernel's rounding.
constexpr double kLeast = 1e-6;

MetricId addMetric(Experiment& experiment, const char* name, const char* shown, const char* description,
                   std::optional<MetricId> parent) {
    algebra::Metric metric;
    metric.uniqueName = name;
    metric.displayName = shown;
    metric.unit = "sec";
    metric.description = description;
    metric.valueType = algebra::ValueType::Double;
    return experiment.metrics.add(std::move(metric), parent);
}

/// Of a metric, each thread's value in each root of the call tree.
class OfThreads {
  public:
    OfThreads(const Experiment& experiment, MetricId metric) {
        for (const CallPathId path : experiment.callTree.ids()) {
            if (experiment.callTree.parent(path)) continue;
            roots_.push_back(path);
            values_.push_back(
                algebra::perLocation(experiment, {metric}, {{path, algebra::Extent::Inclusive}}));
        }
    }

    double of(std::size_t location) const {
        double sum = 0;
        for (const auto& values : values_) sum += values[location];
        return sum;
    }
    /// Where most of it is.
    CallPathId rootOf(std::size_t location) const {
        const auto most = std::ranges::max_element(
            values_, [location](const auto& a, const auto& b) { return a[location] < b[location]; });
        return roots_[static_cast<std::size_t>(most - values_.begin())];
    }

  private:
    std::vector<CallPathId> roots_;
    std::vector<std::vector<double>> values_;
};

}  // namespace

void addOffProcessor(Experiment& experiment) {
    const auto computation = experiment.findMetric("comp");
    const auto& locations = experiment.system.locations;
    const auto isTold = [](const algebra::Location& location) {
        return algebra::processorTimeOf(location).has_value();
    };
    if (!computation || experiment.callTree.empty() || std::ranges::none_of(locations, isTold)) return;
    const OfThreads computed(experiment, *computation);
    const auto shortage = experiment.findMetric("processor_waiting");
    const auto waited =
        shortage ? std::optional<OfThreads>(std::in_place, experiment, *shortage) : std::nullopt;
    SeverityTable off(experiment.callTree.size(), locations.size());
    SeverityTable unseen(experiment.callTree.size(), locations.size());
    for (std::size_t at = 0; at < locations.size(); ++at) {
        const auto time = algebra::processorTimeOf(locations[at]);
        if (!time) continue;
        const double missing = computed.of(at) - time->on;
        if (missing < kLeast) continue;
        const CallPathId root = computed.rootOf(at);
        off.add(root, algebra::LocationId(at), missing);
        if (!time->waiting) continue;
        const double notComputing = waited ? waited->of(at) : 0;  // is no part of computation
        const double waiting = std::max(*time->waiting - notComputing, 0.0);
        unseen.add(root, algebra::LocationId(at), std::max(missing - waiting, 0.0));
    }
    const MetricId all = addMetric(
        experiment, "off_processor", "Computation off processors",
        "Computation that a thread cannot have spent on a processor: it slept in a way that was not seen, or "
        "waited for a processor. A lower bound, known for each thread as a whole and not by call path.",
        std::nullopt);
    const MetricId asleep = addMetric(
        experiment, "unseen_sleep", "Sleep that was not seen",
        "The part of it in which the thread did not wait for a processor, either: it slept. A lower bound; "
        "zero for threads for which the kernel does not say how long they waited for a processor.",
        all);
    experiment.severities.set(all, std::move(off));
    experiment.severities.set(asleep, std::move(unseen));
}

}  // namespace holos::analyzer::assemble
