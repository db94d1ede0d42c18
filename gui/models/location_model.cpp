// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/location_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/model/statistics.h"

namespace holos::gui {

using namespace algebra;

LocationModel::LocationModel(ValueCache& cache, const SystemModel& system) : cache_(cache), system_(system) {}

int LocationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(values_.size());
}

int LocationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

void LocationModel::update() {
    writing_ = system_.locationWriting();
    compared_ = system_.comparedValues();
    const Statistics spread = statisticsOf(compared_);
    mean_ = spread.count == 0 ? 0.0 : spread.mean;
    const bool first = values_.empty();
    if (first) beginResetModel();
    values_ = system_.locationValues();
    if (first) endResetModel();
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, ValueColumn), index(rowCount() - 1, DeviationColumn));
}

bool LocationModel::hasSeveralNodes() const {
    const auto& processes = cache_.experiment().system.processes;
    return std::ranges::any_of(
        processes, [&](const Process& process) { return process.node != processes.front().node; });
}

QVariant LocationModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return text(index);
    if (role == kSortRole) return sortKey(index);
    if (role == Qt::TextAlignmentRole && index.column() >= ValueColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QString LocationModel::text(const QModelIndex& index) const {
    const SystemTree& system = cache_.experiment().system;
    const Location& location = system.locations[static_cast<std::size_t>(index.row())];
    const Process& process = system[location.process];
    const double value = values_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case NodeColumn:
            return QString::fromStdString(system.nodes[process.node].name);
        case ProcessColumn:
            return QString::fromStdString(process.name);
        case ThreadColumn:
            return QString::fromStdString(location.name);
        case ValueColumn:
            return writing_.text(value);
        default:
            return mean_ == 0.0 || std::isnan(comparedAt(index.row()))
                       ? QString(kUndefined)
                       : percentage((value - mean_) / std::abs(mean_), system_.values().digits());
    }
}

QVariant LocationModel::sortKey(const QModelIndex& index) const {
    const SystemTree& system = cache_.experiment().system;
    const Location& location = system.locations[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case ProcessColumn:
            return static_cast<qlonglong>(system[location.process].rank);
        case ThreadColumn:
            return static_cast<qlonglong>(location.rank);
        case NodeColumn:
            return text(index);
        case DeviationColumn:
            return (comparedAt(index.row()) - mean_) / std::abs(mean_);
        default:
            return values_[static_cast<std::size_t>(index.row())];
    }
}

bool LocationModel::isBefore(int column, int row, int other) const {
    if (column == ValueColumn || column == DeviationColumn) {
        const auto& values = column == ValueColumn ? values_ : compared_;
        const double mine = values[static_cast<std::size_t>(row)];
        const double theirs = values[static_cast<std::size_t>(other)];
        return std::isnan(mine) ? !std::isnan(theirs) : mine < theirs;
    }
    return QVariant::compare(sortKey(index(row, column)), sortKey(index(other, column))) ==
           QPartialOrdering::Less;
}

QVariant LocationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array kTitles{u"Node"_qs, u"Process"_qs, u"Thread"_qs, u"Value"_qs, u"From mean"_qs};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns)
        return {};
    return kTitles[static_cast<std::size_t>(section)];
}

}  // namespace holos::gui
