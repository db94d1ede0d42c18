// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "report/plot/curves.h"

namespace holos::gui {

/// A view with two logarithmic axes, with room for their marks left of its area and below, and for what they
/// mean above and below.
class LogarithmicPlot : public QWidget {
    Q_OBJECT
  Q_SIGNALS:
    /// The point at the pointer, by its number; nothing: none.
    void pointed(std::optional<std::size_t> point);

  protected:
    LogarithmicPlot(const QString& name, const QString& accessibleName, QWidget* parent);

    QPointF placeOf(const plot::PlacedValue& value) const;
    /// Lines at the powers of ten of the axis that goes up, and at these values of the other one, with their
    /// numbers; `upText` and `acrossText` say what the axes mean.
    void paintMarks(QPainter& painter, const std::vector<double>& across, const QString& upText,
                    const QString& acrossText) const;
    void leaveEvent(QEvent* event) override;

    plot::LogarithmicAxis across_;
    plot::LogarithmicAxis up_;

  private:
    QRectF area() const;
    void paintLine(QPainter& painter, QPointF from, QPointF to) const;
    void paintMarksUp(QPainter& painter) const;
    void paintMarksAcross(QPainter& painter, const std::vector<double>& marks) const;
};

}  // namespace holos::gui
