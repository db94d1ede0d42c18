// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/path_set_model.h"

#include <limits>
#include <map>

#include "algebra/model/source_lines.h"

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
    if (isSumOfParts(cache().experiment().metrics[metric().metric])) {
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

std::vector<CallPathChoice> PathSetModel::choicesOf(NodeId node, Extent extent) const {
    std::vector<CallPathChoice> chosen;
    for (const CallPathId path : pathsOf(node)) chosen.push_back({path, extent});
    return chosen;
}

namespace {

bool isConstruct(const Region& region) {
    return region.paradigm == "openmp";
}

/// What other constructs run in.
bool isOuterConstruct(const Region& region) {
    return isConstruct(region) && (region.role == "parallel" || region.role == "task");
}

bool isPhase(const Region& region) {
    return region.paradigm == "user" || region.role.find("phase") != std::string::npos ||
           region.role.find("dynamic") != std::string::npos;
}

/// By call path: the name of the construct that it is in.
std::vector<QString> constructs(const Experiment& experiment) {
    std::vector<QString> names;
    for (const CallPathId path : experiment.callTree.ids()) {
        const Region& region = experiment.regionOf(path);
        const auto parent = experiment.callTree.parent(path);
        const QString above = parent ? names[parent->index()] : QString();
        const bool own = isOuterConstruct(region) || (above.isEmpty() && isConstruct(region));
        names.push_back(own ? QString::fromStdString(region.name) : above);
    }
    for (QString& name : names)
        if (name.isEmpty()) name = u"(outside of OpenMP)"_qs;
    return names;
}

/// By call path: the name of the phase that it is in.
std::vector<QString> phases(const Experiment& experiment) {
    std::vector<QString> names;
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        names.push_back(isPhase(experiment.regionOf(path)) ? callName(experiment, path)
                        : parent                           ? names[parent->index()]
                                                           : u"(outside of phases)"_qs);
    }
    return names;
}

std::vector<QString> modules(const Experiment& experiment) {
    std::vector<QString> names;
    for (const CallPathId path : experiment.callTree.ids())
        names.push_back(kindOf(experiment.regionOf(path)));
    return names;
}

/// By call path; empty: no groups.
std::vector<QString> groupNames(const Experiment& experiment, RegionGroups groups) {
    switch (groups) {
        case RegionGroups::Modules:
            return modules(experiment);
        case RegionGroups::Constructs:
            return constructs(experiment);
        case RegionGroups::Phases:
            return phases(experiment);
        default:
            return {};
    }
}

}  // namespace

QString kindOf(const Region& region) {
    return QString::fromStdString(belongingOf(region));
}

RegionModel::RegionModel(ValueCache& cache, RegionGroups groups) : PathSetModel(cache) {
    const Experiment& experiment = cache.experiment();
    const std::vector<QString> names = groupNames(experiment, groups);
    std::map<QString, NodeId> groupNodes;
    std::map<std::pair<std::optional<NodeId>, RegionId>, NodeId> regionNodes;  // by group
    for (const CallPathId path : experiment.callTree.ids()) {
        std::optional<NodeId> group;
        if (!names.empty()) {
            const QString& name = names[path.index()];
            const auto known = groupNodes.find(name);
            group = known != groupNodes.end() ? known->second
                                              : groupNodes.emplace(name, addNode(name, {})).first->second;
            addPath(*group, path);
        }
        const RegionId region = experiment.callTree[path].region;
        const auto [node, isNew] = regionNodes.try_emplace({group, region});
        if (isNew) node->second = addNode(QString::fromStdString(experiment[region].name), group);
        addPath(node->second, path);
    }
}

std::vector<CallPathChoice> RegionModel::choicesOf(NodeId node, Extent extent) const {
    std::vector<CallPathChoice> chosen;
    if (extent == Extent::Exclusive) return chosen;
    for (const CallPathId path : pathsOf(node)) chosen.push_back({path, Extent::Exclusive});
    return chosen;
}

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

}  // namespace holos::gui
