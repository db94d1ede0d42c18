// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/call_lengths_view.h"

#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"

namespace holos::gui {

namespace {
constexpr int kMarginOfHistogram = 10;
}

CallHistogram::CallHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(u"Lengths of calls"_qs);
    setAccessibleName(u"Lengths of calls"_qs);
    setMinimumHeight(80);
}

QSize CallHistogram::sizeHint() const {
    return {460, 190};
}

void CallHistogram::setLengths(CallLengths lengths, double secondsOfTick) {
    lengths_ = std::move(lengths);
    secondsOfTick_ = secondsOfTick;
    QStringList bars;
    for (const auto& [number, calls] : lengths_.classes) bars << textOf(number);
    setAccessibleDescription(bars.join(u"; "_qs));
    update();
}

QString CallHistogram::lengthText(double ticks) const {
    return durationText(ticks * secondsOfTick_);
}

QString CallHistogram::textOf(int number) const {
    const auto calls = lengths_.classes.find(number);
    return u"%1 from %2 to %3"_qs.arg(
        counted(calls == lengths_.classes.end() ? 0 : calls->second, u"call"_qs, u"calls"_qs),
        lengthText(CallLengths::startOf(number)), lengthText(CallLengths::startOf(number + 1)));
}

QRectF CallHistogram::barRect(int number) const {
    if (lengths_.classes.empty()) return {};
    const int first = lengths_.classes.begin()->first;
    const int last = lengths_.classes.rbegin()->first;
    const double room = (width() - 2.0 * kMarginOfHistogram) / (last - first + 1);
    const double bottom = height() - fontMetrics().lineSpacing() - 4.0;
    const double top = fontMetrics().lineSpacing() + 2.0;
    const auto most = std::ranges::max_element(lengths_.classes, {}, [](const auto& entry) {
                          return entry.second;
                      })->second;
    const auto calls = lengths_.classes.find(number);
    const double tall =
        calls == lengths_.classes.end()
            ? 0.0
            : std::max(2.0, (bottom - top) * static_cast<double>(calls->second) / static_cast<double>(most));
    return {kMarginOfHistogram + room * (number - first), bottom - tall, std::max(1.0, room - 1.0), tall};
}

std::optional<int> CallHistogram::numberAt(double x) const {
    if (lengths_.classes.empty()) return std::nullopt;
    for (int number = lengths_.classes.begin()->first; number <= lengths_.classes.rbegin()->first; ++number)
        if (const QRectF bar = barRect(number); x >= bar.left() && x <= bar.right() + 1.0) return number;
    return std::nullopt;
}

void CallHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (lengths_.classes.empty()) return;
    for (const auto& [number, calls] : lengths_.classes)
        painter.fillRect(barRect(number), palette().color(QPalette::Highlight));
    painter.setPen(palette().color(QPalette::Text));
    const auto most = std::ranges::max_element(lengths_.classes, {}, [](const auto& entry) {
                          return entry.second;
                      })->second;
    painter.drawText(QRectF(kMarginOfHistogram, 0, width(), fontMetrics().lineSpacing()), Qt::AlignLeft,
                     u"up to %1 in a bar"_qs.arg(counted(most, u"call"_qs, u"calls"_qs)));
    const QRectF below(kMarginOfHistogram, height() - fontMetrics().lineSpacing() - 2.0,
                       width() - 2.0 * kMarginOfHistogram, fontMetrics().lineSpacing());
    painter.drawText(below, Qt::AlignLeft, lengthText(static_cast<double>(lengths_.shortest)));
    painter.drawText(below, Qt::AlignRight, lengthText(static_cast<double>(lengths_.longest)));
}

void CallHistogram::mousePressEvent(QMouseEvent* event) {
    if (const auto number = numberAt(event->position().x()))
        Q_EMIT wanted(CallLengths::startOf(*number) * secondsOfTick_);
}

bool CallHistogram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto number = numberAt(help->pos().x());
    QToolTip::showText(
        help->globalPos(),
        number ? asToolTip(textOf(*number) + u"\nA click goes to the next one that takes at least so long"_qs)
               : QString(),
        this);
    return true;
}

CallLengthsView::CallLengthsView(const CallLengthsQuestion& question, const QString& region,
                                 const QString& where, QWidget* parent)
    : QDialog(parent),
      where_(where),
      secondsOfTick_(1.0 / static_cast<double>(question.definitions->clock.ticksPerSecond)),
      text_(new QLabel(u"Reading …"_qs, this)),
      histogram_(new CallHistogram(this)),
      stopped_(std::make_shared<std::atomic<bool>>(false)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"How long calls of %1 take"_qs.arg(region));
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* down = new QVBoxLayout(this);
    down->addWidget(text_);
    down->addWidget(histogram_, 1);
    connect(histogram_, &CallHistogram::wanted, this,
            [this, region](double least) { Q_EMIT callWanted(region, least); });
    inBackground(
        this,
        [question, stopped = stopped_] {
            try {
                return callLengths(question, *stopped);
            } catch (const Error&) {
                return CallLengths();
            }
        },
        [this](const CallLengths& lengths) { tell(lengths); });
}

CallLengthsView::~CallLengthsView() {
    *stopped_ = true;
}

QString CallLengthsView::text() const {
    return text_->text();
}

void CallLengthsView::tell(const CallLengths& lengths) {
    busy_ = false;
    const auto length = [this](double ticks) { return durationText(ticks * secondsOfTick_); };
    const QString calls = counted(lengths.count, u"call"_qs, u"calls"_qs);
    if (lengths.count == 0) return text_->setText(u"No call begins and ends in %1."_qs.arg(where_));
    text_->setText(u"%1 in %2, %3 together\nshortest %4, median about %5, mean %6, longest %7"_qs.arg(
        calls, where_, length(static_cast<double>(lengths.sum)),
        length(static_cast<double>(lengths.shortest)), length(lengths.median()), length(lengths.mean()),
        length(static_cast<double>(lengths.longest))));
    histogram_->setLengths(lengths, secondsOfTick_);
}

}  // namespace holos::gui
