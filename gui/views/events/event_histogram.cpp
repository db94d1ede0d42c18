// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/events/event_histogram.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"

namespace holos::gui {

namespace {
constexpr double kMargin = 8.0;
constexpr int kFewDigits = 4;
}  // namespace

EventHistogram::EventHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(u"Histogram of events"_qs);
    setAccessibleName(u"Histogram"_qs);
    setMinimumWidth(120);
}

void EventHistogram::clear() {
    bars_.clear();
    setAccessibleDescription({});
    update();
}

void EventHistogram::setSpread(const EventSpread& spread, const QString& name, EventUnit unit) {
    bars_ = spread.bars();
    least_ = spread.least();
    largest_ = spread.most();
    name_ = name;
    unit_ = unit;
    most_ = 0;
    for (const EventSpread::Bar& bar : bars_) most_ = std::max(most_, bar.rows);
    QStringList texts;
    for (std::size_t bar = 0; bar < bars_.size(); ++bar)
        if (bars_[bar].rows > 0) texts << textOf(bar);
    setAccessibleDescription(texts.join(u"; "_qs));
    update();
}

QString EventHistogram::valueText(double value) const {
    if (unit_ == EventUnit::Duration) return durationText(value, kFewDigits);
    if (unit_ == EventUnit::Moment) return momentText(value);
    if (unit_ == EventUnit::Bytes) return quantity(value, u"bytes"_qs, kFewDigits);
    return exactQuantity(value, {}, kFewDigits + 2);
}

QString EventHistogram::textOf(std::size_t bar) const {
    return u"%1 with %2 from %3 to %4"_qs.arg(counted(bars_[bar].rows, u"row"_qs, u"rows"_qs), name_,
                                              valueText(bars_[bar].from), valueText(bars_[bar].to));
}

QRectF EventHistogram::barRect(std::size_t bar) const {
    if (bars_.empty()) return {};
    const double room = (width() - 2.0 * kMargin) / static_cast<double>(bars_.size());
    const double bottom = height() - fontMetrics().lineSpacing() - 4.0;
    const double top = fontMetrics().lineSpacing() + 4.0;
    const std::uint64_t rows = bars_[bar].rows;
    const double tall =
        rows == 0 ? 0.0
                  : std::max(2.0, (bottom - top) * static_cast<double>(rows) / static_cast<double>(most_));
    return {kMargin + room * static_cast<double>(bar), bottom - tall, std::max(1.0, room - 1.0), tall};
}

std::optional<std::size_t> EventHistogram::barAt(double x) const {
    for (std::size_t bar = 0; bar < bars_.size(); ++bar)
        if (const QRectF place = barRect(bar); x >= place.left() && x <= place.right() + 1.0) return bar;
    return std::nullopt;
}

void EventHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (bars_.empty()) return;
    QColor color = palette().color(QPalette::Link);
    constexpr int kQuiet = 170;
    color.setAlpha(kQuiet);
    for (std::size_t bar = 0; bar < bars_.size(); ++bar) painter.fillRect(barRect(bar), color);
    painter.setPen(palette().color(QPalette::Text));
    const double line = fontMetrics().lineSpacing();
    const double room = width() - 2.0 * kMargin;
    const auto fitting = [&](const QString& text, double wide) {
        return fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(wide));
    };
    painter.drawText(QRectF(kMargin, 1.0, room, line), Qt::AlignLeft,
                     fitting(u"%1: up to %2"_qs.arg(name_, counted(most_, u"row"_qs, u"rows"_qs)), room));
    const QRectF below(kMargin, height() - line - 2.0, room, line);
    painter.drawText(below, Qt::AlignLeft, fitting(valueText(least_), room / 2.0));
    painter.drawText(below, Qt::AlignRight, fitting(valueText(largest_), room / 2.0));
}

void EventHistogram::mousePressEvent(QMouseEvent* event) {
    const auto bar = barAt(event->position().x());
    if (bar && bars_[*bar].rows > 0) Q_EMIT wanted(bars_[*bar].from, bars_[*bar].to);
}

bool EventHistogram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bar = barAt(help->pos().x());
    QToolTip::showText(help->globalPos(),
                       bar ? asToolTip(textOf(*bar) + u"\nA click shows these rows alone"_qs) : QString(),
                       this);
    return true;
}

}  // namespace holos::gui
