// SPDX-License-Identifier: BSD-3-Clause
// How the topology view looks.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/views/parts/colors.h"
#include "gui/views/topology/topology_view.h"

namespace holos::gui {

namespace {

constexpr double kFramedFrom = 6.0;            ///< smaller cells have no frame
constexpr std::size_t kMostDrawnCells = 6000;  ///< more are pixels of a picture
constexpr std::size_t kMostLabels = 200;       ///< along a broken edge: more take long to paint
constexpr int kTextMargin = 8;                 ///< pixels around the reason why nothing is painted
constexpr double kOutside = 0.9;               ///< lines of text between an edge of a stack and its name
constexpr int kGroundAlpha = 225;              ///< of a stack's planes, where nobody stands

/// Between cells with a label that is so many cells long.
int stepOf(double length, std::size_t cells) {
    return std::max(static_cast<int>(std::ceil(length)), static_cast<int>(cells / kMostLabels));
}

QPointF unit(QPointF vector) {
    const double length = std::hypot(vector.x(), vector.y());
    return length > 0.0 ? vector / length : QPointF();
}

/// Beside a point in a direction (of length 1); none: around it.
void drawBeside(QPainter& painter, QPointF middle, const QString& text, QPointF direction = {}) {
    const QSizeF size(painter.fontMetrics().horizontalAdvance(text) + 2.0, painter.fontMetrics().height());
    middle.rx() += direction.x() * size.width() / 2.0;
    painter.drawText(QRectF(middle - QPointF(size.width() / 2.0, size.height() / 2.0), size), Qt::AlignCenter,
                     text);
}

}  // namespace

void TopologyView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::Text));
    if (grid_ == nullptr) {
        painter.drawText(viewport()->rect(), Qt::AlignCenter, u"no locations"_qs);
        return;
    }
    if (values_.empty()) return;  // before the first `update`
    if (isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(kTextMargin, kTextMargin, -kTextMargin, -kTextMargin),
                         Qt::AlignCenter | Qt::TextWordWrap, system_.whyNothingIsCompared());
        return;
    }
    painter.translate(-scrolled());
    painter.setRenderHint(QPainter::Antialiasing, view_.stacked);
    for (const Tile& tile : layout_.tiles) paintTile(painter, tile);
    paintMarks(painter);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    for (const Tile& tile : layout_.tiles)
        view_.stacked ? paintStackLabels(painter, tile) : paintFlatLabels(painter, tile);
}

bool TopologyView::drawsCells() const {
    return layout_.cell >= kFramedFrom &&
           planes_.planes.size() * planes_.columns * planes_.rows <= kMostDrawnCells;
}

/// One pixel for each cell.
const QImage& TopologyView::imageOf(std::size_t plane) const {
    if (images_.empty()) images_.resize(planes_.planes.size());
    QImage& image = images_[plane];
    if (!image.isNull()) return image;
    const Tones tones(colors_.on(palette()), smallest_ < 0.0);
    image = QImage(static_cast<int>(planes_.columns), static_cast<int>(planes_.rows),
                   QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const QRgb nobody = palette().color(QPalette::Window).rgb();
    const auto& cells = planes_.planes[plane].cells;
    for (int row = 0; row < image.height(); ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < image.width(); ++column) {
            const std::size_t cell =
                cells[static_cast<std::size_t>(row) * planes_.columns + static_cast<std::size_t>(column)];
            if (std::isfinite(values_[cell]))
                line[column] = tones.at(share(values_[cell])).rgb();
            else if (grid_->isPlace(cell))
                line[column] = nobody;
        }
    }
    return image;
}

void TopologyView::paintTile(QPainter& painter, const Tile& tile) const {
    const QImage& image = imageOf(tile.plane);
    const QTransform before = painter.transform();
    painter.setTransform(tile.place, true);
    QPen line(palette().color(QPalette::Mid), 0);
    QColor ground = palette().color(QPalette::AlternateBase);
    ground.setAlpha(view_.stacked ? kGroundAlpha : 0);
    painter.setPen(drawsCells() || view_.stacked ? line : Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRect(QRectF(tile.cells));
    if (drawsCells()) {
        for (int row = tile.cells.top(); row <= tile.cells.bottom(); ++row)
            for (int column = tile.cells.left(); column <= tile.cells.right(); ++column) {
                const QRgb tone = image.pixel(column, row);
                if (qAlpha(tone) == 0) continue;
                painter.setBrush(QColor(tone));
                painter.drawRect(QRectF(column, row, 1.0, 1.0));
            }
    } else {
        painter.drawImage(QRectF(tile.cells), image, QRectF(tile.cells));
    }
    painter.setTransform(before);
}

/// A line around what is selected.
void TopologyView::paintMarks(QPainter& painter) const {
    painter.setPen(QPen(palette().color(QPalette::Link), marked_.size() == 1 ? 3 : 2));
    for (const std::size_t cell : marked_) {
        const auto found = find(cell);
        if (!found) continue;
        const auto isInside = [&](QPoint at) {
            return found->tile->cells.contains(at) &&
                   isMarked_[planes_.cellAt({found->tile->plane, static_cast<std::size_t>(at.x()),
                                             static_cast<std::size_t>(at.y())})];
        };
        const QRectF place(found->at, QSizeF(1.0, 1.0));
        const std::array sides{
            std::pair{QPoint(0, -1), QLineF(place.topLeft(), place.topRight())},
            std::pair{QPoint(0, 1), QLineF(place.bottomLeft(), place.bottomRight())},
            std::pair{QPoint(-1, 0), QLineF(place.topLeft(), place.bottomLeft())},
            std::pair{QPoint(1, 0), QLineF(place.topRight(), place.bottomRight())},
        };
        for (const auto& [neighbour, side] : sides)
            if (!isInside(found->at + neighbour)) painter.drawLine(found->tile->place.map(side));
    }
}

/// The title of a plane; of a single one the places along its edges, as many as there is room for.
void TopologyView::paintFlatLabels(QPainter& painter, const Tile& tile) const {
    const QRectF place = tile.place.mapRect(QRectF(tile.cells));
    const GridPlanes::Plane& plane = planes_.planes[tile.plane];
    const double line = fontMetrics().lineSpacing();
    if (planes_.planes.size() > 1) {
        const QString title = plane.group.isEmpty() ? plane.title : plane.title + u", "_qs + plane.group;
        painter.drawText(place.topLeft() - QPointF(0, fontMetrics().descent() + 1), title);
        return;
    }
    if (!layout_.labelled) return;
    const auto numberAt = [&](int column, int row, std::size_t axis) {
        const auto position = grid_->positionOf(
            planes_.cellAt({tile.plane, static_cast<std::size_t>(column), static_cast<std::size_t>(row)}));
        return QString::number(position[view_.axes[axis].dimension]);
    };
    const double margin = room().rowLabel;
    const double wide = margin + fontMetrics().horizontalAdvance(u' ');
    const int everyColumn = stepOf(wide / layout_.cell, planes_.columns);
    const int everyRow = stepOf(line / layout_.cell, planes_.rows);
    for (int column = tile.cells.left(); column <= tile.cells.right(); column += everyColumn)
        painter.drawText(QRectF(place.left() + layout_.cell * (column - tile.cells.left()),
                                place.top() - line - 1, everyColumn > 1 ? wide : layout_.cell, line),
                         everyColumn > 1 ? Qt::AlignLeft : Qt::AlignHCenter,
                         numberAt(column, tile.cells.top(), 0));
    if (view_.axes.size() < 2) return;
    for (int row = tile.cells.top(); row <= tile.cells.bottom(); row += everyRow)
        painter.drawText(
            QRectF(place.left() - margin - 2, place.top() + layout_.cell * (row - tile.cells.top()), margin,
                   std::max(layout_.cell, line)),
            Qt::AlignRight | (everyRow > 1 ? Qt::AlignTop : Qt::AlignVCenter),
            numberAt(tile.cells.left(), row, 1));
}

/// The place of a plane on its right; around the lowest one the names of its dimensions.
void TopologyView::paintStackLabels(QPainter& painter, const Tile& tile) const {
    const std::size_t level = tile.plane % planes_.depth;
    const GridPlanes::Plane& plane = planes_.planes[tile.plane];
    const QPolygonF corners = tile.place.map(QPolygonF(QRectF(tile.cells)));
    const QPointF right =
        *std::ranges::max_element(corners, [](QPointF a, QPointF b) { return a.x() < b.x(); });
    const double line = fontMetrics().height();
    const auto every =
        static_cast<std::size_t>(layout_.distance > 0.0 ? std::ceil(line / layout_.distance) : 1.0);
    if (level % every == 0) painter.drawText(right + QPointF(6.0, fontMetrics().ascent() / 2.0), plane.title);
    if (level != 0) return;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(view_.axes.size(), 2); ++axis)
        paintEdge(painter, tile, axis);
    if (plane.group.isEmpty()) return;
    const QRectF around = corners.boundingRect();
    drawBeside(painter, {around.center().x(), around.bottom() + (kOutside + 1.5) * line}, plane.group);
}

/// Along the edge that is nearest to who looks: the name of the axis, and the places of its ends.
void TopologyView::paintEdge(QPainter& painter, const Tile& tile, std::size_t axis) const {
    const QRectF all(tile.cells);
    const auto ends = [&](bool other) {
        const QLineF edge =
            axis == 0 ? QLineF(all.topLeft(), all.topRight()) : QLineF(all.topLeft(), all.bottomLeft());
        const QPointF across = axis == 0 ? QPointF(0, all.height()) : QPointF(all.width(), 0);
        return tile.place.map(other ? edge.translated(across) : edge);
    };
    const QLineF edge = ends(true).center().y() > ends(false).center().y() ? ends(true) : ends(false);
    const QPointF outwards = unit(edge.center() - tile.place.map(all.center()));
    const QPointF away = outwards * (kOutside * fontMetrics().height());
    const Grid::Dimension& dimension = grid_->dimensions[view_.axes[axis].dimension];
    const bool mirrored = view_.axes[axis].mirrored;
    drawBeside(painter, edge.center() + away,
               (edge.dx() < 0.0) != mirrored ? u"← "_qs + dimension.name : dimension.name + u" →"_qs,
               outwards);
    const QString last = QString::number(dimension.size - 1);
    const QString texts = last + u"  "_qs + dimension.name + u" →  0"_qs;
    if (dimension.size < 2 || edge.length() < fontMetrics().horizontalAdvance(texts)) return;
    const double half = 0.5 / static_cast<double>(dimension.size);
    drawBeside(painter, edge.pointAt(half) + away, mirrored ? last : u"0"_qs, outwards);
    drawBeside(painter, edge.pointAt(1.0 - half) + away, mirrored ? u"0"_qs : last, outwards);
}

}  // namespace holos::gui
