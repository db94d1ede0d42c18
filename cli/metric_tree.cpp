// SPDX-License-Identifier: BSD-3-Clause
#include "cli/metric_tree.h"

#include <algorithm>

namespace holos::cli {

using namespace algebra;

std::vector<std::string> metricBranches(const Experiment& experiment, const std::vector<bool>& shown) {
    const MetricForest& metrics = experiment.metrics;
    std::vector<std::string> branches(metrics.size());
    std::vector<std::string> below(metrics.size());  // in front of the branches of a metric's children
    for (const MetricId id : metrics.ids()) {
        const auto parent = metrics.parent(id);
        if (!parent) continue;
        const auto& siblings = metrics.children(*parent);
        const auto last = std::find_if(siblings.rbegin(), siblings.rend(),
                                       [&](MetricId child) { return shown[child.index()]; });
        const bool isLast = last != siblings.rend() && *last == id;
        branches[id.index()] = below[parent->index()] + (isLast ? "└─ " : "├─ ");
        below[id.index()] = below[parent->index()] + (isLast ? "   " : "│  ");
    }
    return branches;
}

}  // namespace holos::cli
