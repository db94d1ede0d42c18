// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/growth_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

using namespace algebra::scaling;

namespace {

/// How far from the largest run a prediction looks when nobody says it, as in `holos scaling`.
constexpr double kTimesTheLargest = 4;

StudyPtr studyOf(const std::vector<NamedExperiment>& experiments) {
    if (experiments.size() < 2)
        throw Error("Open experiments of runs of different sizes to see how call paths grow");
    std::vector<SizedRun> runs;
    for (const NamedExperiment& each : experiments)
        runs.push_back({each.name.toStdString(), each.experiment, {}});
    StudyOptions options;
    const bool areNamed =
        std::ranges::all_of(experiments, [](const NamedExperiment& each) { return each.size.has_value(); });
    if (areNamed && !differInSize(runs)) {
        options.parameters = {"size"};
        for (std::size_t run = 0; run < runs.size(); ++run) runs[run].parameters = {*experiments[run].size};
    }
    return std::make_shared<const Study>(std::move(runs), options);
}

/// `study`: as far as it is known.
Growth growthOf(const std::vector<NamedExperiment>& experiments, StudyPtr study, const std::string& metric,
                std::optional<double> at) {
    Growth growth{std::move(study), metric, {}, {}, {}, {}, {}};
    try {
        if (!growth.study) growth.study = studyOf(experiments);
        growth.at = growth.study->groups().back().at;
        growth.at.front() = at.value_or(kTimesTheLargest * growth.at.front());
        growth.paths = growingPaths(*growth.study, metric, growth.at);
        growth.subtrees = growingSubtrees(*growth.study, metric, growth.at);
        auto whole = growingMetrics(*growth.study, {metric}, growth.at);
        if (!whole.empty()) growth.program = std::move(whole.front());
        if (growth.paths.empty()) growth.whyEmpty = u"No call path has a value of this metric"_qs;
    } catch (const Error& error) {
        growth.whyEmpty = QString::fromUtf8(error.what());
    }
    return growth;
}

}  // namespace

const Growing* Growth::of(algebra::CallPathId path) const {
    for (const auto* among : {&paths, &subtrees})
        for (const Growing& growing : *among)
            if (growing.path == path) return &growing;
    return nullptr;
}

QString Growth::parameter() const {
    return study ? QString::fromStdString(study->parameters().front()) : QString();
}

void GrowthFinder::setExperiments(std::vector<NamedExperiment> experiments) {
    experiments_ = std::move(experiments);
    study_.reset();
    known_.clear();
    ++version_;
}

void GrowthFinder::want(const std::string& metric, std::optional<double> at) {
    const Wanted wanted{metric, at};
    if (const auto known = known_.find(wanted); known != known_.end()) {
        next_.reset();
        Q_EMIT found(known->second);
        return;
    }
    next_ = wanted;
    if (!isBusy_) findNext();
}

void GrowthFinder::findNext() {
    isBusy_ = true;
    const Wanted wanted = *std::exchange(next_, std::nullopt);
    inBackground(
        this,
        [experiments = experiments_, study = study_, wanted] {
            return growthOf(experiments, study, wanted.metric, wanted.at);
        },
        [this, wanted, version = version_](const Growth& growth) {
            isBusy_ = false;
            const bool isOfThese = version == version_;
            if (isOfThese) {
                study_ = growth.study;
                known_.emplace(wanted, growth);
            }
            if (next_) return findNext();
            if (isOfThese) Q_EMIT found(growth);
        });
}

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kPercent = 100.0;

QString sizeText(const Point& at) {
    return QString::number(at.front(), 'g', kUsualDigits);
}

}  // namespace

void GrowthModel::setGrowth(const Growth& growth) {
    beginResetModel();
    growth_ = growth;
    names_.clear();
    if (growth_.study) {
        const algebra::Experiment& program = growth_.study->program();
        const ShortNames names = algebra::shortNamesOf(program);
        for (const Growing& row : growth_.paths)
            names_ << QString::fromStdString(algebra::callPathText(program, *row.path, names));
    }
    chooseFormat();
    endResetModel();
}

void GrowthModel::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    chooseFormat();
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void GrowthModel::chooseFormat() {
    double largest = 0.0;
    const auto add = [&largest](double value) { largest = std::max(largest, std::abs(value)); };
    for (const Growing& row : growth_.paths) {
        add(row.predicted.value);
        for (const double value : row.measured) add(value);
    }
    QString unit;
    for (std::size_t run = 0; unit.isEmpty() && growth_.study && run < growth_.study->runs().size(); ++run)
        if (const auto found = growth_.study->experiment(run).findMetric(growth_.metric))
            unit = QString::fromStdString(growth_.study->experiment(run).metrics[*found].unit);
    format_ = QuantityFormat::absolute(unit, largest, false, digits_);
}

int GrowthModel::rowOf(algebra::CallPathId pathOfProgram) const {
    const auto found = std::ranges::find_if(
        growth_.paths, [&](const Growing& row) { return row.path && *row.path == pathOfProgram; });
    return found == growth_.paths.end() ? -1 : static_cast<int>(found - growth_.paths.begin());
}

int GrowthModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(growth_.paths.size());
}

int GrowthModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

double GrowthModel::valueOf(const Growing& row, int column) const {
    switch (column) {
        case LargestColumn:
            return row.measured.back();
        case PredictedColumn:
            return row.predicted.value;
        case GrowthColumn:
            return row.measured.back() > 0 ? row.predicted.value / row.measured.back() : kNoNumber;
        case ShareColumn:
            return kPercent * row.share;
        case ExplainedColumn:
            return row.model.quality().explained.value_or(kNoNumber);
        case ErrorColumn:
            return row.model.quality().crossError;
        default:
            return kNoNumber;
    }
}

QString GrowthModel::textOf(const Growing& row, int column) const {
    const double value = valueOf(row, column);
    switch (column) {
        case LargestColumn:
        case PredictedColumn:
            return format_.text(value);
        case BoundsColumn:
            return format_.number(row.predicted.low) + u" … "_qs + format_.text(row.predicted.high);
        case GrowthColumn:
            return std::isnan(value) ? QString(kUndefined) : u"× "_qs + QString::number(value, 'g', 3);
        case ShareColumn:
            return QString::number(value, 'f', 1) + u" %"_qs;
        case LawColumn:
            return QString::fromStdString(row.model.law(growth_.study->parameters()));
        case ExplainedColumn:
            return std::isnan(value) ? QString(kUndefined) : QString::number(value, 'f', 3);
        default:
            return QString::number(value, 'f', 1) + u" %"_qs;
    }
}

QVariant GrowthModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Growing& row = growth_.paths[static_cast<std::size_t>(index.row())];
    const bool isText = index.column() == PathColumn || index.column() == LawColumn;
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == PathColumn ? names_[index.row()] : textOf(row, index.column());
        case Qt::TextAlignmentRole:
            return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return isText ? (index.column() == PathColumn ? names_[index.row()] : textOf(row, index.column()))
                          : QVariant();
        case TreeModel::ValueRole:
            return isText || index.column() == BoundsColumn ? QVariant() : valueOf(row, index.column());
        default:
            return {};
    }
}

QVariant GrowthModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !growth_.study || growth_.at.empty()) return {};
    const QString parameter = growth_.parameter();
    const QString largest = sizeText(growth_.study->groups().back().at);
    const QString predicted = sizeText(growth_.at);
    const QStringList tips{QString(),
                           u"The model of what was measured, in the unit of the metric"_qs,
                           u"What was measured in the runs with %1 %2"_qs.arg(largest, parameter),
                           u"What the law gives for %1 %2"_qs.arg(predicted, parameter),
                           u"The range in which the value will lie, with 95 % confidence"_qs,
                           u"Predicted, divided by what was measured in the largest runs"_qs,
                           u"Share of the sum that is predicted for all call paths"_qs,
                           u"How much of the variation between sizes the law explains (adjusted R²)"_qs,
                           u"By how much each size differs, on average, from what the others predict"_qs};
    if (role == Qt::ToolTipRole) return tips[section];
    if (role != Qt::DisplayRole) return {};
    const QStringList titles{u"Call path"_qs,
                             u"Law"_qs,
                             u"Measured, %1"_qs.arg(largest),
                             u"Predicted, %1"_qs.arg(predicted),
                             u"95 % confidence"_qs,
                             u"Growth"_qs,
                             u"Share"_qs,
                             u"R²"_qs,
                             u"Error"_qs};
    return titles[section];
}

}  // namespace holos::gui
