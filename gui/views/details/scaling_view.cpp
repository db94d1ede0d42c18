// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/scaling_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace holos::gui {

namespace {

constexpr double kRadius = 3.5;
constexpr double kReach = 8.0;    ///< pixels around a point where the pointer still means it
constexpr double kBarHalf = 4.0;  ///< half the width of the bar of bounds

}  // namespace

ScalingView::ScalingView(QWidget* parent) : LogarithmicPlot(u"Scaling"_qs, u"Curve of growth"_qs, parent) {
    setMinimumWidth(fontMetrics().height() * 18);
}

void ScalingView::setCurves(plot::Curves curves) {
    curves_ = std::move(curves);
    across_ = plot::acrossOf(curves_);
    up_ = plot::upOf(curves_);
    update();
}

QPointF ScalingView::placeOf(std::size_t point) const {
    return placeOf(curves_.curves.front().measured[point]);
}

void ScalingView::mouseMoveEvent(QMouseEvent* event) {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t i = 0; !curves_.curves.empty() && i < curves_.curves.front().measured.size(); ++i) {
        if (!up_.holds(curves_.curves.front().measured[i].y)) continue;
        const QPointF away = placeOf(i) - event->position();
        const double distance = std::hypot(away.x(), away.y());
        if (distance > least) continue;
        least = distance;
        nearest = i;
    }
    Q_EMIT pointed(nearest);
}

void ScalingView::paintEvent(QPaintEvent*) {
    if (curves_.curves.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter, plot::marksAcross(curves_), QString::fromStdString(curves_.up),
               QString::fromStdString(curves_.across));
    paintBounds(painter);
    paintLaw(painter);
    paintMeasured(painter);
}

void ScalingView::paintLaw(QPainter& painter) const {
    const plot::Curve& curve = curves_.curves.front();
    const double largest = curve.measured.empty() ? 0 : curve.measured.back().x;
    QPolygonF measured, predicted;
    for (const plot::PlacedValue& value : curve.law) {
        if (!up_.holds(value.y)) continue;
        if (value.x <= largest) measured << placeOf(value);
        if (value.x > largest && predicted.isEmpty() && !measured.isEmpty()) predicted << measured.back();
        if (value.x > largest) predicted << placeOf(value);
    }
    QPen pen(palette().color(QPalette::Link), 2);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(measured);
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawPolyline(predicted);
}

void ScalingView::paintBounds(QPainter& painter) const {
    const plot::Curve& curve = curves_.curves.front();
    if (!up_.holds(curve.high.y)) return;
    const QPointF high = placeOf(curve.high);
    const QPointF low = placeOf({curve.low.x, std::max(curve.low.y, up_.low)});
    QColor fill = palette().color(QPalette::Link);
    fill.setAlphaF(0.3F);
    painter.fillRect(QRectF(QPointF(high.x() - kBarHalf, high.y()), QPointF(low.x() + kBarHalf, low.y())),
                     fill);
}

void ScalingView::paintMeasured(QPainter& painter) const {
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.setBrush(palette().color(QPalette::Text));
    for (const plot::PlacedValue& value : curves_.curves.front().measured)
        if (up_.holds(value.y)) painter.drawEllipse(placeOf(value), kRadius, kRadius);
}

}  // namespace holos::gui
