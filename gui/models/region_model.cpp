// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/region_model.h"

#include <map>

#include "algebra/model/source_lines.h"

namespace holos::gui {

using namespace algebra;

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

}  // namespace holos::gui
