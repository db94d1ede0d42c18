// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/topology_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/views/colors.h"

namespace holos::gui {

using algebra::LocationId;

namespace {

constexpr double kSmallestCell = 3.0;
constexpr double kLargestCell = 36.0;
constexpr double kGap = 14.0;
constexpr int kLegendLines = 2;
constexpr double kFramedFrom = 6.0;  ///< smaller cells have no frame

}  // namespace

TopologyView::TopologyView(const SystemModel& system, const Colors& colors, QWidget* parent)
    : QWidget(parent), system_(system), colors_(colors) {
    setObjectName(u"Topology"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::MinimumExpanding);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

void TopologyView::setGrid(const Grid* grid) {
    grid_ = grid;
    updateGeometry();
}

double TopologyView::valueOf(const Grid::Cell& cell) const {
    double sum = cell.locations.empty() ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    for (const LocationId location : cell.locations) sum += system_.locationValues()[location.index()];
    return sum;
}

void TopologyView::update(std::optional<LocationId> selected) {
    selected_ = selected;
    bool any = false;
    if (grid_ != nullptr) {
        for (const Grid::Plane& plane : grid_->planes) {
            for (const Grid::Cell& cell : plane.cells) {
                const double value = valueOf(cell);
                if (!std::isfinite(value)) continue;
                smallest_ = any ? std::min(smallest_, value) : value;
                largest_ = any ? std::max(largest_, value) : value;
                any = true;
            }
        }
    }
    if (!any) smallest_ = largest_ = 0.0;
    QWidget::update();
}

TopologyView::Layout TopologyView::layoutIn(int width) const {
    Layout layout;
    const auto columns = static_cast<double>(grid_->columns);
    const double room = width - 2.0 * kGap;
    layout.cell = std::clamp(room / columns, kSmallestCell, kLargestCell);
    const auto planes = static_cast<double>(grid_->planes.size());
    // Smaller cells, when that puts more planes beside each other than would fit below each other.
    if (planes > 1)
        layout.cell = std::clamp(std::sqrt(room * room / (planes * columns * columns)) * 0.9, kSmallestCell,
                                 kLargestCell);
    const int title = grid_->planes.size() > 1 ? fontMetrics().lineSpacing() : 0;
    layout.planeWidth = std::max(layout.cell * columns + kGap,
                                 fontMetrics().horizontalAdvance(grid_->planes.front().title) + kGap);
    layout.planeHeight = layout.cell * static_cast<double>(grid_->rows) + kGap + title;
    layout.planesPerRow = std::max(1, static_cast<int>((width - kGap) / layout.planeWidth));
    return layout;
}

QRectF TopologyView::placeOf(const Layout& layout, const Found& cell) const {
    const auto perRow = static_cast<std::size_t>(layout.planesPerRow);
    const std::size_t above = cell.plane / perRow;
    const int title = grid_->planes.size() > 1 ? fontMetrics().lineSpacing() : 0;
    const double left = kGap + layout.planeWidth * static_cast<double>(cell.plane % perRow);
    const double top = kGap + (kLegendLines + 1) * fontMetrics().lineSpacing() +
                       layout.planeHeight * static_cast<double>(above) + title;
    return {left + layout.cell * static_cast<double>(cell.column),
            top + layout.cell * static_cast<double>(cell.row), layout.cell, layout.cell};
}

QSize TopologyView::sizeHint() const {
    constexpr int kWidth = 300;
    return {kWidth, heightForWidth(kWidth)};
}

int TopologyView::heightForWidth(int width) const {
    if (grid_ == nullptr) return 0;
    const Layout layout = layoutIn(width);
    const Found last{grid_->planes.size() - 1, 0, grid_->rows};
    return static_cast<int>(placeOf(layout, last).top() + kGap);
}

std::optional<QPoint> TopologyView::placeOf(LocationId location) const {
    if (grid_ == nullptr) return std::nullopt;
    const Layout layout = layoutIn(width());
    for (std::size_t plane = 0; plane < grid_->planes.size(); ++plane) {
        const auto& cells = grid_->planes[plane].cells;
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            if (std::count(cells[cell].locations.begin(), cells[cell].locations.end(), location) > 0)
                return placeOf(layout, {plane, cell % grid_->columns, cell / grid_->columns})
                    .center()
                    .toPoint();
    }
    return std::nullopt;
}

std::optional<TopologyView::Found> TopologyView::cellAt(QPointF place) const {
    if (grid_ == nullptr) return std::nullopt;
    const Layout layout = layoutIn(width());
    for (std::size_t plane = 0; plane < grid_->planes.size(); ++plane) {
        const QPointF inside = place - placeOf(layout, {plane, 0, 0}).topLeft();
        const double column = std::floor(inside.x() / layout.cell);
        const double row = std::floor(inside.y() / layout.cell);
        if (column >= 0 && row >= 0 && column < static_cast<double>(grid_->columns) &&
            row < static_cast<double>(grid_->rows))
            return Found{plane, static_cast<std::size_t>(column), static_cast<std::size_t>(row)};
    }
    return std::nullopt;
}

bool TopologyView::isSelected(const Grid::Cell& cell) const {
    return selected_ && std::count(cell.locations.begin(), cell.locations.end(), *selected_) > 0;
}

void TopologyView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    if (grid_ == nullptr) {
        painter.drawText(rect(), Qt::AlignCenter, u"no locations"_qs);
        return;
    }
    const QuantityFormat format = system_.locationFormat();
    const QString unit = format.unit().isEmpty() ? QString() : u' ' + format.unit();
    const QString axes = grid_->rowName.isEmpty() ? u"→ %1"_qs.arg(grid_->columnName)
                                                  : u"→ %1   ↓ %2"_qs.arg(grid_->columnName, grid_->rowName);
    painter.drawText(
        QRectF(kGap, kGap, width() - 2 * kGap, kLegendLines * fontMetrics().lineSpacing()),
        u"%1\nfrom %2 to %3%4"_qs.arg(axes, format.number(smallest_), format.number(largest_), unit));
    const Layout layout = layoutIn(width());
    for (std::size_t plane = 0; plane < grid_->planes.size(); ++plane) paintPlane(painter, layout, plane);
}

void TopologyView::paintPlane(QPainter& painter, const Layout& layout, std::size_t plane) const {
    const bool signedValues = smallest_ < 0.0;
    const Tones tones(colors_.on(palette()), signedValues);
    const double reach = std::max(std::abs(smallest_), std::abs(largest_));
    const bool framed = layout.cell >= kFramedFrom;
    const QRectF first = placeOf(layout, {plane, 0, 0});
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(first.topLeft() - QPointF(0, 4), grid_->planes[plane].title);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(Qt::NoBrush);
    std::optional<QRectF> marked;
    for (std::size_t row = 0; row < grid_->rows; ++row) {
        for (std::size_t column = 0; column < grid_->columns; ++column) {
            const Grid::Cell& cell = grid_->at(grid_->planes[plane], column, row);
            const double value = valueOf(cell);
            if (!std::isfinite(value)) continue;
            const QRectF place = placeOf(layout, {plane, column, row});
            const double width = largest_ - smallest_;
            const double share = signedValues  ? (reach > 0.0 ? value / reach : 0.0)
                                 : width > 0.0 ? (value - smallest_) / width
                                               : 0.5;
            painter.fillRect(place, tones.at(share));
            if (framed) painter.drawRect(place);
            if (isSelected(cell)) marked = place;
        }
    }
    if (!marked) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Link), 3));
    painter.drawRect(*marked);
}

void TopologyView::mousePressEvent(QMouseEvent* event) {
    const auto found = cellAt(event->position());
    if (!found) return;
    const Grid::Cell& cell = grid_->at(grid_->planes[found->plane], found->column, found->row);
    if (!cell.locations.empty()) Q_EMIT locationChosen(cell.locations.front());
}

QString TopologyView::textOf(const Grid::Cell& cell, const Found& at) const {
    QString text = u"%1 %2"_qs.arg(grid_->columnName).arg(at.column);
    if (!grid_->rowName.isEmpty()) text += u", %1 %2"_qs.arg(grid_->rowName).arg(at.row);
    if (!grid_->planes[at.plane].title.isEmpty()) text += u", "_qs + grid_->planes[at.plane].title;
    const QuantityFormat format = system_.locationFormat();
    return u"%1\n%2 %3"_qs.arg(text, format.number(valueOf(cell)), format.unit());
}

bool TopologyView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto found = cellAt(help->pos());
    if (found)
        QToolTip::showText(help->globalPos(),
                           textOf(grid_->at(grid_->planes[found->plane], found->column, found->row), *found));
    else
        QToolTip::hideText();
    return true;
}

}  // namespace holos::gui
