// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTabWidget>
#include <optional>

#include "gui/models/system_model.h"

class QSortFilterProxyModel;
class QTableView;

namespace holos::gui {

class Colors;
class DistributionView;
class TopologyPage;
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
    TopologyPage* topology() const { return topology_; }
    DistributionView* distribution() const { return distribution_; }

    /// The location that is selected, when it is one.
    std::optional<algebra::LocationId> selected() const;
    /// Selects a location in every view.
    void reveal(algebra::LocationId location);
    /// The table by the same column, in the same direction.
    void sortAs(const SystemViews& other);

  private:
    void makeTable();
    void updateLater();
    void update();
    void tableChosen();

    SystemModel& system_;
    LocationModel locations_;
    TreePane* tree_;
    DistributionView* distribution_;
    QTableView* table_;
    QSortFilterProxyModel* sorted_;
    TopologyPage* topology_;
    bool updating_ = false;  ///< `update` comes with the next events
};

}  // namespace holos::gui
