// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <optional>

#include "gui/models/grid_view.h"
#include "gui/models/system_model.h"
#include "gui/views/topology/topology_layout.h"

namespace holos::gui {

class Colors;

/// A grid of cells, coloured by value between the smallest and the largest of them: its planes beside each
/// other, or as a stack that dragging turns.
///
/// A click, or the arrow keys and Page Up and Down, choose a cell; Ctrl with Page Up and Down goes through
/// the slices of the third dimension; the wheel (with Ctrl where there is something to scroll), `+` and `−`
/// zoom; Shift and the arrow keys turn a stack; Home shows all of it from the usual side.
class TopologyView : public QAbstractScrollArea {
    Q_OBJECT
  public:
    /// `system` and `colors` must outlive the view.
    TopologyView(const SystemModel& system, const Colors& colors, QWidget* parent = nullptr);

    /// The grid must outlive its being shown; null: there is none. `update` has to follow.
    void setGrid(const Grid* grid);
    void setView(const GridView& view);
    const GridView& view() const { return view_; }
    const GridPlanes& planes() const { return planes_; }
    /// After the system model's values have changed, or the selected locations, whose cells are framed.
    void update(const std::vector<algebra::LocationId>& selected);
    /// Around a place of the viewport.
    void zoom(double factor, QPointF around);

    /// Whether no cell has a value: a sentence that says why is painted instead.
    bool isEmpty() const { return grid_ == nullptr || smallest_ > largest_; }
    /// What the colours mean; nothing when there are no values.
    std::optional<ScaleRange> range() const;
    /// The middle of the first cell that has the location, in the viewport; nothing when no cell has it.
    std::optional<QPoint> placeOf(algebra::LocationId location) const;
    /// Where a place of the viewport lies in the topology, who stands there, and the value.
    QString textAt(QPointF place) const;
    /// `textAt` the place, and what is known of a thread that stands there alone.
    QString toolTipAt(QPointF place) const;
    /// `toolTipAt` of what is selected.
    QString selectedText() const;

  Q_SIGNALS:
    /// Somebody chose a cell with these.
    void locationsChosen(const std::vector<algebra::LocationId>& locations);
    /// Keys or the mouse changed what is seen of the grid.
    void viewChanged();
    /// What is below the pointer, in words; empty: nothing.
    void told(const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    QPointF scrolled() const;
    void layOut();
    TopologyRoom room() const;
    std::optional<std::size_t> cellAt(QPointF place) const;
    QString textOf(std::size_t cell) const;
    double share(double value) const;
    void choose(std::size_t cell);
    void step(std::size_t axis, int by);
    void stepSlice(int by);
    void drag(QPoint by);
    bool pressTurningKey(int key);
    bool pressMovingKey(int key, bool slices);

    /// A cell of the grid as it lies in the picture.
    struct Found {
        const Tile* tile;
        QPoint at;  ///< column and row
    };
    std::optional<Found> find(std::size_t cell) const;
    bool drawsCells() const;
    const QImage& imageOf(std::size_t plane) const;
    void paintTile(QPainter& painter, const Tile& tile) const;
    void paintMarks(QPainter& painter) const;
    void paintFlatLabels(QPainter& painter, const Tile& tile) const;
    void paintStackLabels(QPainter& painter, const Tile& tile) const;
    void paintEdge(QPainter& painter, const Tile& tile, std::size_t axis) const;

    const SystemModel& system_;
    const Colors& colors_;
    const Grid* grid_ = nullptr;
    GridView view_;
    GridPlanes planes_;
    TopologyLayout layout_;
    double zoom_ = 1.0;
    std::vector<double> values_;  ///< by cell; NaN: nobody is there
    double smallest_ = 0.0, largest_ = 0.0;
    Writing writing_;                     ///< of the values
    std::vector<std::size_t> marked_;     ///< cells of what is selected
    std::vector<bool> isMarked_;          ///< by cell
    mutable std::vector<QImage> images_;  ///< by plane; empty until they are painted
    std::optional<QPoint> pressed_;       ///< where the mouse was when it was last looked at
    bool dragged_ = false;
};

}  // namespace holos::gui
