// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "gui/models/grid.h"
#include "gui/models/system_model.h"

namespace holos::gui {

class Colors;

/// The system as a grid of cells, coloured by value between the smallest and the largest of them; planes of
/// further dimensions stand side by side. A click on a cell chooses its first location.
class TopologyView : public QWidget {
    Q_OBJECT
  public:
    /// `system` and `colors` must outlive the view.
    TopologyView(const SystemModel& system, const Colors& colors, QWidget* parent = nullptr);

    /// `update` has to follow.
    void setGrid(const Grid* grid);
    /// After the system model's values, or the selected location, have changed.
    void update(std::optional<algebra::LocationId> selected);
    QSize sizeHint() const override;
    /// Of the planes in this width.
    int heightForWidth(int width) const override;

    /// The middle of the first cell that has the location; nothing when no cell has it.
    std::optional<QPoint> placeOf(algebra::LocationId location) const;

  Q_SIGNALS:
    void locationChosen(algebra::LocationId location);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    /// Where planes stand in a width.
    struct Layout {
        double cell = 0.0;
        int planesPerRow = 1;
        double planeWidth = 0.0, planeHeight = 0.0;
    };
    struct Found {
        std::size_t plane = 0, column = 0, row = 0;
    };
    Layout layoutIn(int width) const;
    QRectF placeOf(const Layout& layout, const Found& cell) const;
    std::optional<Found> cellAt(QPointF place) const;
    double valueOf(const Grid::Cell& cell) const;
    bool isSelected(const Grid::Cell& cell) const;
    void paintPlane(QPainter& painter, const Layout& layout, std::size_t plane) const;
    QString textOf(const Grid::Cell& cell, const Found& at) const;

    const SystemModel& system_;
    const Colors& colors_;
    const Grid* grid_ = nullptr;
    double smallest_ = 0.0, largest_ = 0.0;
    std::optional<algebra::LocationId> selected_;
};

}  // namespace holos::gui
