// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/logarithmic_marks.h"

#include <QPainter>
#include <QWidget>

#include "report/plot/plot.h"

namespace holos::gui {

namespace {

constexpr double kGap = 8.0;  ///< pixels between an area and its numbers

void paintLine(QPainter& painter, const QWidget& widget, QPointF from, QPointF to) {
    painter.setPen(widget.palette().color(QPalette::AlternateBase).darker(108));
    painter.drawLine(from, to);
    painter.setPen(widget.palette().color(QPalette::PlaceholderText));
}

}  // namespace

double roomForNumbers(const QWidget& widget) {
    return widget.fontMetrics().horizontalAdvance(u"0000 G"_qs) + 2 * kGap;
}

void paintMarksUp(QPainter& painter, const QWidget& widget, const QRectF& area,
                  const std::vector<AxisMark>& marks) {
    const double line = widget.fontMetrics().height();
    double below = area.bottom() + line;  // numbers that would touch each other are left out
    for (const AxisMark& mark : marks) {
        const double y = area.bottom() - area.height() * mark.place;
        paintLine(painter, widget, {area.left(), y}, {area.right(), y});
        if (y > below - line) continue;
        below = y;
        painter.drawText(QRectF(0, y - line / 2, area.left() - kGap, line), Qt::AlignRight | Qt::AlignVCenter,
                         QString::fromStdString(plot::shortNumber(mark.value)));
    }
}

void paintMarksAcross(QPainter& painter, const QWidget& widget, const QRectF& area,
                      const std::vector<AxisMark>& marks) {
    const double line = widget.fontMetrics().height();
    double before = -area.width();  // likewise
    for (const AxisMark& mark : marks) {
        const double x = area.left() + area.width() * mark.place;
        paintLine(painter, widget, {x, area.top()}, {x, area.bottom()});
        const QString number = QString::number(mark.value);
        const double width = widget.fontMetrics().horizontalAdvance(number);
        if (x - width / 2 < before) continue;
        before = x + width / 2 + kGap;
        painter.drawText(QRectF(x - width, area.bottom() + kGap / 2, 2 * width, line), Qt::AlignHCenter,
                         number);
    }
}

}  // namespace holos::gui
