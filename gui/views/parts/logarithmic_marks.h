// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QRectF>
#include <vector>

class QPainter;
class QWidget;

namespace holos::gui {

/// A mark of an axis: its value, and where it is between the ends (0 … 1).
struct AxisMark {
    double value = 0;
    double place = 0;
};

/// Room left of the area for numbers of the axis that goes up.
double roomForNumbers(const QWidget& widget);

/// Lines across the area at the marks, with their numbers left of it.
void paintMarksUp(QPainter& painter, const QWidget& widget, const QRectF& area,
                  const std::vector<AxisMark>& marks);
/// Lines from the bottom to the top of the area, with their numbers below it.
void paintMarksAcross(QPainter& painter, const QWidget& widget, const QRectF& area,
                      const std::vector<AxisMark>& marks);

}  // namespace holos::gui
