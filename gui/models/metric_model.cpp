// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/metric_model.h"

#include <limits>

#include "gui/models/counterpart.h"

namespace holos::gui {

using namespace algebra;

QString nameOf(const Metric& metric) {
    const QString name =
        QString::fromStdString(metric.displayName.empty() ? metric.uniqueName : metric.displayName);
    return metric.incomplete && !name.startsWith(u'~') ? u'~' + name : name;
}

namespace {

QString withoutMark(const QString& name) {
    return name.startsWith(u'~') ? name.mid(1) : name;
}

}  // namespace

MetricModel::MetricModel(ValueCache& cache) : TreeModel(cache) {
    for (const MetricId root : cache.experiment().metrics.roots()) addTree(root, std::nullopt);
    time_ = cache.experiment().findMetric("time");
}

void MetricModel::addTree(MetricId id, std::optional<NodeId> parent) {
    const MetricForest& forest = cache().experiment().metrics;
    std::vector<std::pair<MetricId, std::optional<NodeId>>> open{{id, parent}};
    while (!open.empty()) {
        const auto [next, above] = open.back();
        open.pop_back();
        if (forest[next].ghost) continue;
        const NodeId node = addNode(nameOf(forest[next]), above);
        metrics_.push_back(next);
        const bool isPart = above && !forest[metrics_[hierarchies_[above->index()].index()]].isVoid;
        hierarchies_.push_back(isPart ? hierarchies_[above->index()] : node);
        const auto& below = forest.children(next);
        for (auto child = below.rbegin(); child != below.rend(); ++child) open.emplace_back(*child, node);
    }
}

MetricChoice MetricModel::choice(const QModelIndex& index) const {
    return {metricAt(index), rows().extentOf(nodeOf(index))};
}

QModelIndex MetricModel::findMetric(const QString& name) const {
    const MetricForest& forest = cache().experiment().metrics;
    for (const NodeId node : rows().ids())
        if (QString::fromStdString(forest[metricIdOf(node)].uniqueName) == name) return indexOf(node);
    for (const NodeId node : rows().ids())
        if (withoutMark(nameOf(forest[metricIdOf(node)])).compare(withoutMark(name), Qt::CaseInsensitive) ==
            0)
            return indexOf(node);
    return {};
}

QString MetricModel::choiceText(const QModelIndex& index) const {
    const QString name = index.siblingAtColumn(NameColumn).data().toString();
    return choice(index).extent == Extent::Exclusive ? name + u" (exclusive)"_qs : name;
}

void MetricModel::setContext(ChosenPaths paths, ChosenLocations locations) {
    paths_ = std::move(paths);
    locations_ = std::move(locations);
    totals_.clear();
    forgetThere();
    valuesChanged();
}

double MetricModel::total(MetricChoice choice) const {
    if (paths_.isAll() && locations_.isAll()) return cache().metric(choice);
    const auto known = totals_.find({choice.metric, choice.extent});
    if (known != totals_.end()) return known->second;
    return totals_[{choice.metric, choice.extent}] = cache().total(choice, paths_, locations_);
}

double MetricModel::value(NodeId node, Extent extent) const {
    return total({metricIdOf(node), extent});
}

double MetricModel::valueThere(NodeId node) const {
    Counterpart* other = cache().counterpart();
    if (other == nullptr) return std::numeric_limits<double>::quiet_NaN();
    const auto known = there_.find(node);
    if (known != there_.end()) return known->second;
    return there_[node] = other->total({metricIdOf(node), Extent::Inclusive}, paths_, locations_);
}

double MetricModel::percentBase(NodeId node) const {
    return total({metricIdOf(groupOf(node)), Extent::Inclusive});
}

std::optional<double> MetricModel::whole(NodeId node) const {
    const MetricForest& forest = cache().experiment().metrics;
    const bool isTime = forest[metricIdOf(node)].unit == "sec" && time_ && metricIdOf(node) != *time_;
    if (!isTime || forest[*time_].unit != "sec") return std::nullopt;
    return total({*time_, Extent::Inclusive});
}

double MetricModel::metricBase(NodeId node) const {
    const auto chosen = values().selected();
    const bool related = chosen && groupOf(*chosen) == groupOf(node);
    return related ? cache().metric({metricIdOf(*chosen), rows().extentOf(*chosen)})
                   : cache().metric({metricIdOf(groupOf(node)), Extent::Inclusive});
}

MetricId MetricModel::metricIdOf(NodeId node) const {
    return metrics_[node.index()];
}

QString MetricModel::toolTip(NodeId node) const {
    const Metric& metric = cache().experiment().metrics[metricIdOf(node)];
    QString text = u"%1  (%2)"_qs.arg(nameOf(metric), QString::fromStdString(metric.uniqueName));
    if (metric.incomplete) text += u"\nIncomplete: %1."_qs.arg(cache().incompletenessOf(metricIdOf(node)));
    return text + u'\n' + values().describe(node);
}

}  // namespace holos::gui
