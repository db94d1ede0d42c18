// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/metric_guide.h"

namespace holos::algebra {

MetricGuide::MetricGuide(const std::vector<MetricHelp>& all) {
    for (const MetricHelp& help : all) all_.emplace(help.uniqueName, help);
}

const MetricHelp* MetricGuide::find(std::string_view uniqueName) const {
    const auto found = all_.find(uniqueName);
    return found == all_.end() ? nullptr : &found->second;
}

bool MetricGuide::isWaitState(std::string_view uniqueName) const {
    const MetricHelp* const help = find(uniqueName);
    return help != nullptr && help->isWaitState();
}

const Picture* MetricGuide::pictureOf(std::string_view uniqueName) const {
    const MetricHelp* const help = find(uniqueName);
    return help == nullptr ? nullptr : help->picture;
}

std::vector<MetricId> MetricGuide::outermostWaitStates(const Experiment& experiment) const {
    std::vector<MetricId> found;
    std::vector<bool> waiting(experiment.metrics.size(), false);  // a wait state, or part of one
    for (const MetricId id : experiment.metrics.ids()) {
        const auto parent = experiment.metrics.parent(id);
        const bool inside = parent && waiting[parent->index()];
        const bool own = isWaitState(experiment.metrics[id].uniqueName);
        waiting[id.index()] = inside || own;
        if (own && !inside) found.push_back(id);
    }
    return found;
}

}  // namespace holos::algebra
