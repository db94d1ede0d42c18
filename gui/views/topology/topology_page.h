// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "gui/models/grid_view.h"
#include "gui/models/system_model.h"

class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QToolButton;

namespace holos::gui {

class ColorLegend;
class Colors;
class ElidedLabel;
class TopologyView;

/// The topologies of an experiment with what chooses how they are seen: which one, which dimension goes
/// where, which slices, beside each other or stacked.
class TopologyPage : public QWidget {
    Q_OBJECT
  public:
    /// `system` and `colors` must outlive the page.
    TopologyPage(std::vector<Grid> grids, const SystemModel& system, const Colors& colors,
                 QWidget* parent = nullptr);

    TopologyView* view() const { return view_; }
    /// Draws this one of the experiment's topologies.
    void setGrid(int grid);
    /// Another side of the grid: each axis takes the dimension of the next one.
    void turn();
    /// Exchanges what goes across and down.
    void exchange();
    /// Planes above each other instead of beside each other, and back; nothing where there is one plane.
    void toggleStacked();
    /// After the values, or what is selected, have changed.
    void update(const std::vector<algebra::LocationId>& selected);

    /// What is seen, as saved views have it: the number of the topology and its view; empty where it is as
    /// always.
    QString state() const;
    /// As far as it fits to the experiment's topologies; a number alone: from the usual side; empty: as
    /// always.
    void restore(const QString& state);
    bool has(const QString& state) const;

  Q_SIGNALS:
    void locationsChosen(const std::vector<algebra::LocationId>& locations);
    /// Another grid or side is shown; `update` has to follow.
    void changed();

  private:
    const Grid& grid() const;
    /// Nothing where it does not fit.
    std::optional<std::pair<int, GridView>> viewFrom(const QString& state) const;
    void setView(const GridView& view);
    void showControls();
    QToolButton* makeAxisButton(std::size_t axis);
    QWidget* makeSliceBox(std::size_t axis);
    void describe(const QString& text);
    QString overview() const;

    std::vector<Grid> grids_;
    const SystemModel& system_;
    std::vector<GridView> views_;  ///< by grid
    TopologyView* view_;
    ColorLegend* legend_;
    ElidedLabel* text_;
    QComboBox* gridBox_;
    QToolButton* turn_;
    QToolButton* stack_;
    QWidget* controls_ = nullptr;  ///< of the axes of the grid
    QWidget* controlsPlace_;
};

}  // namespace holos::gui
