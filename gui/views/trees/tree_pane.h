// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTreeView>
#include <QWidget>
#include <set>
#include <vector>

#include "gui/models/tree_model.h"
#include "gui/views/trees/fitted_columns.h"
#include "gui/views/trees/row_hiding.h"

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

class QLineEdit;

namespace holos::gui {

class ColorLegend;
class Colors;
class ElidedLabel;

/// One of the three panes: a title that says what is shown, a search box, the tree, and below it what the
/// colours mean and the exact value of the selected row. It knows nothing of metrics or call paths: it tells
/// its model what is expanded and its owner what is chosen.
class TreePane : public QWidget {
    Q_OBJECT
  public:
    /// `name` is the pane's heading and its object name; `severalRows` allows to select more than one.
    /// `colors` must outlive the pane.
    TreePane(const QString& name, bool severalRows, const Colors& colors, QWidget* parent = nullptr);

    /// The model must outlive the pane or be replaced before it goes; null empties the pane.
    void setModel(TreeModel* model);
    TreeModel* model() const { return model_; }
    QTreeView* tree() const { return tree_; }
    QLineEdit* searchBox() const { return search_; }

    /// Puts another widget in the heading's place.
    void setHeading(QWidget* heading);
    /// What the values are of, beside the heading.
    void setSubject(const QString& subject);

    /// Leaves out what has, with everything below it, less than this part of 100 percent (0: nothing at all),
    /// but for what is selected. Nothing: shows everything.
    void setHideBelow(std::optional<double> part);

    /// Columns behind the value that are shown.
    void setColumns(const std::set<int>& columns);

    /// The selected rows, or none.
    QModelIndexList chosen() const;
    QModelIndex current() const;
    /// Opens what is above the node, selects it and scrolls to it.
    void reveal(const QModelIndex& index);
    void expandAll();
    /// Collapses everything; the selection moves to the root above it.
    void collapseAll();
    /// Expands these nodes and no others.
    void setExpanded(const std::vector<NodeId>& nodes);
    /// Selects these nodes.
    void choose(const std::vector<NodeId>& nodes);
    /// Shows only the selected row and what is below it, or everything again.
    void reroot();
    /// Marks what the regular expression matches, opens the tree down to it, and leaves out what does not
    /// lead to it. Nothing to search for: everything is as it was before.
    void search(const QString& text);
    /// Goes to the next match. False when it was the last one, or there is none.
    bool nextMatch();
    /// Goes to the match before, or else to the last one.
    void previousMatch();

  Q_SIGNALS:
    /// Other rows are selected, or a selected row is now shown with another extent.
    void choiceChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void keepInSight(const QSize& before);
    void followChoice(bool isOther);
    bool isChosen(const QModelIndex& row) const;
    void nodeExpanded(const QModelIndex& index, bool expanded);
    void dropHiddenSelection(const QModelIndex& collapsed);
    QModelIndexList closedRows() const;
    void changeAll(bool expand);
    void expandTogether(const std::vector<NodeId>& nodes);
    void valuesChanged();
    void settle();
    void followRowsInSight();
    void updateFoot();
    void updateHidden();
    void openToMatches();
    void closeAfterSearch();
    void askForRange();
    void showSubject();

    QWidget* heading_;
    ElidedLabel* subject_;
    QLineEdit* search_;
    ValueTree* tree_;
    FittedColumns columns_;
    ColorLegend* legend_;
    ElidedLabel* hidden_;  ///< how much is left out
    ElidedLabel* exact_;
    TreeModel* model_ = nullptr;
    RowHiding hiding_;
    std::vector<NodeId> matches_;
    std::size_t match_ = 0;     ///< how many of them were gone to
    QString of_;                ///< what the values are of
    bool changingAll_ = false;  ///< the tree says something of every node, and the model knows already
    bool settling_ = false;     ///< `settle` comes with the next events
    bool scrolling_ = false;    ///< the selected row comes into sight with the next events
    std::optional<std::vector<NodeId>> openBefore_;  ///< what was expanded before the search
};

}  // namespace holos::gui
