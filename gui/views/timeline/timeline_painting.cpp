// SPDX-License-Identifier: BSD-3-Clause
// How the timeline paints what was read.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "gui/models/quantity.h"
#include "gui/views/timeline/timeline_colors.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kTickDistance = 110;  ///< pixels
constexpr int kTickGap = 12;
constexpr double kNarrowing = 0.4;   ///< of a line's height, for the innermost call
constexpr int kMessageDistance = 5;  ///< pixels: closer ones are drawn without their heads
constexpr double kFullMessage = 0.75;
constexpr double kFaintestMessage = 0.02;
constexpr double kMostHidden = 0.35;  ///< of what lies below messages
constexpr int kPieceHeight = 16;

/// 1, 2 or 5 times a power of ten, at least `least`.
double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10.0 * power;
}

}  // namespace

const QColor& TimelineView::colorOf(trace::RegionId id) const {
    colors_.resize(definitions_->regions.size());
    QColor& color = colors_[id.index()];
    if (!color.isValid()) color = colorOfRegion(region(id), isDark());
    return color;
}

/// Of what is not in the part of the program that is shown.
QColor TimelineView::paleColor(trace::RegionId id) const {
    const QColor& full = colorOf(id);
    const QColor ground = palette().color(QPalette::Base);
    const auto mixed = [](int a, int b) { return (a + 4 * b) / 5; };
    return {mixed(full.red(), ground.red()), mixed(full.green(), ground.green()),
            mixed(full.blue(), ground.blue())};
}

bool TimelineView::isDark() const {
    return palette().color(QPalette::Base).lightness() < 128;
}

QRgb TimelineView::colorOfBin(const TimelineRow& row, std::size_t bin) const {
    const QColor ground = palette().color(QPalette::AlternateBase);
    if (bin < row.shares.size())
        return row.shares[bin] < 0 ? ground.rgb() : heatColor(row.shares[bin], isDark()).rgb();
    const auto& known = row.excerpt.bins[bin].region;
    if (!known) return ground.rgb();
    return (inPart_.mayHave(*known) ? colorOf(*known) : paleColor(*known)).rgb();
}

void TimelineView::drawImage() {
    image_ = {};
    if (!picture_ || picture_->rows.empty() || !definitions_) return;
    const auto width = static_cast<int>(picture_->window.bins);
    image_ = QImage(width, static_cast<int>(picture_->rows.size()), QImage::Format_RGB32);
    image_.fill(palette().color(QPalette::AlternateBase));
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        const TimelineRow& content = picture_->rows[row];
        auto* line = reinterpret_cast<QRgb*>(image_.scanLine(static_cast<int>(row)));
        for (std::size_t bin = 0; bin < content.excerpt.bins.size(); ++bin) {
            const bool isSame = bin > 0 && content.shares.empty() &&
                                content.excerpt.bins[bin].region == content.excerpt.bins[bin - 1].region;
            line[bin] = isSame ? line[bin - 1] : colorOfBin(content, bin);
        }
    }
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
    if (!definitions_) return;
    painter.save();
    painter.setClipRect(labelWidth(), axisHeight(), timeWidth(), viewport()->height());
    paintOperationGrounds(painter);
    paintImage(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    const int end = endInSight();
    const auto paintLines = [&](int first, int behind) {
        for (int line = first; line < behind; ++line)
            if (layout_.showsCalls(line)) paintLine(painter, line);
    };
    paintLines(0, layout_.frozen());
    paintLines(firstInSight(), end);
    paintOperations(painter);
    if (picture_ && marks_.messages) paintMessages(painter);
    paintWaits(painter);
    paintPath(painter);
    paintFrame(painter);
    paintRange(painter);
    paintNotes(painter);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    paintLabels(painter);
    paintPinnedGroup(painter);
    paintAxis(painter);
    if (drag_) paintBand(painter, drag_->from, drag_->to);
}

void TimelineView::paintBand(QPainter& painter, double left, double right) const {
    QColor band = palette().color(QPalette::Link);
    painter.setPen(band);
    band.setAlpha(50);
    painter.setBrush(band);
    if (left > right) std::swap(left, right);
    painter.drawRect(QRectF(QPointF(left, axisHeight()), QPointF(right, viewport()->height() - 1)));
    if (!drag_ || !drag_->isRange) return;
    const double seconds = definitions_->seconds(timeAt(right) - timeAt(left));
    const QString text = durationText(seconds, digits_);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(left + 4, axisHeight() + 2, viewport()->width(), fontMetrics().height()),
                     Qt::AlignLeft, text);
}

/// What is outside of it is paler.
void TimelineView::paintRange(QPainter& painter) const {
    if (!range_) return;
    const double left = xOf(range_->from);
    const double right = xOf(range_->to);
    QColor veil = palette().color(QPalette::Base);
    veil.setAlpha(150);
    const double top = axisHeight();
    const double height = viewport()->height() - top;
    if (range_->to > range_->from) {
        painter.fillRect(QRectF(labelWidth(), top, std::max(0.0, left - labelWidth()), height), veil);
        painter.fillRect(QRectF(right, top, std::max(0.0, viewport()->width() - right), height), veil);
    }
    painter.setPen(QPen(palette().color(QPalette::Link), 1.5));
    for (const double x : {left, right}) painter.drawLine(QPointF(x, top), QPointF(x, top + height));
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

/// A line parts those that are pinned from those that are scrolled.
void TimelineView::paintLabels(QPainter& painter) const {
    for (int line = 0; line < layout_.frozen(); ++line) paintLabel(painter, line);
    painter.save();
    painter.setClipRect(0, headHeight(), viewport()->width(), viewport()->height());
    const int end = endInSight();
    for (int line = firstInSight(); line < end; ++line) paintLabel(painter, line);
    painter.restore();
    if (layout_.frozen() == 0) return;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, headHeight() - 1, viewport()->width(), headHeight() - 1);
}

void TimelineView::paintLabel(QPainter& painter, int number) const {
    const QRect place = lineRect(number);
    const TimelineLine& line = (*layout_.lines())[number];
    const auto location = line.only();
    const bool isSelected = selected_ && lineOf(*selected_) == number;
    if (isSelected)
        painter.fillRect(QRect(0, place.top(), labelWidth() - 2, std::max(2, place.height())),
                         palette().color(QPalette::Highlight));
    // Lines that are lower than letters carry a name now and then.
    const int every = std::max(
        1, static_cast<int>(std::ceil(fontMetrics().height() / std::max(1.0, layout_.heightOf(number)))));
    if (every > 1 && number % every != 0 && !(isSelected && layout_.lineHeight() > 4)) return;
    QFont font = painter.font();
    font.setBold(line.group ||
                 (framed_ && location && (*location == framed_->location || framed_->awaited == *location)));
    painter.setFont(font);
    painter.setPen(palette().color(isSelected ? QPalette::HighlightedText : QPalette::Text));
    int top = every > 1 ? place.top() : place.center().y() - fontMetrics().height() / 2;
    if (place.top() >= axisHeight()) top = std::max(top, axisHeight());  // the axis would cover the first one
    const int left = location ? kArrow : 6;
    const QRect text(left, top, labelWidth() - left - 6, fontMetrics().height());
    if (line.stackOf) return;
    if (location && every == 1 && layout_.showsCalls(number))
        painter.drawText(QRect(4, top, kArrow, fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter,
                         line.isOpen ? u"▾"_qs : u"▸"_qs);
    const QString fold = line.group ? (line.isFolded ? u"▸ "_qs : u"▾ "_qs) : QString();
    const auto side = line.group ? Qt::AlignLeft : Qt::AlignRight;
    painter.drawText(text, side | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(fold + line.name, Qt::ElideMiddle, text.width()));
    font.setBold(false);
    painter.setFont(font);
}

void TimelineView::paintPinnedGroup(QPainter& painter) const {
    const auto group = pinnedGroup();
    if (!group) return;
    const TimelineLine& line = (*layout_.lines())[*group];
    const QRect place = pinnedRect();
    painter.fillRect(place, palette().color(QPalette::AlternateBase));
    QFont font = painter.font();
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::Text));
    const QRect text = place.adjusted(6, 0, -4, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText((line.isFolded ? u"▸ "_qs : u"▾ "_qs) + line.name,
                                                   Qt::ElideMiddle, text.width()));
    font.setBold(false);
    painter.setFont(font);
}

/// Bins of all lines. Without gaps between them they are one picture.
void TimelineView::paintImage(QPainter& painter) const {
    if (image_.isNull()) return;
    const double left = xOf(picture_->window.from);
    const double width = xOf(picture_->window.to) - left;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    const auto rows = static_cast<int>(picture_->rows.size());
    const int single = layout_.gap() == 0 ? picture_->pinned : rows;
    if (single < rows) {
        const int from = layout_.top(picture_->firstLine),
                  to = layout_.top(picture_->lineOf(picture_->rows.size()));
        const double top = axisHeight() + from - verticalScrollBar()->value();
        painter.save();
        painter.setClipRect(labelWidth(), headHeight(), timeWidth(), viewport()->height());
        painter.drawImage(QRectF(left, top, width, to - from), image_,
                          QRectF(0, single, image_.width(), rows - single));
        painter.restore();
    }
    for (int row = 0; row < single; ++row) {
        const QRect place = lineRect(picture_->lineOf(static_cast<std::size_t>(row)));
        painter.drawImage(QRectF(left, place.top(), width, place.height()), image_,
                          QRectF(0, row, image_.width(), 1));
    }
}

void TimelineView::paintLine(QPainter& painter, int line) const {
    if ((*layout_.lines())[line].stackOf) return paintStack(painter, line);
    const TimelineRow* content = contentOf(line);
    if (content == nullptr) return;
    if (!content->excerpt.tooManySpans && !content->excerpt.spans.empty())
        paintSpans(painter, line, lineRect(line));
    paintShortages(painter, line);
}

/// Hatched over what the thread would have done: it had no processor.
void TimelineView::paintShortages(QPainter& painter, int line) const {
    const QRect place = lineRect(line);
    QColor color = palette().color(QPalette::Text);
    for (const trace::Shortage& shortage : contentOf(line)->excerpt.shortages) {
        const double left = std::max(xOf(shortage.begin), static_cast<double>(place.left()));
        const double right = std::min(xOf(shortage.end), static_cast<double>(place.right()));
        if (right - left < 0.5) continue;
        const QRectF box(left, place.top(), right - left, place.height());
        color.setAlpha(isDark() ? 60 : 50);
        painter.fillRect(box, color);
        color.setAlpha(200);
        painter.fillRect(box, QBrush(color, Qt::BDiagPattern));
    }
}

void TimelineView::paintSpans(QPainter& painter, int line, const QRect& place) const {
    const trace::Excerpt& excerpt = contentOf(line)->excerpt;
    const TimelineRows::Calls& calls = rows_.calls(*picture_->rowOf(line));
    const double inset = place.height() * kNarrowing / 2.0 / std::max(1U, excerpt.depth);
    const bool named = place.height() >= fontMetrics().height() - 2;
    for (const std::size_t at : calls.fromOutside) {
        const trace::Span& span = excerpt.spans[at];
        const double left = std::max(xOf(span.begin), static_cast<double>(place.left()) - 2.0);
        const double right = std::min(xOf(span.end), static_cast<double>(place.right()) + 2.0);
        if (right - left < 1.0) continue;
        const double narrower = inset * span.depth;
        const QRectF box(left, place.top() + narrower, right - left, place.height() - 2 * narrower);
        const QColor color = calls.belongs[at] ? colorOf(span.region) : paleColor(span.region);
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

/// With its name, where there is room.
void TimelineView::paintBox(QPainter& painter, const QRectF& box, const QColor& color,
                            const QString& name) const {
    painter.fillRect(box, color);
    if (box.width() > 3.0) {
        painter.setPen(QPen(color.darker(130), 0.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
    }
    if (box.height() < fontMetrics().height() - 2 || box.width() < 4.0 * fontMetrics().averageCharWidth())
        return;
    painter.setPen(color.lightness() < 128 ? Qt::white : Qt::black);
    painter.drawText(box.adjusted(3, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(box.width()) - 6));
}

/// Functions that only calls and samples tell of are paler than what events have.
void TimelineView::paintStack(QPainter& painter, int line) const {
    const TimelineRow* content = contentOf(line);
    const QRect place = lineRect(line);
    painter.fillRect(place, palette().color(QPalette::Base));
    if (content == nullptr || !content->stack) return;
    const std::uint32_t depth = (*layout_.lines())[line].depth;
    for (const trace::StackBar& bar : content->stack->bars) {
        if (bar.depth != depth) continue;
        const double left = std::max(xOf(bar.begin), static_cast<double>(place.left()) - 2.0);
        const double right = std::min(xOf(bar.end), static_cast<double>(place.right()) + 2.0);
        if (right < place.left() || left > place.right()) continue;
        // Functions of samples are the program's.
        const QColor color =
            bar.isEvent
                ? colorOf(bar.region)
                : colorOfRegion(region(bar.region), Activity::User, isDark()).lighter(isDark() ? 80 : 108);
        paintBox(painter, QRectF(left, place.top(), std::max(0.7, right - left), place.height()), color,
                 nameOf(bar.region));
    }
}

namespace {

struct MessageLine {
    QPointF from, to;
    double width = 1;
};

/// How much lines cover of each piece of the view, which is a pixel wide and `kPieceHeight` high: 2 where
/// there are two lines over each pixel.
class CoveredPieces {
  public:
    explicit CoveredPieces(QSize size)
        : columns_(std::max(1, size.width())),
          rows_(std::max(1, size.height() / kPieceHeight + 1)),
          covered_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0) {}

    void add(const MessageLine& line) {
        forEachPieceOf(line, [](double& covered, double more) { covered += more; });
    }
    /// Where the most lines are that this one goes through.
    double most(const MessageLine& line) {
        double most = 0;
        forEachPieceOf(line, [&most](double covered, double) { most = std::max(most, covered); });
        return most;
    }

  private:
    template <typename Visit>
    void forEachPieceOf(const MessageLine& line, Visit visit) {
        const auto [upper, lower] =
            line.from.y() < line.to.y() ? std::pair(line.from, line.to) : std::pair(line.to, line.from);
        const auto rowAt = [this](double y) {
            return std::clamp(static_cast<int>(y / kPieceHeight), 0, rows_ - 1);
        };
        const auto columnAt = [this](double x) {
            return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(columns_ - 1)));
        };
        const double slope = (lower.x() - upper.x()) / std::max(1.0, lower.y() - upper.y());
        for (int row = rowAt(upper.y()); row <= rowAt(lower.y()); ++row) {
            const double top = std::clamp(static_cast<double>(row * kPieceHeight), upper.y(), lower.y());
            const double bottom =
                std::clamp(static_cast<double>((row + 1) * kPieceHeight), upper.y(), lower.y());
            const double left = upper.x() + slope * (top - upper.y());
            const double right = upper.x() + slope * (bottom - upper.y());
            const int first = columnAt(std::min(left, right) - line.width / 2);
            const int last = columnAt(std::max(left, right) + line.width / 2);
            const double area = std::hypot(right - left, bottom - top) * line.width;
            for (int column = first; column <= last; ++column)
                visit(covered_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                               static_cast<std::size_t>(column)],
                      area / kPieceHeight / (last - first + 1));
        }
    }

    int columns_;
    int rows_;
    std::vector<double> covered_;
};

}  // namespace

/// Where many stand close to each other, what is below them has to be seen through them.
void TimelineView::paintMessages(QPainter& painter) const {
    const bool dense = picture_->messages.size() * kMessageDistance > static_cast<std::size_t>(timeWidth());
    std::vector<MessageLine> lines;
    CoveredPieces covered(viewport()->size());
    for (const MessageBundle& message : picture_->messages) {
        const auto sender = lineOf(message.sender);
        const auto receiver = lineOf(message.receiver);
        if (!sender || !receiver || (*sender == *receiver && layout_.together() > 1)) continue;
        const MessageLine line{QPointF(xOf(message.sent), lineRect(*sender).center().y()),
                               QPointF(xOf(message.received), lineRect(*receiver).center().y()),
                               1.0 + 0.5 * std::log2(static_cast<double>(message.count))};
        if (line.to.x() < labelWidth() || line.from.x() > viewport()->width()) continue;
        lines.push_back(line);
        covered.add(line);
    }
    QColor color = palette().color(QPalette::Text);
    for (const MessageLine& line : lines) {
        color.setAlphaF(std::clamp(kMostHidden / covered.most(line), kFaintestMessage, kFullMessage));
        painter.setPen(QPen(color, line.width));
        painter.drawLine(line.from, line.to);
        painter.setBrush(color);
        if (!dense) painter.drawEllipse(line.to, 1.8, 1.8);
    }
}

void TimelineView::paintNotes(QPainter& painter) const {
    const QColor color = palette().color(QPalette::Link);
    for (const PlacedNote& note : notes_) {
        const QRectF flag = flagRect(note);
        if (flag.isEmpty()) continue;
        painter.setPen(QPen(color.darker(130), 1.0));
        painter.drawLine(flag.topLeft(), QPointF(flag.left(), lineRect(*lineOf(note.location)).bottom()));
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF(
            {flag.topLeft(), QPointF(flag.right(), flag.top() + flag.height() / 2.0), flag.bottomLeft()}));
    }
}

void TimelineView::paintFrame(QPainter& painter) const {
    const auto line = framed_ ? lineOf(framed_->location) : std::nullopt;
    if (!line) return;
    const QRect place = lineRect(*line);
    const double left = xOf(framed_->begin);
    const QRectF box(left, place.top(), std::max(3.0, xOf(framed_->end) - left), place.height());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Base), 4.0));
    painter.drawRect(box);
    painter.setPen(QPen(palette().color(QPalette::Text), 2.0));
    painter.drawRect(box);
}

}  // namespace holos::gui
