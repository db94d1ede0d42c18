// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/folded_model.h"

#include <map>

namespace holos::gui {

using namespace algebra;

FoldedModel::FoldedModel(ValueCache& cache) : PathSetModel(cache) {
    const Experiment& experiment = cache.experiment();
    std::map<std::pair<int, RegionId>, int> nodes;  // by parent
    std::vector<int> nodeOf;                        // by call path
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        const auto above = parent ? std::optional(nodeOf[parent->index()]) : std::nullopt;
        const auto [node, isNew] =
            nodes.try_emplace({above.value_or(-1), experiment.callTree[path].region}, 0);
        if (isNew) node->second = addNode(QString::fromStdString(experiment.regionOf(path).name), above);
        addPath(node->second, path);
        nodeOf.push_back(node->second);
    }
}

std::vector<CallPathChoice> FoldedModel::choicesOf(int node, Extent extent) const {
    std::vector<CallPathChoice> chosen;
    for (const CallPathId path : pathsOf(node)) chosen.push_back({path, extent});
    return chosen;
}

}  // namespace holos::gui
