// SPDX-License-Identifier: BSD-3-Clause
// How the timeline paints what was read.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/views/color_scale.h"
#include "gui/views/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kTickDistance = 110;  ///< pixels
constexpr int kTickGap = 12;
constexpr double kNarrowing = 0.4;   ///< of a row's height, for the innermost call
constexpr int kMessageDistance = 5;  ///< pixels: closer ones are drawn fainter, without their heads

struct Tone {
    double lightness, chroma, hue;
};

/// Told apart by lightness as well as by hue, with any colour vision.
Tone toneOf(Activity activity) {
    switch (activity) {
        case Activity::User:
            return {0.80, 0.07, 230};
        case Activity::Mpi:
            return {0.58, 0.17, 30};
        case Activity::OpenMp:
            return {0.90, 0.06, 95};
        case Activity::OpenMpWaiting:
            return {0.74, 0.14, 75};
        case Activity::Other:
            return {0.70, 0.00, 0};
        case Activity::Nothing:
            break;
    }
    return {0.95, 0.0, 0};
}

/// Dark grounds need quieter colours.
constexpr double kDarker = 0.17;

/// 1, 2 or 5 times a power of ten, at least `least`.
double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10.0 * power;
}

}  // namespace

QColor colorOfActivity(Activity activity, bool dark) {
    const Tone tone = toneOf(activity);
    return fromOkLch(tone.lightness - (dark ? kDarker : 0.0), tone.chroma, tone.hue);
}

QColor colorOfRegion(const trace::Region& region, bool dark) {
    const Activity activity = activityOf(region);
    Tone tone = toneOf(activity);
    const auto shade = static_cast<double>(qHash(QString::fromStdString(region.name), 0) % 7) / 6.0 - 0.5;
    const bool user = activity == Activity::User;
    return fromOkLch(tone.lightness - (dark ? kDarker : 0.0) + shade * (user ? 0.14 : 0.05), tone.chroma,
                     tone.hue + shade * (user ? 70.0 : 14.0));
}

const QColor& TimelineView::colorOf(trace::RegionId id) const {
    const auto known = colors_.find(id.index());
    return known != colors_.end()
               ? known->second
               : colors_.emplace(id.index(), colorOfRegion(region(id), isDark())).first->second;
}

bool TimelineView::isDark() const {
    return palette().color(QPalette::Base).lightness() < 128;
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
    if (!definitions_ || !picture_) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(labelWidth(), axisHeight(), timeWidth(), viewport()->height());
    for (int row = 0; row < static_cast<int>(picture_->rows.size()); ++row) paintRow(painter, row);
    paintMessages(painter);
    paintMark(painter);
    painter.restore();
    for (int row = 0; row < static_cast<int>(picture_->rows.size()); ++row) paintLabel(painter, row);
    paintAxis(painter);
    if (!dragFrom_) return;
    QColor band = palette().color(QPalette::Link);
    painter.setPen(band);
    band.setAlpha(50);
    painter.setBrush(band);
    painter.drawRect(QRect(QPoint(*dragFrom_, axisHeight()), QPoint(*dragTo_, viewport()->height() - 1)));
}

void TimelineView::paintAxis(QPainter& painter) const {
    const QRect strip(0, 0, viewport()->width(), axisHeight());
    painter.fillRect(strip, palette().color(QPalette::AlternateBase));
    const double from = definitions_->seconds(from_);
    const double to = definitions_->seconds(to_);
    const auto textOf = [](double at, double between) {
        const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(between) - 1e-9)), 0, 9);
        return QString::number(at, 'f', decimals) + u" s"_qs;
    };
    // As far from each other as the longest of them needs.
    double step = niceStep((to - from) * kTickDistance / timeWidth());
    const int distance =
        std::max(kTickDistance, fontMetrics().horizontalAdvance(textOf(to, step)) + kTickGap);
    step = niceStep((to - from) * distance / timeWidth());
    for (double at = std::ceil(from / step) * step; at <= to; at += step) {
        const auto x = labelWidth() + (at - from) / (to - from) * timeWidth();
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(QPointF(x, axisHeight() - 5), QPointF(x, axisHeight()));
        const QString text = textOf(at, step);
        if (x + 4 + fontMetrics().horizontalAdvance(text) > viewport()->width()) continue;  // cut at the edge
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRectF(x + 4, 0, distance, axisHeight()), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(strip.bottomLeft(), strip.bottomRight());
}

void TimelineView::paintLabel(QPainter& painter, int row) const {
    const QRect place = rowRect(row);
    if (place.bottom() < axisHeight() || place.top() > viewport()->height()) return;
    const trace::LocationId location = picture_->rows[static_cast<std::size_t>(row)].location;
    if (location == selected_)
        painter.fillRect(QRect(0, place.top(), labelWidth() - 2, place.height()),
                         palette().color(QPalette::Highlight));
    // Rows that are lower than letters carry a name now and then.
    const int every = std::max(1, (fontMetrics().height() + rowHeight() - 1) / rowHeight());
    if (every > 1 && row % every != 0 && location != selected_) return;
    QFont font = painter.font();
    font.setBold(mark_ && (location == mark_->location || mark_->awaited == location));
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::Text));
    int top = place.center().y() - fontMetrics().height() / 2;
    if (place.top() >= axisHeight()) top = std::max(top, axisHeight());  // the axis would cover the first one
    const QRect text(6, top, labelWidth() - 12, fontMetrics().height());
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(rows_.name(row), Qt::ElideMiddle, text.width()));
    font.setBold(false);
    painter.setFont(font);
}

void TimelineView::paintRow(QPainter& painter, int row) const {
    const QRect place = rowRect(row);
    if (place.bottom() < axisHeight() || place.top() > viewport()->height()) return;
    const trace::Excerpt& excerpt = picture_->rows[static_cast<std::size_t>(row)].excerpt;
    painter.fillRect(place, palette().color(QPalette::AlternateBase));
    if (excerpt.tooManySpans || excerpt.spans.empty())
        paintBins(painter, excerpt, place);
    else
        paintSpans(painter, row, place);
}

/// Neighbours of one colour make one rectangle.
void TimelineView::paintBins(QPainter& painter, const trace::Excerpt& excerpt, const QRect& place) const {
    const trace::Window& window = picture_->window;
    const auto bins = excerpt.bins.size();
    const double width = static_cast<double>(window.to - window.from) / static_cast<double>(bins);
    const auto edge = [&](std::size_t bin) {
        return xOf(window.from + static_cast<Ticks>(width * static_cast<double>(bin)));
    };
    for (std::size_t bin = 0; bin < bins;) {
        std::size_t end = bin + 1;
        while (end < bins && excerpt.bins[end].region == excerpt.bins[bin].region) ++end;
        if (const auto& known = excerpt.bins[bin].region)
            painter.fillRect(QRectF(edge(bin), place.top(), edge(end) - edge(bin), place.height()),
                             colorOf(*known));
        bin = end;
    }
}

void TimelineView::paintSpans(QPainter& painter, int row, const QRect& place) const {
    const trace::Excerpt& excerpt = picture_->rows[static_cast<std::size_t>(row)].excerpt;
    const TimelineRows::Calls& calls = rows_.calls(row);
    paintBins(painter, excerpt, place);
    const double inset = place.height() * kNarrowing / 2.0 / std::max(1U, excerpt.depth);
    const bool named = place.height() >= fontMetrics().height() - 2;
    for (const std::size_t at : calls.fromOutside) {
        const trace::Span& span = excerpt.spans[at];
        const double left = std::max(xOf(span.begin), static_cast<double>(place.left()) - 2.0);
        const double right = std::min(xOf(span.end), static_cast<double>(place.right()) + 2.0);
        if (right - left < 1.0) continue;
        const double narrower = inset * span.depth;
        const QRectF box(left, place.top() + narrower, right - left, place.height() - 2 * narrower);
        const QColor& color = colorOf(span.region);
        painter.fillRect(box, color);
        if (right - left > 3.0) {
            painter.setPen(QPen(color.darker(130), 0.6));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
        }
        if (!named || !calls.leaves[at] || right - left < 4.0 * fontMetrics().averageCharWidth()) continue;
        painter.setPen(color.lightness() < 128 ? Qt::white : Qt::black);
        painter.drawText(QRectF(left + 3, place.top(), right - left - 6, place.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(nameOf(span.region), Qt::ElideRight,
                                                  static_cast<int>(right - left) - 6));
    }
}

void TimelineView::paintMessages(QPainter& painter) const {
    QColor color = palette().color(QPalette::Text);
    const bool dense = picture_->messages.size() * kMessageDistance > static_cast<std::size_t>(timeWidth());
    color.setAlpha(dense ? 90 : 190);
    painter.setPen(QPen(color, 1.0));
    painter.setBrush(color);
    for (const trace::Message& message : picture_->messages) {
        const auto sender = rowOf(message.sender);
        const auto receiver = rowOf(message.receiver);
        if (!sender || !receiver) continue;
        const QPointF from(xOf(message.sent), rowRect(*sender).center().y());
        const QPointF to(xOf(message.received), rowRect(*receiver).center().y());
        if (to.x() < labelWidth() || from.x() > viewport()->width()) continue;
        painter.drawLine(from, to);
        if (!dense) painter.drawEllipse(to, 1.8, 1.8);
    }
}

void TimelineView::paintMark(QPainter& painter) const {
    const auto row = mark_ ? rowOf(mark_->location) : std::nullopt;
    if (!row) return;
    const QRect place = rowRect(*row);
    const double left = xOf(mark_->begin);
    const QRectF box(left, place.top(), std::max(3.0, xOf(mark_->end) - left), place.height());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Base), 4.0));
    painter.drawRect(box);
    painter.setPen(QPen(palette().color(QPalette::Text), 2.0));
    painter.drawRect(box);
}

}  // namespace holos::gui
