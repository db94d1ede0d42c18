// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/path_set_model.h"

#include <limits>
#include <map>

namespace holos::gui {

using namespace algebra;

void PathSetModel::addPath(NodeId node, CallPathId path) {
    paths_.resize(rows().size());
    rows_.resize(cache().experiment().callTree.size());
    paths_[node.index()].push_back(path);
    rows_[path.index()] = node;
}

std::vector<CallPathChoice> PathSetModel::choices(const QModelIndex& index) const {
    const NodeId node = nodeOf(index);
    auto chosen = choicesOf(node, rows().extentOf(node));
    return chosen.empty() ? choicesOf(node, Extent::Inclusive) : chosen;
}

QModelIndex PathSetModel::indexOfPath(CallPathId path) const {
    return indexOf(rows_[path.index()]);
}

void PathSetModel::forget() {
    for (auto& values : known_) values.clear();
}

double PathSetModel::value(NodeId node, Extent extent) const {
    auto& values = known_[extent == Extent::Inclusive ? 0 : 1];
    values.resize(paths_.size());
    auto& known = values[node.index()];
    if (!known) known = evaluated(node, extent);
    return *known;
}

double PathSetModel::evaluated(NodeId node, Extent extent) const {
    const auto chosen = choicesOf(node, extent);
    if (isSummable(cache().experiment().metrics[metric().metric])) {
        double sum = 0.0;
        for (const CallPathChoice& choice : chosen) sum += pathValues(choice.extent)[choice.path.index()];
        return sum;
    }
    return chosen.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : cache().total(metric(), chosen, locations());
}

QString PathSetModel::toolTip(NodeId node) const {
    const QStringList lines{rows().pathOf(node),
                            counted(pathsOf(node).size(), u"call path"_qs, u"call paths"_qs),
                            values().describe(node)};
    return lines.join(u'\n');
}

FoldedModel::FoldedModel(ValueCache& cache) : PathSetModel(cache) {
    const Experiment& experiment = cache.experiment();
    std::map<std::pair<std::optional<NodeId>, RegionId>, NodeId> nodes;  // by parent
    std::vector<NodeId> nodeOf;                                          // by call path
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        const auto above = parent ? std::optional(nodeOf[parent->index()]) : std::nullopt;
        const auto [node, isNew] = nodes.try_emplace({above, experiment.callTree[path].region});
        if (isNew) node->second = addNode(QString::fromStdString(experiment.regionOf(path).name), above);
        addPath(node->second, path);
        nodeOf.push_back(node->second);
    }
}

std::vector<CallPathChoice> FoldedModel::choicesOf(NodeId node, Extent extent) const {
    std::vector<CallPathChoice> chosen;
    for (const CallPathId path : pathsOf(node)) chosen.push_back({path, extent});
    return chosen;
}

}  // namespace holos::gui
