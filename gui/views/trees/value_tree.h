// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTreeView>
#include <vector>

namespace holos::gui {

/// The tree of a pane, whose values change together.
class ValueTree : public QTreeView {
  public:
    /// `severalRows` allows to select more than one.
    ValueTree(bool severalRows, QWidget* parent);

    /// Expands these rows, and lays all rows out once.
    void expandTogether(const QModelIndexList& rows);
    /// The rows that can be seen, by their names.
    std::vector<QModelIndex> rowsInSight() const;

    /// Paints everything, and does not look for the place of each row.
    void dataChanged(const QModelIndex& from, const QModelIndex& to, const QList<int>& roles) override;
};

}  // namespace holos::gui
