// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/logarithmic_plot.h"

#include <QPainter>
#include <algorithm>

#include "report/plot/plot.h"

namespace holos::gui {

namespace {

constexpr double kGap = 8.0;  ///< pixels between the area and what is around it

}  // namespace

LogarithmicPlot::LogarithmicPlot(const QString& name, const QString& accessibleName, QWidget* parent)
    : QWidget(parent) {
    setObjectName(name);
    setAccessibleName(accessibleName);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMouseTracking(true);
}

void LogarithmicPlot::leaveEvent(QEvent*) {
    Q_EMIT pointed(std::nullopt);
}

QRectF LogarithmicPlot::area() const {
    const double line = fontMetrics().height();
    const double left = fontMetrics().horizontalAdvance(u"0000 G"_qs) + 2 * kGap;
    const double right = fontMetrics().horizontalAdvance(u"100000"_qs);
    return {left, line + kGap, std::max(1.0, width() - left - right),
            std::max(1.0, height() - 3.5 * line - 2 * kGap)};
}

QPointF LogarithmicPlot::placeOf(const plot::PlacedValue& value) const {
    const QRectF place = area();
    return {place.left() + place.width() * across_.placeOf(value.x),
            place.bottom() - place.height() * up_.placeOf(value.y)};
}

void LogarithmicPlot::paintLine(QPainter& painter, QPointF from, QPointF to) const {
    painter.setPen(palette().color(QPalette::AlternateBase).darker(108));
    painter.drawLine(from, to);
    painter.setPen(palette().color(QPalette::PlaceholderText));
}

void LogarithmicPlot::paintMarks(QPainter& painter, const std::vector<double>& across, const QString& upText,
                                 const QString& acrossText) const {
    const QRectF place = area();
    const double line = fontMetrics().height();
    paintMarksUp(painter);
    paintMarksAcross(painter, across);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QPointF(kGap, fontMetrics().ascent()), upText);
    painter.drawText(QRectF(place.left(), place.bottom() + 1.2 * line + kGap, place.width(), line),
                     Qt::AlignHCenter, acrossText);
}

void LogarithmicPlot::paintMarksUp(QPainter& painter) const {
    const QRectF place = area();
    const double line = fontMetrics().height();
    double below = place.bottom() + line;  // numbers that would touch each other are left out
    for (const double mark : up_.powers()) {
        const double y = place.bottom() - place.height() * up_.placeOf(mark);
        paintLine(painter, {place.left(), y}, {place.right(), y});
        if (y > below - line) continue;
        below = y;
        painter.drawText(QRectF(0, y - line / 2, place.left() - kGap, line),
                         Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(plot::shortNumber(mark)));
    }
}

void LogarithmicPlot::paintMarksAcross(QPainter& painter, const std::vector<double>& marks) const {
    const QRectF place = area();
    const double line = fontMetrics().height();
    double before = -place.width();  // numbers that would touch each other are left out
    for (const double mark : marks) {
        const double x = place.left() + place.width() * across_.placeOf(mark);
        paintLine(painter, {x, place.top()}, {x, place.bottom()});
        const QString number = QString::number(mark);
        const double width = fontMetrics().horizontalAdvance(number);
        if (x - width / 2 < before) continue;
        before = x + width / 2 + kGap;
        painter.drawText(QRectF(x - width, place.bottom() + kGap / 2, 2 * width, line), Qt::AlignHCenter,
                         number);
    }
}

}  // namespace holos::gui
