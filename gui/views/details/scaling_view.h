// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "report/plot/curves.h"

class QPainter;

namespace holos::gui {

/// A curve of growth on logarithmic axes: dots are what was measured, the line is the law, which is broken
/// beyond the largest size, and the bar at its end is between which values the prediction lies.
class ScalingView : public QWidget {
    Q_OBJECT
  public:
    explicit ScalingView(QWidget* parent = nullptr);

    /// One curve or none.
    void setCurves(plot::Curves curves);
    const plot::Curves& curves() const { return curves_; }
    /// Where a measured point is painted, by its number.
    QPointF placeOf(std::size_t point) const;

  Q_SIGNALS:
    /// The measured point at the pointer; nothing: none.
    void pointed(std::optional<std::size_t> point);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    QRectF area() const;
    QPointF placeOf(const plot::PlacedValue& value) const;
    void paintMarks(QPainter& painter) const;
    void paintLaw(QPainter& painter) const;
    void paintBounds(QPainter& painter) const;
    void paintMeasured(QPainter& painter) const;

    plot::Curves curves_;
    plot::LogarithmicAxis across_;
    plot::LogarithmicAxis up_;
};

}  // namespace holos::gui
