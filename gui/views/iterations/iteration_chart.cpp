// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/iterations/iteration_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

namespace {
constexpr double kEdgeOfChart = 8.0;
constexpr double kHeightOfMark = 5.0;  ///< height of what marks those that are odd
constexpr int kQuietBars = 170;        ///< of 255
}  // namespace

IterationChart::IterationChart(const IterationModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
    setObjectName(u"Chart of iterations"_qs);
    setAccessibleName(u"Lengths of iterations"_qs);
    setMinimumWidth(fontMetrics().height() * 10);
    setFocusPolicy(Qt::StrongFocus);
    connect(&model, &QAbstractItemModel::modelReset, this, &IterationChart::renew);
}

void IterationChart::renew() {
    selected_ = {};
    anchor_ = cursor_ = -1;
    pressed_.reset();
    most_ = 0.0;
    for (int row = 0; row < model_.rowCount(); ++row)
        most_ = std::max({most_, model_.time(row), model_.other(row).value_or(0.0)});
    setAccessibleDescription(model_.text());
    update();
}

void IterationChart::select(const IterationRows& rows) {
    if (rows == selected_) return;
    selected_ = rows;
    // Somebody else chose them.
    if (std::min(anchor_, cursor_) != rows.first || std::max(anchor_, cursor_) != rows.last) {
        anchor_ = rows.first;
        cursor_ = rows.last;
    }
    setAccessibleDescription(rows.isEmpty() ? model_.text() : model_.textOf(rows));
    update();
}

/// `isMore`: with all from the anchor on.
void IterationChart::choose(int row, bool isMore) {
    cursor_ = row;
    if (!isMore || anchor_ < 0) anchor_ = row;
    Q_EMIT chosen({std::min(anchor_, cursor_), std::max(anchor_, cursor_)});
}

QRectF IterationChart::room() const {
    const double line = fontMetrics().lineSpacing();
    return {kEdgeOfChart, line + kHeightOfMark + 6.0, std::max(1.0, width() - 2.0 * kEdgeOfChart),
            std::max(1.0, height() - 2.0 * line - kHeightOfMark - 10.0)};
}

double IterationChart::heightOf(double seconds) const {
    return most_ > 0.0 ? room().height() * seconds / most_ : 0.0;
}

/// One for each iteration, or for each pixel.
int IterationChart::columns() const {
    return std::min(model_.rowCount(), static_cast<int>(room().width()));
}

int IterationChart::firstAt(int column) const {
    return static_cast<int>(static_cast<std::int64_t>(column) * model_.rowCount() / std::max(1, columns()));
}

int IterationChart::longestIn(int from, int to) const {
    int longest = from;
    for (int row = from; row < to; ++row)
        if (model_.time(row) > model_.time(longest)) longest = row;
    return longest;
}

QRectF IterationChart::barRect(int row) const {
    if (model_.rowCount() == 0) return {};
    const QRectF all = room();
    const double wide = all.width() / model_.rowCount();
    const double high = heightOf(model_.time(row));
    return {all.left() + wide * row, all.bottom() - high, std::max(1.0, wide - (wide > 3.0 ? 1.0 : 0.0)),
            high};
}

std::optional<int> IterationChart::columnAt(double x) const {
    const QRectF all = room();
    if (columns() == 0 || x < all.left() || x >= all.right()) return std::nullopt;
    return static_cast<int>((x - all.left()) / all.width() * columns());
}

std::optional<int> IterationChart::rowAt(double x) const {
    const auto column = columnAt(x);
    return column ? std::optional(longestIn(firstAt(*column), firstAt(*column + 1))) : std::nullopt;
}

void IterationChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (model_.rowCount() == 0) return;
    const bool isDark =
        palette().color(QPalette::Base).lightness() < palette().color(QPalette::Text).lightness();
    QColor works = palette().color(QPalette::Link);
    works.setAlpha(kQuietBars);
    const QColor text = palette().color(QPalette::Text);
    const auto baseline = room().bottom();
    for (int column = 0; column < columns(); ++column) {
        const int from = firstAt(column), to = firstAt(column + 1);
        const int row = longestIn(from, to);
        QRectF bar = barRect(row);
        bar.moveLeft(barRect(from).left());
        painter.fillRect(bar, works);
        QRectF waits = bar;
        waits.setHeight(std::min(bar.height(), heightOf(model_.waits(row))));
        painter.fillRect(waits, waitColor(isDark));
        bool isOdd = false;
        for (int each = from; each < to; ++each) isOdd = isOdd || model_.isOdd(each);
        if (isOdd) {
            const double middle = bar.center().x();
            painter.setPen(Qt::NoPen);
            painter.setBrush(text);
            painter.drawPolygon(QPolygonF{{middle - kHeightOfMark / 2.0, bar.top() - kHeightOfMark - 2.0},
                                          {middle + kHeightOfMark / 2.0, bar.top() - kHeightOfMark - 2.0},
                                          {middle, bar.top() - 2.0}});
        }
        if (const auto other = model_.other(row)) {
            const double y = baseline - heightOf(*other);
            painter.setPen(QPen(text, 2));
            painter.drawLine(QPointF(bar.left(), y), QPointF(bar.right(), y));
        }
    }
    if (!selected_.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(text);
        const double left = barRect(selected_.first).left(), right = barRect(selected_.last).right();
        painter.drawRect(QRectF(left - 1.0, room().top() - kHeightOfMark - 3.0, right - left + 2.0,
                                room().height() + kHeightOfMark + 4.0));
    }
    painter.setPen(text);
    const double line = fontMetrics().lineSpacing();
    paintLegend(painter, isDark);
    const QRectF below(kEdgeOfChart, height() - line - 2.0, room().width(), line);
    painter.drawText(below, Qt::AlignLeft, u"1"_qs);
    painter.drawText(below, Qt::AlignRight, QString::number(model_.rowCount()));
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// How high the chart goes, and what is in it, as far as there is room.
void IterationChart::paintLegend(QPainter& painter, bool isDark) const {
    const double line = fontMetrics().lineSpacing(), side = line / 2.0;
    double left = kEdgeOfChart;
    const auto write = [&](const QString& text) {
        const double wide = fontMetrics().horizontalAdvance(text);
        if (left + wide > width() - kEdgeOfChart) return;
        painter.drawText(QRectF(left, 1.0, wide + 1.0, line), Qt::AlignLeft, text);
        left += wide + line;
    };
    write(u"up to %1"_qs.arg(durationText(most_)));
    if (left + 2.0 * side > width()) return;
    painter.fillRect(QRectF(left, 1.0 + side / 2.0, side, side), waitColor(isDark));
    left += side + 4.0;
    write(u"waiting"_qs);
    if (model_.isOfTwo()) write(u"— the other run"_qs);
}

void IterationChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_ = columnAt(event->position().x());
    if (const auto row = rowAt(event->position().x()))
        choose(*row, event->modifiers().testFlag(Qt::ShiftModifier));
}

/// All that is painted from where the mouse was pressed to where it is.
void IterationChart::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_ || !event->buttons().testFlag(Qt::LeftButton)) return;
    const QRectF all = room();
    const auto column = columnAt(std::clamp(event->position().x(), all.left(), all.right() - 1.0));
    if (!column || (*column == *pressed_ && selected_.first == selected_.last)) return;
    const bool isLater = *column >= *pressed_;
    anchor_ = isLater ? firstAt(*pressed_) : firstAt(*pressed_ + 1) - 1;
    choose(isLater ? firstAt(*column + 1) - 1 : firstAt(*column), true);
}

void IterationChart::mouseReleaseEvent(QMouseEvent*) {
    pressed_.reset();
}

void IterationChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto row = rowAt(event->position().x())) Q_EMIT wanted({*row, *row});
}

void IterationChart::keyPressEvent(QKeyEvent* event) {
    const int last = model_.rowCount() - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    const bool isMore = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(std::max(0, cursor_ - 1), isMore);
        case Qt::Key_Right:
            return choose(std::min(last, cursor_ + 1), isMore);
        case Qt::Key_Home:
            return choose(0, isMore);
        case Qt::Key_End:
            return choose(last, isMore);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!selected_.isEmpty()) Q_EMIT wanted(selected_);
            return;
        default:
            return QWidget::keyPressEvent(event);
    }
}

bool IterationChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto row = rowAt(help->pos().x());
    QToolTip::showText(
        help->globalPos(),
        row ? asToolTip(model_.textOf(*row) + u"\nA double click shows it alone in all views; dragging "
                                              u"selects several"_qs)
            : QString(),
        this);
    return true;
}

}  // namespace holos::gui
