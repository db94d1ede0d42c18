// SPDX-License-Identifier: BSD-3-Clause
// How the timeline paints what analysis found: waits, collective operations, the critical path.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/views/parts/colors.h"
#include "gui/views/timeline/timeline_colors.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using analyzer::timeline::CourseMark;
using analyzer::timeline::kNobody;
using trace::Ticks;

namespace {

constexpr double kFrame = 1.2;
constexpr double kPathWidth = 3;
constexpr std::size_t kMostArrows = 300;
constexpr int kMostConnections = 2000;
constexpr double kMostCovered = 0.15;  ///< of the lines, by the edges of operations
constexpr double kFaintest = 0.15;

}  // namespace

void TimelineView::setMarks(TimelineMarks marks) {
    if (marks == marks_) return;
    marks_ = marks;
    Q_EMIT windowChanged();
}

/// Each with an arrow from who is waited for to who goes on then.
void TimelineView::paintWait(QPainter& painter, const TimelineWait& wait, bool hasArrow) const {
    const auto line = lineOf(wait.location);
    if (!line || wait.end < from_ || wait.begin > to_ || (framed_ && framed_->begin == wait.begin)) return;
    const auto read = picture_ ? picture_->rowOf(*line) : std::nullopt;
    if (read && !rows_.belongs(*read, wait.begin)) return;
    const QColor color = waitColor(isDark());
    const QRect place = lineRect(*line);
    const double left = xOf(wait.begin);
    const double right = xOf(wait.end);
    if (right - left < 2.0) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, kFrame));
    if (place.height() >= 4) painter.drawRect(QRectF(left, place.top(), right - left, place.height() - 1));
    const auto causer = hasArrow && wait.awaited ? lineOf(*wait.awaited) : std::nullopt;
    if (!causer || *causer == *line) return;
    const QPointF tip(right, place.center().y());
    painter.setPen(QPen(color, kFrame, Qt::DashLine));
    painter.drawLine(QPointF(right, lineRect(*causer).center().y()), tip);
    const double way = *causer < *line ? -6.0 : 6.0;
    painter.setPen(QPen(color, kFrame));
    painter.drawLine(tip, tip + QPointF(-3.5, way));
    painter.drawLine(tip, tip + QPointF(3.5, way));
}

/// All that can be told apart; where the course of the run is not known, those that are listed.
void TimelineView::paintWaits(QPainter& painter) const {
    if (!picture_ || !picture_->marks.course || !marks_.waits) {
        for (const TimelineWait& wait : waits_) paintWait(painter, wait, true);
        return;
    }
    const bool hasArrows = picture_->marks.waits.size() <= kMostArrows;
    for (const CourseMark& mark : picture_->marks.waits) {
        TimelineWait wait{trace::LocationId(mark.location), mark.begin, mark.end, std::nullopt};
        if (mark.other != kNobody) wait.awaited = trace::LocationId(mark.other);
        paintWait(painter, wait, hasArrows);
    }
}

/// A stripe at the foot of the lines that it goes through, and where it changes to another one.
void TimelineView::paintPath(QPainter& painter) const {
    if (!picture_ || !marks_.path) return;
    QColor color = pathColor(isDark());
    const auto footOf = [this](int line) {
        const QRect place = lineRect(line);
        const double height = std::min<double>(kPathWidth, place.height());
        return QRectF(place.left(), place.bottom() + 1 - height, place.width(), height);
    };
    const trace::Window& window = picture_->window;
    const double first = xOf(window.from);
    const double pixel = (xOf(window.to) - first) / std::max(1U, window.bins);
    for (std::size_t at = 0; at < picture_->rows.size(); ++at) {
        const std::vector<float>& shares = picture_->rows[at].onPath;
        const QRectF foot = footOf(picture_->lineOf(at));
        for (std::size_t bin = 0; bin < shares.size(); ++bin) {
            const auto edge = [&](std::size_t place) {
                return window.from +
                       static_cast<Ticks>(static_cast<double>(window.to - window.from) *
                                          static_cast<double>(place) / static_cast<double>(shares.size()));
            };
            if (shares[bin] <= 0 || rows_.piecesOf(at, edge(bin), edge(bin + 1)).empty()) continue;
            color.setAlphaF(std::clamp(0.3 + 0.7 * static_cast<double>(shares[bin]), 0.0, 1.0));
            painter.fillRect(
                QRectF(first + pixel * static_cast<double>(bin), foot.top(), pixel, foot.height()), color);
        }
    }
    color.setAlpha(255);
    int connections = 0;
    for (const CourseMark& part : picture_->marks.path) {
        const auto line = lineOf(trace::LocationId(part.location));
        if (!line) continue;
        const QRectF foot = footOf(*line);
        const auto read = picture_->rowOf(*line);
        const auto pieces = read ? rows_.piecesOf(*read, part.begin, part.end)
                                 : std::vector<std::pair<Ticks, Ticks>>{{part.begin, part.end}};
        for (const auto& [begin, end] : pieces)
            painter.fillRect(QRectF(QPointF(xOf(begin), foot.top()), QPointF(xOf(end), foot.bottom())),
                             color);
        if (pieces.empty()) continue;
        const auto next = part.other == kNobody ? std::nullopt : lineOf(trace::LocationId(part.other));
        if (!next || *next == *line || ++connections > kMostConnections) continue;
        painter.setPen(QPen(color, kFrame));
        painter.drawLine(QPointF(xOf(part.end), foot.center().y()),
                         QPointF(xOf(part.end), footOf(*next).center().y()));
    }
}

/// Where they stand close, what is below them has to be seen through their edges.
QColor TimelineView::operationColorHere() const {
    QColor color = operationColor(isDark());
    const double covered = 2.0 * static_cast<double>(picture_->marks.operations.size()) / width();
    color.setAlphaF(static_cast<float>(std::clamp(kMostCovered / covered, kFaintest, 1.0)));
    return color;
}

/// The first and the last line of its members. Pinned ones stand above all others, wherever they belong.
std::optional<std::pair<int, int>> TimelineView::linesOf(const OperationBundle& bundle) const {
    const trace::LocationId first(bundle.operation.location), last(bundle.operation.other);
    if (!lineOf(first) || !lineOf(last)) return std::nullopt;
    int top = std::min(*lineOf(first), *lineOf(last));
    int bottom = std::max(*lineOf(first), *lineOf(last));
    for (const std::size_t pinned : layout_.pinned()) {
        const auto line = lineOf(trace::LocationId(pinned));
        if (line && pinned > first.index() && pinned < last.index()) top = std::min(top, *line);
    }
    const auto widen = [&](std::size_t location) {
        const auto line = lineOf(trace::LocationId(location));
        if (!line || layout_.isPinned(trace::LocationId(location))) return false;
        top = std::min(top, *line);
        bottom = std::max(bottom, *line);
        return true;
    };
    if (layout_.isPinned(first) || layout_.isPinned(last)) {
        for (std::size_t at = first.index(); at < last.index() && !widen(at); ++at) {
        }
        for (std::size_t at = last.index(); at > first.index() && !widen(at); --at) {
        }
    }
    return std::pair(top, bottom);
}

/// The first to come and the last to leave tell which calls it is made of.
bool TimelineView::belongs(const OperationBundle& bundle, const std::pair<int, int>& lines) const {
    if (inPart_.isEverything()) return true;
    bool isKnown = false;
    for (int line = lines.first; line <= lines.second; ++line) {
        const auto read = picture_->rowOf(line);
        const auto found =
            read ? rows_.callBelongs(*read, bundle.operation.begin, bundle.operation.end) : std::nullopt;
        if (found.value_or(false)) return true;
        isKnown |= found.has_value();
    }
    return !isKnown;
}

/// Below the calls, which none of them hides: between the lines.
void TimelineView::paintOperationGrounds(QPainter& painter) const {
    if (!picture_ || !marks_.operations || layout_.gap() == 0) return;
    for (const OperationBundle& bundle : picture_->marks.operations) {
        const CourseMark& operation = bundle.operation;
        const auto members = linesOf(bundle);
        if (!members || !belongs(bundle, *members)) continue;
        const auto [first, last] = *members;
        QColor ground = operationColorHere();
        ground.setAlphaF(ground.alphaF() * (bundle.count > 1 ? 0.5F : 0.3F));
        const double left = xOf(operation.begin);
        painter.fillRect(
            QRectF(QPointF(left, lineRect(first).top()),
                   QPointF(std::max(left + 1.0, xOf(operation.end)), lineRect(last).bottom() + 1)),
            ground);
    }
}

/// From the first to the last line that takes part: from the first that comes until the last one leaves.
void TimelineView::paintOperations(QPainter& painter) const {
    if (!picture_ || !marks_.operations) return;
    const QColor color = operationColorHere();
    for (const OperationBundle& bundle : picture_->marks.operations) {
        const CourseMark& operation = bundle.operation;
        const auto members = linesOf(bundle);
        if (!members || !belongs(bundle, *members)) continue;
        const double left = xOf(operation.begin);
        const double right = xOf(operation.end);
        const double top = lineRect(members->first).top();
        const double bottom = lineRect(members->second).bottom() + 1;
        const double width = 1.0 + 0.5 * std::log2(static_cast<double>(bundle.count));
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        if (right - left < 3.0)
            painter.drawLine(QPointF(left, top), QPointF(left, bottom));
        else if (bundle.count > 1 || picture_->marks.parts.empty())
            painter.drawRect(QRectF(left, top, right - left, bottom - top));
        const QString text = bundle.count > 1 ? u"%1×"_qs.arg(bundle.count) : QString();
        if (!text.isEmpty() && right - left > fontMetrics().horizontalAdvance(text) + 4) {
            painter.setPen(palette().color(QPalette::Text));
            painter.drawText(QPointF(left + 3, std::max(top, static_cast<double>(axisHeight())) +
                                                   fontMetrics().ascent() + 1),
                             text);
        }
    }
    paintParts(painter);
}

/// When its members came and left, from line to line.
void TimelineView::paintParts(QPainter& painter) const {
    painter.setPen(QPen(operationColor(isDark()), kFrame));
    const std::vector<CourseMark>& parts = picture_->marks.parts;
    for (std::size_t at = 1; at < parts.size(); ++at) {
        const CourseMark& upper = parts[at - 1];
        const CourseMark& lower = parts[at];
        const auto first = lineOf(trace::LocationId(upper.location));
        const auto second = lineOf(trace::LocationId(lower.location));
        if (upper.group != lower.group || !first || !second || *first == *second) continue;
        const auto read = picture_->rowOf(*first);
        if (read && !rows_.belongs(*read, upper.begin)) continue;
        const double top = lineRect(*first).center().y();
        const double bottom = lineRect(*second).center().y();
        painter.drawLine(QPointF(xOf(upper.begin), top), QPointF(xOf(lower.begin), bottom));
        painter.drawLine(QPointF(xOf(upper.end), top), QPointF(xOf(lower.end), bottom));
    }
}

}  // namespace holos::gui
