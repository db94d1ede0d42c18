// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/comparison_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/counterpart.h"
#include "gui/models/csv.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

QString indented(const MetricForest& metrics, MetricId metric) {
    int depth = 0;
    for (auto up = metrics.parent(metric); up; up = metrics.parent(*up)) ++depth;
    return QString(4 * depth, u' ') + QString::fromStdString(metrics[metric].displayName);
}

}  // namespace

void ComparisonModel::setExperiments(std::vector<NamedExperiment> experiments) {
    beginResetModel();
    columns_.clear();
    metrics_.clear();
    rows_.clear();
    for (NamedExperiment& named : experiments) {
        Column column;
        column.name = std::move(named.name);
        column.cache = std::make_unique<ValueCache>(named.experiment);
        connect(column.cache.get(), &ValueCache::arrived, this, &ComparisonModel::valuesChanged);
        column.experiment = std::move(named.experiment);
        columns_.push_back(std::move(column));
    }
    if (!columns_.empty()) {
        const MetricForest& all = columns_.front().experiment->metrics;
        std::vector<MetricId> open(all.roots().rbegin(), all.roots().rend());
        while (!open.empty()) {
            const MetricId metric = open.back();
            open.pop_back();
            if (all[metric].ghost) continue;
            metrics_.push_back(metric);
            const auto& children = all.children(metric);
            open.insert(open.end(), children.rbegin(), children.rend());
        }
    }
    findPaths();
    endResetModel();
}

void ComparisonModel::setCallPath(std::optional<CallPathId> path) {
    if (path == path_) return;
    path_ = path;
    findPaths();
    valuesChanged();
}

void ComparisonModel::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    valuesChanged();
}

void ComparisonModel::valuesChanged() {
    rows_.clear();
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ComparisonModel::findPaths() {
    for (Column& column : columns_) {
        column.path =
            path_ ? sameCallPath(*columns_.front().experiment, *path_, *column.experiment) : std::nullopt;
        column.hasPath = !path_ || column.path;
    }
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(metrics_.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 1;
}

int ComparisonModel::rowOf(MetricId metric) const {
    const auto found = std::ranges::find(metrics_, metric);
    return found == metrics_.end() ? -1 : static_cast<int>(found - metrics_.begin());
}

double ComparisonModel::valueOf(const Column& column, const Metric& metric) const {
    const auto there = column.experiment->findMetric(metric.uniqueName);
    if (!there || !column.hasPath) return kMissing;
    if (!column.path) return column.cache->metric({*there});
    return column.cache->total({*there}, {{*column.path, Extent::Inclusive}});
}

const ComparisonModel::Row& ComparisonModel::row(int at) const {
    if (const auto known = rows_.find(at); known != rows_.end()) return known->second;
    const Metric& metric = columns_.front().experiment->metrics[metricAt(at)];
    Row made;
    for (const Column& column : columns_) {
        const double value = valueOf(column, metric);
        made.values.push_back(value);
        if (std::isfinite(value)) made.largest = std::max(made.largest, std::abs(value));
        made.negative = made.negative || value < 0.0;
    }
    const QString unit = QString::fromStdString(metric.unit);
    made.format = metric.origin == Origin::Ratio
                      ? QuantityFormat::ratio(unit, digits_)
                      : QuantityFormat::absolute(unit, made.largest, isWhole(metric), digits_);
    return rows_.emplace(at, std::move(made)).first->second;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Metric& metric = columns_.front().experiment->metrics[metricAt(index.row())];
    if (index.column() == 0) {
        if (role == Qt::DisplayRole)
            return indented(columns_.front().experiment->metrics, metricAt(index.row()));
        if (role == Qt::ToolTipRole) return QString::fromStdString(metric.uniqueName);
        if (role == TreeModel::IncompleteRole) return metric.incomplete;
        return {};
    }
    if (metric.isVoid) return {};
    const Row& here = row(index.row());
    const double value = here.values[static_cast<std::size_t>(index.column()) - 1];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            if (isPending(index)) return QString(kPending);
            return role == Qt::DisplayRole ? here.format.number(value) : here.format.text(value);
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return isPending(index) ? u"The value is still being read"_qs
                                    : exactQuantity(value, QString::fromStdString(metric.unit));
        case TreeModel::ValueRole:
            return value;
        case TreeModel::ShareRole:
            return here.largest > 0.0 ? value / here.largest : std::isnan(value) ? kMissing : 0.0;
        case TreeModel::SignedRole:
            return here.negative;
        case TreeModel::UnitRole:
            return value == 0.0 || std::isnan(value) ? QString() : here.format.unit();
        case TreeModel::NotationsRole:
            return isPending(index) ? QStringList{QString(kPending)} : here.format.notations(value);
        default:
            return {};
    }
}

/// Its value is being read.
bool ComparisonModel::isPending(const QModelIndex& index) const {
    const auto at = static_cast<std::size_t>(index.column()) - 1;
    const Column& column = columns_[at];
    const auto there =
        column.experiment->findMetric(columns_.front().experiment->metrics[metricAt(index.row())].uniqueName);
    return std::isnan(row(index.row()).values[at]) && there && column.hasPath &&
           column.cache->isReading(*there);
}

QString ComparisonModel::asCsv() const {
    QStringList fields{u"metric"_qs, u"name"_qs, u"unit"_qs};
    for (const Column& column : columns_) fields << csvText(column.name);
    QString table = fields.join(u',') + u'\n';
    for (int at = 0; at < rowCount(); ++at) {
        const Metric& metric = columns_.front().experiment->metrics[metricAt(at)];
        fields.clear();
        for (const std::string& text : {metric.uniqueName, metric.displayName, metric.unit})
            fields << csvText(QString::fromStdString(text));
        for (const double value : row(at).values) fields << csvNumber(metric.isVoid ? kMissing : value);
        table += fields.join(u',') + u'\n';
    }
    return table;
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == 0) return u"Metric"_qs;
    const auto at = static_cast<std::size_t>(section) - 1;
    return at < columns_.size() ? columns_[at].name : QVariant();
}

}  // namespace holos::gui
