// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/views/parts/logarithmic_plot.h"

namespace holos::gui {

/// A curve of growth on logarithmic axes: dots are what was measured, the line is the law, which is broken
/// beyond the largest size, and the bar at its end is between which values the prediction lies.
class ScalingView : public LogarithmicPlot {
    Q_OBJECT
  public:
    explicit ScalingView(QWidget* parent = nullptr);

    /// One curve or none.
    void setCurves(plot::Curves curves);
    const plot::Curves& curves() const { return curves_; }
    /// Where a measured point is painted, by its number.
    QPointF placeOf(std::size_t point) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    using LogarithmicPlot::placeOf;
    void paintLaw(QPainter& painter) const;
    void paintBounds(QPainter& painter) const;
    void paintMeasured(QPainter& painter) const;

    plot::Curves curves_;
};

}  // namespace holos::gui
