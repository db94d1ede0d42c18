// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/value_tree.h"

#include "gui/models/tree_model.h"

namespace holos::gui {

ValueTree::ValueTree(bool severalRows, QWidget* parent) : QTreeView(parent) {
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(severalRows ? ExtendedSelection : SingleSelection);
    setSelectionBehavior(SelectRows);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ValueTree::expandTogether(const QModelIndexList& rows) {
    if (rows.isEmpty()) return;
    scheduleDelayedItemsLayout();
    for (const QModelIndex& row : rows) expand(row);
}

std::vector<QModelIndex> ValueTree::rowsInSight() const {
    std::vector<QModelIndex> rows;
    const int bottom = viewport()->height();
    for (QModelIndex at = indexAt({0, 0}); at.isValid() && visualRect(at).top() < bottom; at = indexBelow(at))
        rows.push_back(at.siblingAtColumn(TreeModel::NameColumn));
    return rows;
}

void ValueTree::dataChanged(const QModelIndex&, const QModelIndex&, const QList<int>&) {
    viewport()->update();
}

}  // namespace holos::gui
