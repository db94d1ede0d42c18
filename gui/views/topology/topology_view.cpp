// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/topology/topology_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_text.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

using algebra::LocationId;

namespace {

constexpr double kWheelStep = 1.2;
constexpr double kKeyStep = 1.5;
constexpr double kLargestZoom = 64.0;
constexpr double kDegreesPerPixel = 0.5;
constexpr int kKeyDegrees = 15;

}  // namespace

TopologyView::TopologyView(const SystemModel& system, const Colors& colors, QWidget* parent)
    : QAbstractScrollArea(parent), system_(system), colors_(colors) {
    setObjectName(u"Topology"_qs);
    setAccessibleName(u"Topology"_qs);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    connect(&colors, &Colors::changed, this, [this] {
        images_.clear();
        viewport()->update();
    });
}

void TopologyView::setGrid(const Grid* grid) {
    grid_ = grid;
    values_.clear();
    marked_.clear();
    zoom_ = 1.0;
    setView(grid == nullptr ? GridView() : GridView::of(*grid));
}

void TopologyView::setView(const GridView& view) {
    view_ = view;
    planes_ = grid_ == nullptr ? GridPlanes() : planesOf(*grid_, view);
    images_.clear();
    layOut();
}

void TopologyView::update(const std::vector<LocationId>& selected) {
    if (grid_ == nullptr) return;
    const std::vector<double>& own = system_.locationValues();
    std::vector<bool> isSelected(own.size(), false);
    for (const LocationId location : selected) isSelected[location.index()] = true;
    writing_ = system_.locationWriting();
    values_ = system_.valuesOf(grid_->cells);
    const std::vector<double>& compared = system_.comparedValues();
    const auto hasNoValue = [&](const std::vector<LocationId>& locations) {
        return std::ranges::none_of(
            locations, [&](LocationId location) { return std::isfinite(compared[location.index()]); });
    };
    marked_.clear();
    isMarked_.assign(values_.size(), false);
    smallest_ = std::numeric_limits<double>::infinity();
    largest_ = -smallest_;
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
        const auto& locations = grid_->cells[cell];
        double& value = values_[cell];
        if (hasNoValue(locations)) value = std::numeric_limits<double>::quiet_NaN();
        if (std::ranges::any_of(locations, [&](LocationId location) { return isSelected[location.index()]; }))
            marked_.push_back(cell);
        if (!std::isfinite(value)) continue;
        smallest_ = std::min(smallest_, value);
        largest_ = std::max(largest_, value);
    }
    if (selected.size() == own.size() && own.size() > 1) marked_.clear();  // everything is no place
    for (const std::size_t cell : marked_) isMarked_[cell] = true;
    images_.clear();
    viewport()->update();
}

std::optional<ScaleRange> TopologyView::range() const {
    if (grid_ == nullptr || smallest_ > largest_) return std::nullopt;
    const bool isSigned = smallest_ < 0.0;
    const double reach = std::max(std::abs(smallest_), std::abs(largest_));
    const double from = writing_.part(isSigned ? -reach : smallest_);
    const double to = writing_.part(isSigned ? reach : largest_);
    if (!std::isfinite(from) || !std::isfinite(to)) return std::nullopt;
    return ScaleRange{from, to, isSigned, writing_.format};
}

/// Where the value lies between the ends of the scale.
double TopologyView::share(double value) const {
    const double width = largest_ - smallest_;
    if (smallest_ < 0.0) return value / std::max(std::abs(smallest_), std::abs(largest_));
    return width > 0.0 ? (value - smallest_) / width : 0.5;
}

TopologyRoom TopologyView::room() const {
    TopologyRoom room;
    room.size = viewport()->size();
    room.zoom = zoom_;
    room.line = fontMetrics().lineSpacing();
    const auto widthOf = [this](const QString& text) {
        return static_cast<double>(fontMetrics().horizontalAdvance(text + u' '));
    };
    room.rowLabel = widthOf(QString::number(std::max(planes_.rows, planes_.columns)));
    for (const GridPlanes::Plane* plane : {&planes_.planes.front(), &planes_.planes.back()})
        room.planeLabel =
            std::max(room.planeLabel, widthOf(view_.stacked ? plane->title : plane->title + plane->group));
    return room;
}

void TopologyView::layOut() {
    layout_ = {};
    if (grid_ != nullptr)
        layout_ = view_.stacked ? stackedLayout(planes_, view_, room()) : flatLayout(planes_, room());
    const QSize page = viewport()->size();
    horizontalScrollBar()->setRange(0, static_cast<int>(layout_.size.width()) - page.width());
    horizontalScrollBar()->setPageStep(page.width());
    horizontalScrollBar()->setSingleStep(fontMetrics().height());
    verticalScrollBar()->setRange(0, static_cast<int>(layout_.size.height()) - page.height());
    verticalScrollBar()->setPageStep(page.height());
    verticalScrollBar()->setSingleStep(fontMetrics().height());
    viewport()->update();
}

QPointF TopologyView::scrolled() const {
    return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

void TopologyView::zoom(double factor, QPointF around) {
    const auto isThere = [place = around + scrolled()](const Tile& tile) {
        return QRectF(tile.cells).contains(tile.place.inverted().map(place));
    };
    const auto tile = std::find_if(layout_.tiles.rbegin(), layout_.tiles.rend(), isThere);
    const std::ptrdiff_t at = layout_.tiles.rend() - tile - 1;
    const QPointF inside = at < 0 ? QPointF() : tile->place.inverted().map(around + scrolled());
    const double before = zoom_;
    zoom_ = std::clamp(zoom_ * factor, 1.0, kLargestZoom);
    QPointF kept = (around + scrolled()) * (zoom_ / before) - around;
    layOut();
    if (at >= 0) kept = layout_.tiles[static_cast<std::size_t>(at)].place.map(inside) - around;
    horizontalScrollBar()->setValue(static_cast<int>(kept.x()));
    verticalScrollBar()->setValue(static_cast<int>(kept.y()));
}

void TopologyView::resizeEvent(QResizeEvent*) {
    layOut();
}

std::optional<TopologyView::Found> TopologyView::find(std::size_t cell) const {
    const auto place = placeIn(planes_, *grid_, view_, cell);
    if (!place) return std::nullopt;
    const QPoint at(static_cast<int>(place->column), static_cast<int>(place->row));
    if (planes_.planes.size() > 1) return Found{&layout_.tiles[place->plane], at};
    for (const Tile& tile : layout_.tiles)  // pieces of the only plane
        if (tile.cells.contains(at)) return Found{&tile, at};
    return std::nullopt;
}

std::optional<QPoint> TopologyView::placeOf(LocationId location) const {
    if (grid_ == nullptr) return std::nullopt;
    for (std::size_t cell = 0; cell < grid_->cells.size(); ++cell) {
        const auto& locations = grid_->cells[cell];
        if (std::ranges::count(locations, location) == 0) continue;
        if (const auto found = find(cell))
            return (found->tile->place.map(QPointF(found->at) + QPointF(0.5, 0.5)) - scrolled()).toPoint();
    }
    return std::nullopt;
}

/// What is on top there. Through empty places of a stack one sees what lies below.
std::optional<std::size_t> TopologyView::cellAt(QPointF place) const {
    for (auto tile = layout_.tiles.rbegin(); tile != layout_.tiles.rend(); ++tile) {
        const QPointF inside = tile->place.inverted().map(place + scrolled());
        const QPoint at(static_cast<int>(std::floor(inside.x())), static_cast<int>(std::floor(inside.y())));
        if (!tile->cells.contains(at)) continue;
        const std::size_t cell =
            planes_.cellAt({tile->plane, static_cast<std::size_t>(at.x()), static_cast<std::size_t>(at.y())});
        if (!grid_->cells[cell].empty() || !view_.stacked) return cell;
    }
    return std::nullopt;
}

QString TopologyView::textOf(std::size_t cell) const {
    const QString place = grid_->placeText(cell);
    const auto& locations = grid_->cells[cell];
    if (locations.empty()) return grid_->isPlace(cell) ? u"%1: nobody"_qs.arg(place) : QString();
    if (values_.empty()) return place;
    const bool isPending = isEmpty() && system_.isReading();
    return u"%1: %2, %3"_qs.arg(place, system_.namesOf(locations),
                                isPending ? QString(kPending) : writing_.text(values_[cell]));
}

QString TopologyView::textAt(QPointF place) const {
    const auto cell = cellAt(place);
    return cell ? textOf(*cell) : QString();
}

QString TopologyView::toolTipAt(QPointF place) const {
    const auto cell = cellAt(place);
    if (!cell) return {};
    const auto& locations = grid_->cells[*cell];
    QStringList lines{textOf(*cell)};
    if (locations.size() == 1) lines += attributeLines(system_.attributesOf(locations.front()));
    return lines.join(u'\n');
}

QString TopologyView::selectedText() const {
    return marked_.size() == 1 ? textOf(marked_.front()) : QString();
}

void TopologyView::choose(std::size_t cell) {
    if (!grid_->cells[cell].empty()) Q_EMIT locationsChosen(grid_->cells[cell]);
}

void TopologyView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_ = event->position().toPoint();
    dragged_ = false;
}

void TopologyView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint now = event->position().toPoint();
    if (!pressed_) return Q_EMIT told(textAt(now));
    if (!dragged_ && (now - *pressed_).manhattanLength() < QApplication::startDragDistance()) return;
    dragged_ = true;
    drag(now - *pressed_);
    pressed_ = now;
}

void TopologyView::mouseReleaseEvent(QMouseEvent* event) {
    if (!pressed_) return;
    pressed_.reset();
    if (dragged_) return Q_EMIT viewChanged();
    if (const auto cell = cellAt(event->position())) choose(*cell);
}

/// Turns a stack, so that what is in front follows the mouse; moves planes.
void TopologyView::drag(QPoint by) {
    if (!view_.stacked) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
        return;
    }
    view_.rotate(static_cast<int>(std::lround(-by.x() * kDegreesPerPixel)),
                 static_cast<int>(std::lround(by.y() * kDegreesPerPixel)));
    layOut();
}

void TopologyView::wheelEvent(QWheelEvent* event) {
    const bool scrolls = (verticalScrollBar()->maximum() > 0 || horizontalScrollBar()->maximum() > 0) &&
                         !(event->modifiers() & Qt::ControlModifier);
    if (scrolls) return QAbstractScrollArea::wheelEvent(event);
    zoom(std::pow(kWheelStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void TopologyView::keyPressEvent(QKeyEvent* event) {
    if (grid_ == nullptr) return QAbstractScrollArea::keyPressEvent(event);
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (shift && view_.stacked && pressTurningKey(event->key())) return;
    if (!shift && pressMovingKey(event->key(), control)) return;
    QAbstractScrollArea::keyPressEvent(event);
}

bool TopologyView::pressTurningKey(int key) {
    switch (key) {
        case Qt::Key_Left:
            view_.rotate(kKeyDegrees, 0);
            break;
        case Qt::Key_Right:
            view_.rotate(-kKeyDegrees, 0);
            break;
        case Qt::Key_Up:
            view_.rotate(0, -kKeyDegrees);
            break;
        case Qt::Key_Down:
            view_.rotate(0, kKeyDegrees);
            break;
        default:
            return false;
    }
    layOut();
    Q_EMIT viewChanged();
    return true;
}

bool TopologyView::pressMovingKey(int key, bool slices) {
    const QPointF middle = QRectF(viewport()->rect()).center();
    switch (key) {
        case Qt::Key_Left:
            step(0, -1);
            return true;
        case Qt::Key_Right:
            step(0, 1);
            return true;
        case Qt::Key_Up:
            step(1, -1);
            return true;
        case Qt::Key_Down:
            step(1, 1);
            return true;
        case Qt::Key_PageUp:
            slices ? stepSlice(1) : step(2, 1);
            return true;
        case Qt::Key_PageDown:
            slices ? stepSlice(-1) : step(2, -1);
            return true;
        case Qt::Key_Plus:
            zoom(kKeyStep, middle);
            return true;
        case Qt::Key_Minus:
            zoom(1.0 / kKeyStep, middle);
            return true;
        case Qt::Key_Home:
            zoom_ = 1.0;
            view_.straighten();
            setView(view_);
            Q_EMIT viewChanged();
            return true;
        default:
            return false;
    }
}

/// Chooses the next cell along an axis where somebody is; without a selected one, the first of all.
void TopologyView::step(std::size_t axis, int by) {
    if (marked_.empty()) {
        for (std::size_t cell = 0; cell < grid_->cells.size(); ++cell)
            if (!grid_->cells[cell].empty()) return choose(cell);
    }
    if (axis >= view_.axes.size() || marked_.empty()) return;
    const GridView::Axis& along = view_.axes[axis];
    if (along.slice) return stepSlice(by);
    auto position = grid_->positionOf(marked_.front());
    const std::size_t size = grid_->dimensions[along.dimension].size;
    const bool forward = (by > 0) != along.mirrored;
    while (forward ? position[along.dimension] + 1 < size : position[along.dimension] > 0) {
        position[along.dimension] += forward ? 1 : -1;
        const std::size_t cell = grid_->cellAt(position);
        if (!grid_->cells[cell].empty()) return choose(cell);
    }
}

/// The next slice of the third dimension; before the first one and behind the last one everything.
void TopologyView::stepSlice(int by) {
    if (view_.axes.size() < 3) return;
    GridView::Axis& axis = view_.axes[2];
    const auto size = static_cast<int>(grid_->dimensions[axis.dimension].size);
    const int next = axis.slice ? static_cast<int>(*axis.slice) + by : by > 0 ? 0 : size - 1;
    axis.slice = next < 0 || next >= size ? std::nullopt : std::optional<std::size_t>(next);
    setView(GridView(view_));
    Q_EMIT viewChanged();
}

bool TopologyView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), asToolTip(toolTipAt(help->pos())), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) Q_EMIT told({});
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace holos::gui
