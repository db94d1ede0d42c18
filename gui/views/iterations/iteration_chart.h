// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "gui/models/iterations/iteration_model.h"

namespace holos::gui {

/// A bar for each iteration, as high as it is long, with what of it is waiting at the top; those that are odd
/// have a mark above them. Iterations of another run are lines across the bars. Where there are more
/// iterations than pixels, a bar shows the longest one of several.
class IterationChart : public QWidget {
    Q_OBJECT
  public:
    /// The model must outlive the chart.
    explicit IterationChart(const IterationModel& model, QWidget* parent = nullptr);

    /// −1: none.
    void select(int row);
    int selected() const { return selected_; }
    QRectF barRect(int row) const;
    QSize sizeHint() const override { return {420, 160}; }

  Q_SIGNALS:
    void chosen(int row);
    /// All views are to show it alone.
    void wanted(int row);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void renew();
    void paintLegend(QPainter& painter, bool isDark) const;
    QRectF room() const;
    double heightOf(double seconds) const;
    /// The longest of those that are painted there.
    std::optional<int> rowAt(double x) const;
    int firstAt(int column) const;
    int columns() const;
    int longestIn(int from, int to) const;

    const IterationModel& model_;
    double most_ = 0.0;  ///< seconds
    int selected_ = -1;
};

}  // namespace holos::gui
