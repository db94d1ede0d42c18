// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/metric_view.h"

#include <optional>

#include "algebra/operators/metric_names.h"

namespace holos::algebra {
namespace {

bool isDerivedBySpecification(const Metric& metric) {
    return metric.origin == Origin::Composed || metric.origin == Origin::Computed;
}

}  // namespace

MetricView everything(const Experiment& experiment) {
    MetricView view{experiment.metrics, {}};
    for (const MetricId id : experiment.metrics.ids()) view.source.push_back(id);
    return view;
}

MetricView measurements(const Experiment& experiment) {
    MetricView view;
    // For a metric that was left out: the place of its parent, where its children go.
    std::vector<std::optional<MetricId>> place(experiment.metrics.size());
    for (const MetricId id : experiment.metrics.ids()) {
        Metric metric = experiment.metrics[id];
        const auto above = experiment.metrics.parent(id);
        std::optional<MetricId> parent = above ? place[above->index()] : std::nullopt;
        if (isDerivedBySpecification(metric)) {
            place[id.index()] = parent;
            continue;
        }
        if (const auto event = attribute(metric.attributes, kEventAttribute)) {
            parent.reset();
            metric.displayName = *event;
            setAttribute(metric.attributes, kEventAttribute, {});
        }
        place[id.index()] = view.metrics.add(std::move(metric), parent);
        view.source.push_back(id);
    }
    return view;
}

}  // namespace holos::algebra
