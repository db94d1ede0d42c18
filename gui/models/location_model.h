// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>

#include "gui/models/system_model.h"

namespace holos::gui {

/// The locations as a table, to be sorted: node, process, thread, value, and how far it is from the mean of
/// all threads. Its values are those of a system model, which must outlive it. No rows before the first
/// `update`.
class LocationModel : public QAbstractTableModel {
  public:
    enum Column { NodeColumn, ProcessColumn, ThreadColumn, ValueColumn, DeviationColumn, kColumns };
    /// What rows are sorted by: numbers as numbers.
    static constexpr int kSortRole = Qt::UserRole;

    LocationModel(ValueCache& cache, const SystemModel& system);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// By the column's sort key, and undefined values before all others; many rows are compared often.
    bool isBefore(int column, int row, int other) const;
    /// After the system model's values have changed.
    void update();
    /// False where the column of nodes says nothing.
    bool hasSeveralNodes() const;

  private:
    QVariant sortKey(const QModelIndex& index) const;
    QString text(const QModelIndex& index) const;
    double comparedAt(int row) const { return compared_[static_cast<std::size_t>(row)]; }

    ValueCache& cache_;
    const SystemModel& system_;
    Writing writing_;
    std::vector<double> values_;
    std::vector<double> compared_;  ///< these, and NaN where there is no mean to be far from
    double mean_ = 0.0;
};

}  // namespace holos::gui
