// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/program_model.h"

#include <limits>

#include "algebra/model/call_names.h"
#include "gui/models/counterpart.h"

namespace holos::gui {

using namespace algebra;

QString callName(const Experiment& experiment, CallPathId path) {
    const CallPath& call = experiment.callTree[path];
    QStringList parameters;
    for (const auto& [key, value] : call.numericParameters)
        parameters << u"%1=%2"_qs.arg(QString::fromStdString(key)).arg(value);
    for (const auto& [key, value] : call.stringParameters)
        parameters << u"%1=%2"_qs.arg(QString::fromStdString(key), QString::fromStdString(value));
    const QString name = QString::fromStdString(callText(experiment, path));
    return parameters.isEmpty() ? name : u"%1 (%2)"_qs.arg(name, parameters.join(u", "_qs));
}

void ProgramModel::setContext(MetricChoice metric, ChosenLocations locations) {
    metric_ = metric;
    locations_ = std::move(locations);
    inclusive_.reset();
    exclusive_.reset();
    base_.reset();
    visits_.reset();
    forgetThere();
    forget();
    valuesChanged();
}

void ProgramModel::setWholeNames(bool whole) {
    if (whole == wholeNames_) return;
    wholeNames_ = whole;
    valuesChanged();
}

QString ProgramModel::shownName(NodeId node) const {
    if (wholeNames_) return rows().nameOf(node);
    if (!shortNames_) shortNames_ = shortNamesOf(cache().experiment());
    const std::string full = rows().nameOf(node).toStdString();
    const std::string& shown = shortNames_->of(full);
    // Behind a region's name stands where it is called.
    const std::size_t site = full.rfind(" @");
    if (shown != full || site == std::string::npos) return QString::fromStdString(shown);
    return QString::fromStdString(shortNames_->of(full.substr(0, site)) + full.substr(site));
}

QString ProgramModel::choiceText(const QModelIndexList& chosen) const {
    if (chosen.isEmpty()) return u"all call paths"_qs;
    if (chosen.size() > 1) return u"%1 rows"_qs.arg(chosen.size());
    const QString name = chosen.front().siblingAtColumn(NameColumn).data().toString();
    const NodeId node = nodeOf(chosen.front());
    return rows().extentOf(node) == Extent::Exclusive && hasOwnValues(node) ? name + u" (exclusive)"_qs
                                                                            : name;
}

const std::vector<double>& ProgramModel::pathValues(Extent extent) const {
    Values& values = extent == Extent::Inclusive ? inclusive_ : exclusive_;
    if (!values) values = cache().callPaths(metric_, extent, locations_);
    return *values;
}

/// Calls of what a row begins with: those within it are others.
std::optional<double> ProgramModel::visits(NodeId node) const {
    if (!visits_) {
        const auto metric = cache().experiment().findMetric("visits");
        if (!metric) return std::nullopt;
        visits_ = cache().callPaths({*metric}, Extent::Exclusive, locations_);
    }
    double sum = 0.0;
    for (const CallPathChoice& choice : choices(indexOf(node))) sum += (*visits_)[choice.path.index()];
    return sum;
}

void ProgramModel::forgetThere() {
    for (auto& values : there_) values.clear();
}

double ProgramModel::valueThere(NodeId node) const {
    Counterpart* other = cache().counterpart();
    if (other == nullptr) return std::numeric_limits<double>::quiet_NaN();
    const std::vector<CallPathChoice> choices = everythingOf(node);
    if (!isSumOfParts(cache().experiment().metrics[metric_.metric]))
        return other->total(metric_, choices, locations_);
    double sum = 0.0;
    for (const CallPathChoice& choice : choices) {
        std::vector<double>& values = there_[choice.extent == Extent::Inclusive ? 0 : 1];
        if (values.empty()) values = other->callPaths(metric_, choice.extent, locations_);
        sum += values[choice.path.index()];
    }
    return sum;
}

double ProgramModel::percentBase(NodeId) const {
    if (!base_)
        base_ = locations_.isAll() ? cache().metric(metric_) : cache().total(metric_, kAll, locations_);
    return *base_;
}

double ProgramModel::metricBase(NodeId) const {
    return cache().metric(metric_);
}

}  // namespace holos::gui
