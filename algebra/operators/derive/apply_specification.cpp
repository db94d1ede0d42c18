// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_processor.h"
#include "algebra/operators/unite/metric_view.h"
#include "metric-specs/library.h"
#include "metric-specs/problems.h"

namespace holos::algebra {
namespace {

std::unordered_set<std::string> eventsOf(const Experiment& experiment) {
    std::unordered_set<std::string> events;
    const MetricView view = measurements(experiment);
    for (const MetricId id : view.metrics.roots())
        if (view.metrics[id].hasValues()) events.insert(eventName(view.metrics[id]));
    return events;
}

/// The platform file, if any; files of another kind that happen to lie in the folders are passed over.
std::optional<specs::Specification> loadPlatform(const std::string& name) {
    try {
        return specs::find(name);
    } catch (const specs::SpecificationError&) {
        return std::nullopt;
    }
}

std::ptrdiff_t countKnown(const specs::Specification& platform,
                          const std::unordered_set<std::string>& events) {
    const auto known = platform.events();
    return std::ranges::count_if(known, [&](const auto& each) { return events.contains(each); });
}

/// The first one for the processor, if it knows any of the events; otherwise the one that knows most. Each is
/// read once.
std::optional<specs::Specification> bestPlatform(const Experiment& experiment) {
    const auto events = eventsOf(experiment);
    const specs::Processor processor = processorOf(experiment);
    std::optional<specs::Specification> best;
    std::ptrdiff_t most = 0;
    bool isOwnKnown = false;
    for (const std::string& name : specs::platforms()) {
        auto platform = loadPlatform(name);
        if (!platform) continue;
        const auto count = countKnown(*platform, events);
        if (!isOwnKnown && platform->platform && platform->platform->matches(processor)) {
            isOwnKnown = true;
            if (count > 0) return platform;
        }
        if (count <= most) continue;
        most = count;
        best = std::move(platform);
    }
    return best;
}

}  // namespace

Experiment applySpecification(Experiment experiment, const std::string& choice) {
    if (choice == "none") return experiment;
    if (choice != "auto") return derive(std::move(experiment), specs::find(choice));
    const auto platform = bestPlatform(experiment);
    return platform ? derive(std::move(experiment), *platform) : std::move(experiment);
}

}  // namespace holos::algebra
