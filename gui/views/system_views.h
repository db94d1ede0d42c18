// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTabWidget>
#include <vector>

#include "gui/models/grid.h"
#include "gui/models/location_model.h"

class QComboBox;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace holos::gui {

class Colors;
class DistributionView;
class TopologyView;
class TreePane;

/// The system in four views with one selection: the tree, how values are spread, a table to sort, a topology.
class SystemViews : public QTabWidget {
    Q_OBJECT
  public:
    enum View { TreeView, DistributionTab, TableView, TopologyTab };

    /// All must outlive the views.
    SystemViews(ValueCache& cache, SystemModel& system, const Colors& colors, QWidget* parent = nullptr);

    TreePane* tree() const { return tree_; }
    QTableView* table() const { return table_; }
    TopologyView* topology() const { return topology_; }
    DistributionView* distribution() const { return distribution_; }
    /// Draws this one of the experiment's grids.
    void setGrid(int grid);
    /// Shows it from another side.
    void turnGrid();

    /// The location that is selected, when it is one.
    std::optional<algebra::LocationId> selected() const;
    /// Selects a location in every view.
    void reveal(algebra::LocationId location);

  private:
    QWidget* makeTopologyPage();
    void makeTable();
    void updateLater();
    void update();
    void tableChosen();

    SystemModel& system_;
    LocationModel locations_;
    std::vector<Grid> grids_;
    TreePane* tree_;
    DistributionView* distribution_;
    QTableView* table_;
    QSortFilterProxyModel* sorted_;
    TopologyView* topology_;
    QComboBox* gridBox_ = nullptr;
    QToolButton* turn_ = nullptr;
    bool updating_ = false;  ///< `update` comes with the next events
};

}  // namespace holos::gui
