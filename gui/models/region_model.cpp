// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/region_model.h"

#include <QFileInfo>
#include <limits>
#include <map>

namespace holos::gui {

using namespace algebra;

namespace {

QString groupNameOf(const Region& region) {
    if (region.paradigm == "mpi") return u"MPI"_qs;
    if (region.paradigm == "openmp") return u"OpenMP"_qs;
    const QString file = QFileInfo(QString::fromStdString(region.module)).fileName();
    return file.isEmpty() ? u"(unknown source)"_qs : file;
}

}  // namespace

RegionModel::RegionModel(ValueCache& cache) : ProgramModel(cache) {
    const Experiment& experiment = cache.experiment();
    std::map<QString, int> groups;
    std::vector<std::optional<int>> nodes(experiment.regions.size());
    for (const CallPathId path : experiment.callTree.ids()) {
        const RegionId region = experiment.callTree[path].region;
        const QString name = groupNameOf(experiment[region]);
        auto group = groups.find(name);
        if (group == groups.end()) group = groups.emplace(name, addNode(name, std::nullopt)).first;
        auto& node = nodes[region.index()];
        if (!node) node = addNode(QString::fromStdString(experiment[region].name), group->second);
        paths_.resize(static_cast<std::size_t>(nodeCount()));
        for (const int of : {group->second, *node}) paths_[of].push_back({path, Extent::Exclusive});
    }
    values_.resize(paths_.size());
}

std::vector<CallPathChoice> RegionModel::choices(const QModelIndex& index) const {
    return paths_[nodeOf(index)];
}

/// A group has nothing of its own.
double RegionModel::value(int node, Extent extent) const {
    const bool sums = isSummable(cache().experiment().metrics[metric().metric]);
    if (extent == Extent::Exclusive) return sums ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    std::optional<double>& known = values_[node];
    if (known) return *known;
    if (!sums) return *(known = cache().total(metric(), paths_[node], locations()));
    const std::vector<double>& own = values(Extent::Exclusive);
    known = 0.0;
    for (const CallPathChoice& choice : paths_[node]) *known += own[choice.path.index()];
    return *known;
}

QString RegionModel::toolTip(int node) const {
    return u"%1\n%2 call paths\n%3"_qs.arg(pathOf(node)).arg(paths_[node].size()).arg(describe(node));
}

}  // namespace holos::gui
