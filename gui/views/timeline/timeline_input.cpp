// SPDX-License-Identifier: BSD-3-Clause
// What the timeline does when somebody uses the mouse or the keyboard.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/plain_text.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kDrag = 4;  ///< pixels that make a click a drag
constexpr double kZoomStep = 0.8;
constexpr double kMoveStep = 0.25;

}  // namespace

void TimelineView::wheelEvent(QWheelEvent* event) {
    const double turns = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
    if (event->modifiers() & Qt::ShiftModifier) {
        if (!layout_.zoom(std::pow(kZoomStep, -turns))) return event->accept();
        linesChanged();
        if (selected_) setSelected(selected_);
        Q_EMIT windowChanged();
        return event->accept();
    }
    const bool scrolls = verticalScrollBar()->maximum() > 0 && !(event->modifiers() & Qt::ControlModifier);
    if (scrolls) return QAbstractScrollArea::wheelEvent(event);
    zoom(std::pow(kZoomStep, turns), timeAt(event->position().x()));
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !definitions_) return;
    const int x = std::max(labelWidth(), qRound(event->position().x()));
    const bool isRange = event->modifiers() & Qt::ShiftModifier;
    // From one click to the next one.
    if (isRange && range_ && range_->from == range_->to)
        drag_ = Drag{qRound(xOf(range_->from)), x, true};
    else
        drag_ = Drag{x, x, isRange};
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!drag_) return;
    drag_->to = std::clamp(qRound(event->position().x()), labelWidth(), viewport()->width());
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_) return;
    const Drag drag = *drag_;
    drag_.reset();
    viewport()->update();
    const auto [low, high] = std::minmax(drag.from, drag.to);
    if (drag.isRange) return setRange(TimeRange{timeAt(low), timeAt(high)});
    if (high - low > kDrag)
        changeWindow(static_cast<double>(timeAt(low)), static_cast<double>(timeAt(high)));
    else
        clickAt(event->position().toPoint());
}

/// On the name of a group: folds it; else selects the location, or the first one of several.
void TimelineView::clickAt(const QPoint& place) {
    const auto pinned = pinnedGroup();
    const auto number = pinned && pinnedRect().contains(place) ? pinned : lineAt(place.y());
    if (!number) return;
    const TimelineLine& line = (*layout_.lines())[*number];
    if (line.group && place.x() < labelWidth()) {
        layout_.toggleFold(*line.group);
        linesChanged();
        Q_EMIT windowChanged();
    } else if (line.only() && place.x() < kArrow && layout_.showsCalls(*number)) {
        toggleStack(*line.only());
    } else if (line.stackOf) {
        Q_EMIT locationChosen(*line.stackOf);
        if (place.x() >= labelWidth()) Q_EMIT stackChosen(*line.stackOf, timeAt(place.x()), line.depth);
    } else if (!line.locations.empty()) {
        Q_EMIT locationChosen(trace::LocationId(line.locations.front().from));
        if (line.only() && place.x() >= labelWidth())
            Q_EMIT stackChosen(*line.only(), timeAt(place.x()), std::numeric_limits<std::uint32_t>::max());
    }
}

/// The first click has selected the line.
void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto line =
        event->button() == Qt::LeftButton ? lineAt(qRound(event->position().y())) : std::nullopt;
    const auto location = line ? (*layout_.lines())[*line].only() : std::nullopt;
    const double x = event->position().x();
    if (!location || x < kArrow || x >= labelWidth())
        return QAbstractScrollArea::mouseDoubleClickEvent(event);
    toggleStack(*location);
}

/// The innermost region at that time, or in a line of an opened stack the one at that depth.
std::optional<trace::RegionId> TimelineView::regionAt(int number, Ticks time) const {
    const TimelineRow* content = contentOf(number);
    if (content == nullptr) return std::nullopt;
    const TimelineLine& line = (*layout_.lines())[number];
    if (line.stackOf) {
        if (!content->stack) return std::nullopt;
        for (const trace::StackBar& bar : content->stack->bars)
            if (bar.depth == line.depth && bar.begin <= time && time < bar.end) return bar.region;
        return std::nullopt;
    }
    std::optional<trace::RegionId> found;
    std::uint32_t depth = 0;
    for (const trace::Span& span : content->excerpt.spans)
        if (span.begin <= time && time < span.end && (!found || span.depth >= depth)) {
            found = span.region;
            depth = span.depth;
        }
    return found;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    const auto number = lineAt(event->y());
    if (!number || !definitions_) return;
    const TimelineLine& line = (*layout_.lines())[*number];
    const auto location = line.stackOf ? line.stackOf : line.only();
    const auto region = event->x() >= labelWidth() ? regionAt(*number, timeAt(event->x())) : std::nullopt;
    QMenu menu(this);
    if (region) {
        const QString name = menuText(nameOf(*region));
        menu.addAction(u"All calls of %1 in all views"_qs.arg(name), this,
                       [this, region] { Q_EMIT regionWanted(*region); });
        menu.addAction(u"Go to the next call of %1"_qs.arg(name), this, [this, region] {
            Q_EMIT nextCallWanted(QString::fromStdString(definitions_->regions[region->index()].name));
        });
        menu.addAction(u"How long calls of %1 take"_qs.arg(name), this,
                       [this, region] { Q_EMIT lengthsWanted(*region); });
        menu.addSeparator();
    }
    if (location) {
        menu.addAction(layout_.hasStack(*location) ? u"Close the stack"_qs : u"Open to the stack"_qs, this,
                       [this, location] { toggleStack(*location); });
        menu.addAction(layout_.isPinned(*location) ? u"Back to its place"_qs : u"Pin at the top"_qs, this,
                       [this, location] { togglePin(*location); });
        menu.addAction(u"Only this thread in all views"_qs, this,
                       [this, location] { Q_EMIT onlyLocationWanted(*location); });
    }
    if (line.group)
        menu.addAction(u"Pin its threads at the top"_qs, this, [this, ranges = line.locations] {
            PinnedLocations pinned = layout_.pinned();
            for (const LocationRange& range : ranges)
                for (std::size_t at = range.from; at < range.to; ++at)
                    if (!layout_.isPinned(trace::LocationId(at))) pinned.push_back(at);
            setPinned(std::move(pinned));
        });
    if (!layout_.pinned().empty())
        menu.addAction(u"All lines back to their places"_qs, this, [this] { setPinned({}); });
    if (const auto note = noteAt(event->pos())) {
        menu.addAction(u"Change the note…"_qs, this, [this, note] { Q_EMIT noteChangeWanted(*note); });
        menu.addAction(u"Remove the note"_qs, this, [this, note] { Q_EMIT noteRemovalWanted(*note); });
    } else if (location && event->x() >= labelWidth()) {
        menu.addAction(u"Note here…"_qs, this,
                       [this, location, time = timeAt(event->x())] { Q_EMIT noteWanted(*location, time); });
    }
    if (event->x() >= labelWidth())
        menu.addAction(u"Select this iteration"_qs, this,
                       [this, time = timeAt(event->x())] { Q_EMIT iterationWanted(time); });
    menu.addAction(u"Show the whole run"_qs, this, &TimelineView::showAll);
    menu.exec(event->globalPos());
}

void TimelineView::move(double parts) {
    const double by = parts * static_cast<double>(to_ - from_);
    changeWindow(static_cast<double>(from_) + by, static_cast<double>(to_) + by);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const Ticks middle = from_ + (to_ - from_) / 2;
    switch (event->key()) {
        case Qt::Key_Plus:
            return zoom(0.5, middle);
        case Qt::Key_Minus:
            return zoom(2.0, middle);
        case Qt::Key_Left:
            return move(-kMoveStep);
        case Qt::Key_Right:
            return move(kMoveStep);
        case Qt::Key_Home:
            return showAll();
        case Qt::Key_Escape:
            return setRange(std::nullopt);
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace holos::gui
