// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/call_model.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// The callee, with the parameters that tell one call path from its siblings.
QString nameOf(const Experiment& experiment, CallPathId path) {
    const CallPath& call = experiment.callTree[path];
    QStringList parameters;
    for (const auto& [key, value] : call.numericParameters)
        parameters << u"%1=%2"_qs.arg(QString::fromStdString(key)).arg(value);
    for (const auto& [key, value] : call.stringParameters)
        parameters << u"%1=%2"_qs.arg(QString::fromStdString(key), QString::fromStdString(value));
    const QString name = QString::fromStdString(experiment.regionOf(path).name);
    return parameters.isEmpty() ? name : u"%1 (%2)"_qs.arg(name, parameters.join(u", "_qs));
}

QString place(const std::string& file, std::int64_t line) {
    const QString name = QString::fromStdString(file);
    return line < 0 ? name : name + u':' + QString::number(line);
}

}  // namespace

CallModel::CallModel(ValueCache& cache) : TreeModel(cache) {
    const Experiment& experiment = cache.experiment();
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        addNode(nameOf(experiment, path),
                parent ? std::optional(static_cast<int>(parent->index())) : std::nullopt);
    }
}

void CallModel::setMetric(MetricChoice metric) {
    metric_ = metric;
    inclusive_.reset();
    exclusive_.reset();
    valuesChanged();
}

CallPathId CallModel::pathAt(const QModelIndex& index) const {
    return CallPathId(static_cast<std::size_t>(nodeOf(index)));
}

QModelIndex CallModel::indexOfPath(CallPathId path) const {
    return indexOf(static_cast<int>(path.index()));
}

CallPathChoice CallModel::choice(const QModelIndex& index) const {
    return {pathAt(index), extentOf(nodeOf(index))};
}

QString CallModel::choiceText(const QModelIndexList& chosen) const {
    if (chosen.isEmpty()) return u"all call paths"_qs;
    if (chosen.size() > 1) return u"%1 call paths"_qs.arg(chosen.size());
    const QString name = chosen.front().siblingAtColumn(NameColumn).data().toString();
    return choice(chosen.front()).extent == Extent::Exclusive ? name + u" (exclusive)"_qs : name;
}

double CallModel::value(int node, Extent extent) const {
    Values& values = extent == Extent::Inclusive ? inclusive_ : exclusive_;
    if (!values) values = cache().callPaths(metric_, extent);
    return (*values)[static_cast<std::size_t>(node)];
}

double CallModel::percentBase(int) const {
    return cache().metric(metric_);
}

double CallModel::metricBase(int) const {
    return cache().metric(metric_);
}

MetricId CallModel::metricIdOf(int) const {
    return metric_.metric;
}

QString CallModel::toolTip(int node) const {
    const Experiment& experiment = cache().experiment();
    const CallPathId path(static_cast<std::size_t>(node));
    const CallPath& call = experiment.callTree[path];
    const Region& region = experiment.regionOf(path);
    QString text = pathOf(node);
    if (!region.module.empty()) text += u"\nDefined in "_qs + place(region.module, region.beginLine);
    if (!call.module.empty() || call.line >= 0) text += u"\nCalled at "_qs + place(call.module, call.line);
    return text + u'\n' + describe(node);
}

}  // namespace holos::gui
