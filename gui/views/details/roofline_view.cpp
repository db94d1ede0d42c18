// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/roofline_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kClickReach = 4.0;  ///< pixels around a point where a click still means it

}  // namespace

RooflineView::RooflineView(QWidget* parent)
    : LogarithmicPlot(u"Roofline"_qs, u"Call paths under the roofs"_qs, parent), axes_(roofline_, roofs_) {
    setFocusPolicy(Qt::StrongFocus);
}

void RooflineView::findAxes() {
    axes_ = {roofline_, roofs_};
    across_ = axes_.across;
    up_ = axes_.up;
    update();
}

void RooflineView::setRoofline(Roofline roofline) {
    roofline_ = std::move(roofline);
    findAxes();
}

void RooflineView::setRoofs(const Roofs& roofs) {
    roofs_ = roofs;
    findAxes();
}

void RooflineView::setSelected(std::optional<CallPathId> path) {
    path_ = path;
    update();
}

std::optional<std::size_t> RooflineView::selectedPoint() const {
    for (std::size_t i = 0; path_ && i < roofline_.points.size(); ++i)
        if (roofline_.points[i].path == *path_) return i;
    return std::nullopt;
}

const RooflinePoint* RooflineView::selected() const {
    const auto point = selectedPoint();
    return point ? &roofline_.points[*point] : nullptr;
}

QPointF RooflineView::placeOf(std::size_t point) const {
    return placeOf({roofline_.points[point].intensity, roofline_.points[point].rate});
}

double RooflineView::radiusOf(std::size_t point) const {
    return plot::rooflineRadius(roofline_.points[point].seconds / roofline_.seconds);
}

/// The smallest one there, which is painted above the others.
std::optional<std::size_t> RooflineView::pointAt(QPointF place) const {
    for (std::size_t i = roofline_.points.size(); i-- > 0;) {
        const QPointF away = placeOf(i) - place;
        if (std::hypot(away.x(), away.y()) <= std::max(radiusOf(i), kClickReach)) return i;
    }
    return std::nullopt;
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
    if (const auto point = pointAt(event->position())) Q_EMIT pathChosen(roofline_.points[*point].path);
}

void RooflineView::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT pointed(pointAt(event->position()));
}

void RooflineView::keyPressEvent(QKeyEvent* event) {
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if ((!forward && !back) || roofline_.points.empty()) return QWidget::keyPressEvent(event);
    const auto at = selectedPoint();
    const std::size_t last = roofline_.points.size() - 1;
    const std::size_t next = !at       ? 0
                             : forward ? std::min(*at + 1, last)
                                       : *at - std::min<std::size_t>(*at, 1);
    Q_EMIT pathChosen(roofline_.points[next].path);
}

void RooflineView::paintEvent(QPaintEvent*) {
    if (roofline_.points.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter, across_.powers(), u"FLOP/s of a node"_qs,
               u"floating-point operations per byte of memory"_qs);
    paintRoof(painter);
    paintPoints(painter);
}

void RooflineView::paintRoof(QPainter& painter) const {
    QPolygonF roof;
    for (const plot::PlacedValue& corner : plot::roofLine(axes_, roofs_)) roof << placeOf(corner);
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.drawPolyline(roof);
}

void RooflineView::paintPoints(QPainter& painter) const {
    QColor fill = palette().color(QPalette::Link);
    fill.setAlphaF(0.45F);
    for (std::size_t i = 0; i < roofline_.points.size(); ++i) {
        painter.setBrush(fill);
        painter.setPen(palette().color(QPalette::Base));
        painter.drawEllipse(placeOf(i), radiusOf(i), radiusOf(i));
    }
    if (const auto point = selectedPoint()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawEllipse(placeOf(*point), radiusOf(*point) + 2, radiusOf(*point) + 2);
    }
}

}  // namespace holos::gui
