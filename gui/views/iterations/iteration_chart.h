// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "gui/models/iterations/iteration_model.h"

namespace holos::gui {

/// A bar for each iteration, as high as it is long, with what of it is waiting at the top; those that are odd
/// have a mark above them. Iterations of another run are lines across the bars. Where there are more
/// iterations than pixels, a bar shows the longest one of several. A click chooses one of them; dragging, or
/// a click with Shift, all from one to another one. So do the arrow keys, Home and End, with Shift.
class IterationChart : public QWidget {
    Q_OBJECT
  public:
    /// The model must outlive the chart.
    explicit IterationChart(const IterationModel& model, QWidget* parent = nullptr);

    void select(const IterationRows& rows);
    const IterationRows& selected() const { return selected_; }
    QRectF barRect(int row) const;
    QSize sizeHint() const override { return {420, 160}; }

  Q_SIGNALS:
    void chosen(const holos::gui::IterationRows& rows);
    /// All views are to show these alone.
    void wanted(const holos::gui::IterationRows& rows);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void renew();
    void paintLegend(QPainter& painter, bool isDark) const;
    QRectF room() const;
    double heightOf(double seconds) const;
    std::optional<int> columnAt(double x) const;
    /// The longest of those that are painted there.
    std::optional<int> rowAt(double x) const;
    void choose(int row, bool isMore);
    int firstAt(int column) const;
    int columns() const;
    int longestIn(int from, int to) const;

    const IterationModel& model_;
    double most_ = 0.0;  ///< seconds
    IterationRows selected_;
    int anchor_ = -1;             ///< the row from which on others are chosen with it
    int cursor_ = -1;             ///< the row up to which
    std::optional<int> pressed_;  ///< the column in which the mouse was pressed
};

}  // namespace holos::gui
