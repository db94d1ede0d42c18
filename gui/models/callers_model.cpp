// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/callers_model.h"

#include <map>

namespace holos::gui {

using namespace algebra;

namespace {

QString regionName(const Experiment& experiment, RegionId region) {
    return QString::fromStdString(experiment[region].name);
}

}  // namespace

std::vector<CallPathId> outermostCalls(const Experiment& experiment, RegionId region) {
    const CallTree& calls = experiment.callTree;
    std::vector<CallPathId> outermost;
    std::vector<bool> isInside(calls.size());
    for (const CallPathId path : calls.ids()) {
        const auto up = calls.parent(path);
        const bool inside = up && isInside[up->index()];
        const bool isCall = calls[path].region == region;
        isInside[path.index()] = inside || isCall;
        if (isCall && !inside) outermost.push_back(path);
    }
    return outermost;
}

CallersModel::CallersModel(ValueCache& cache, RegionId region) : PathSetModel(cache) {
    showInclusive();
    const Experiment& experiment = cache.experiment();
    std::map<std::pair<std::optional<NodeId>, RegionId>, NodeId> nodes;  // by the row above
    const auto rowBelow = [&](std::optional<NodeId> above, RegionId caller) {
        const auto [known, isNew] = nodes.try_emplace({above, caller}, NodeId(rows().size()));
        if (!isNew) return known->second;
        regions_.push_back(caller);
        return addNode(regionName(experiment, caller), above);
    };
    for (const CallPathId call : outermostCalls(experiment, region)) {
        std::optional<NodeId> row;
        for (std::optional<CallPathId> at = call; at; at = experiment.callTree.parent(*at)) {
            row = rowBelow(row, experiment.callTree[*at].region);
            addPath(*row, call);
        }
    }
}

RegionId CallersModel::regionOf(const QModelIndex& index) const {
    return regions_[nodeOf(index).index()];
}

QModelIndex CallersModel::indexOfCall(CallPathId call) const {
    const auto isAlone = [&](NodeId node) {
        return pathsOf(node).size() == 1 && pathsOf(node).front() == call;
    };
    std::optional<NodeId> row = nodeOf(indexOfPath(call));
    if (!isAlone(*row)) return {};
    for (auto up = rows().parentOf(*row); up && isAlone(*up); up = rows().parentOf(*up)) row = up;
    return indexOf(*row);
}

/// For itself alone, a region that calls itself has what all of these calls have.
std::vector<CallPathChoice> CallersModel::choicesOf(NodeId node, Extent extent) const {
    const CallTree& calls = cache().experiment().callTree;
    std::vector<CallPathChoice> chosen;
    for (const CallPathId call : pathsOf(node)) {
        if (extent == Extent::Inclusive) {
            chosen.push_back({call, Extent::Inclusive});
            continue;
        }
        for (const CallPathId path : calls.subtree(call))
            if (calls[path].region == regions_.front()) chosen.push_back({path, Extent::Exclusive});
    }
    return chosen;
}

CalleesModel::CalleesModel(ValueCache& cache, RegionId region) : PathSetModel(cache) {
    showInclusive();
    const Experiment& experiment = cache.experiment();
    const CallTree& calls = experiment.callTree;
    std::map<std::pair<std::optional<NodeId>, RegionId>, NodeId> nodes;  // by the row above
    for (const CallPathId top : outermostCalls(experiment, region)) {
        std::map<CallPathId, NodeId> rowOf;
        for (const CallPathId path : calls.subtree(top)) {
            const auto above = path == top ? std::nullopt : std::optional(rowOf.at(*calls.parent(path)));
            const auto [known, isNew] = nodes.try_emplace({above, calls[path].region}, NodeId(rows().size()));
            if (isNew) {
                regions_.push_back(calls[path].region);
                addNode(regionName(experiment, calls[path].region), above);
            }
            addPath(known->second, path);
            rowOf.emplace(path, known->second);
        }
    }
}

RegionId CalleesModel::regionOf(const QModelIndex& index) const {
    return regions_[nodeOf(index).index()];
}

std::vector<CallPathChoice> CalleesModel::choicesOf(NodeId node, Extent extent) const {
    std::vector<CallPathChoice> chosen;
    for (const CallPathId path : pathsOf(node)) chosen.push_back({path, extent});
    return chosen;
}

}  // namespace holos::gui
