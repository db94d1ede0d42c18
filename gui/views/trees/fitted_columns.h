// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <vector>

#include "gui/models/tree_model.h"

class QTreeView;

namespace holos::gui {

class Colors;
class ValueDelegate;

/// Which columns a pane's tree shows, and how wide they are. In a narrow pane the names need the room of the
/// units; in a wide one the bars take what names in sight leave. Where there are more columns, numbers get
/// shorter before names do, and only what has no room for its shortest numbers is scrolled to.
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

    /// Makes room for these rows, which came into sight. Scrolling takes none away: columns that change with
    /// each step of the wheel are hard to compare.
    void makeRoomFor(const std::vector<QModelIndex>& rows);
    /// Values changed: rows that are out of sight need no room any more.
    void forgetRows() { widest_.clear(); }

  private:
    void show();
    void fit();
    void shareRoom();
    int widest(int column) const;

    QTreeView& tree_;
    ValueDelegate* delegate_;
    const TreeModel* model_ = nullptr;
    std::set<int> shown_;
    int width_ = 0;  ///< of the pane
    /// By column, what names and numbers need of the rows that were in sight since values changed, in pixels.
    std::map<int, int> widest_;
};

}  // namespace holos::gui
