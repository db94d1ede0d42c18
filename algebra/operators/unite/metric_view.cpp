// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/metric_view.h"

#include <optional>

#include "algebra/operators/history/metric_names.h"

namespace holos::algebra {
namespace {

/// `change(metric, parent)` says whether a metric takes part, and may alter it and its place.
template <class Change>
MetricView select(const Experiment& experiment, Change change) {
    MetricView view;
    // For a metric that was left out: the place of its parent, where its children go.
    std::vector<std::optional<MetricId>> place(experiment.metrics.size());
    for (const MetricId id : experiment.metrics.ids()) {
        Metric metric = experiment.metrics[id];
        const auto above = experiment.metrics.parent(id);
        std::optional<MetricId> parent = above ? place[above->index()] : std::nullopt;
        if (!change(metric, parent)) {
            place[id.index()] = parent;
            continue;
        }
        place[id.index()] = view.metrics.add(std::move(metric), parent);
        view.source.push_back(id);
    }
    return view;
}

}  // namespace

MetricView everything(const Experiment& experiment) {
    return select(experiment, [](Metric&, std::optional<MetricId>&) { return true; });
}

MetricView withoutRatios(const Experiment& experiment) {
    return select(experiment,
                  [](Metric& metric, std::optional<MetricId>&) { return metric.origin != Origin::Ratio; });
}

MetricView measurements(const Experiment& experiment) {
    return select(experiment, [](Metric& metric, std::optional<MetricId>& parent) {
        if (isDerivedBySpecification(metric)) return false;
        if (const auto event = attribute(metric.attributes, kEventAttribute)) {
            parent.reset();
            metric.displayName = *event;
            setAttribute(metric.attributes, kEventAttribute, {});
        }
        return true;
    });
}

}  // namespace holos::algebra
