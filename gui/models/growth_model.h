// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>

#include "gui/models/growth.h"

namespace holos::gui {

/// Call paths × what is known of how they grow: what was measured in the largest runs, the law, what it
/// predicts and how surely. The largest prediction comes first.
class GrowthModel : public QAbstractTableModel {
  public:
    enum Column {
        PathColumn,
        LawColumn,
        LargestColumn,
        PredictedColumn,
        BoundsColumn,
        GrowthColumn,
        ShareColumn,
        ExplainedColumn,
        ErrorColumn,
        kColumns
    };

    void setGrowth(const Growth& growth);
    void setDigits(Digits digits);
    const Growth& growth() const { return growth_; }
    /// Of the values in the table.
    const QuantityFormat& format() const { return format_; }
    /// −1: none.
    int rowOf(algebra::CallPathId pathOfProgram) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    double valueOf(const algebra::scaling::Growing& row, int column) const;
    QString textOf(const algebra::scaling::Growing& row, int column) const;
    void chooseFormat();

    Growth growth_;
    QStringList names_;  ///< by row
    QuantityFormat format_;
    Digits digits_;
};

}  // namespace holos::gui
