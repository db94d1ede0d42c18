// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "gui/models/tree_model.h"

class QTreeView;

namespace holos::gui {

class Colors;
class ValueDelegate;

/// Which columns a pane's tree shows, and how wide they are. In a narrow pane the names need the room of the
/// units; in a wide one the bars take what names in sight leave.
class FittedColumns {
  public:
    /// Both must outlive the columns.
    FittedColumns(QTreeView& tree, const Colors& colors);

    /// What the tree shows from now on, or nothing.
    void setModel(const TreeModel* model);
    /// The columns behind the value that are shown.
    void setShown(const std::set<int>& columns);
    /// Into a pane of this width.
    void fitInto(int width);

    /// Makes room for the names of these rows, which came into sight. Scrolling takes none from names: bars
    /// that change with each step of the wheel are hard to compare.
    void makeRoomFor(const std::vector<QModelIndex>& rows);
    /// Values changed: names of rows that are out of sight need no room any more.
    void forgetNames() { widestName_ = 0; }

  private:
    void show();
    void fit();

    QTreeView& tree_;
    ValueDelegate* delegate_;
    const TreeModel* model_ = nullptr;
    std::set<int> shown_;
    int width_ = 0;       ///< of the pane
    int widestName_ = 0;  ///< of the rows that were in sight since values changed, in pixels
};

}  // namespace holos::gui
