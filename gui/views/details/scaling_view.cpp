// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/scaling_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/views/parts/logarithmic_marks.h"

namespace holos::gui {

namespace {

constexpr double kMargin = 8.0;
constexpr double kRadius = 3.5;
constexpr double kReach = 8.0;    ///< pixels around a point where the pointer still means it
constexpr double kBarHalf = 4.0;  ///< half the width of the bar of bounds

}  // namespace

ScalingView::ScalingView(QWidget* parent) : QWidget(parent) {
    setObjectName(u"Scaling"_qs);
    setAccessibleName(u"Curve of growth"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMouseTracking(true);
    setMinimumWidth(fontMetrics().height() * 18);
}

void ScalingView::setCurves(plot::Curves curves) {
    curves_ = std::move(curves);
    across_ = plot::acrossOf(curves_);
    up_ = plot::upOf(curves_);
    update();
}

QRectF ScalingView::area() const {
    const double line = fontMetrics().height();
    const double left = roomForNumbers(*this);
    const double right = fontMetrics().horizontalAdvance(u"100000"_qs);
    return {left, line + kMargin, std::max(1.0, width() - left - right),
            std::max(1.0, height() - 3.5 * line - 2 * kMargin)};
}

QPointF ScalingView::placeOf(const plot::PlacedValue& value) const {
    const QRectF place = area();
    return {place.left() + place.width() * across_.placeOf(value.x),
            place.bottom() - place.height() * up_.placeOf(value.y)};
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

void ScalingView::leaveEvent(QEvent*) {
    Q_EMIT pointed(std::nullopt);
}

void ScalingView::paintEvent(QPaintEvent*) {
    if (curves_.curves.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter);
    paintBounds(painter);
    paintLaw(painter);
    paintMeasured(painter);
}

void ScalingView::paintMarks(QPainter& painter) const {
    const QRectF place = area();
    const double line = fontMetrics().height();
    std::vector<AxisMark> up, across;
    for (const double power : up_.powers()) up.push_back({power, up_.placeOf(power)});
    for (const double size : plot::marksAcross(curves_)) across.push_back({size, across_.placeOf(size)});
    paintMarksUp(painter, *this, place, up);
    paintMarksAcross(painter, *this, place, across);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QPointF(kMargin, fontMetrics().ascent()), QString::fromStdString(curves_.up));
    painter.drawText(QRectF(place.left(), place.bottom() + 1.2 * line + kMargin, place.width(), line),
                     Qt::AlignHCenter, QString::fromStdString(curves_.across));
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
