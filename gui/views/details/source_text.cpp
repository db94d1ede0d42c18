// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/source_text.h"

#include <QFontDatabase>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <cmath>

#include "gui/views/parts/colors.h"

namespace holos::gui {

namespace {
constexpr int kColumnGap = 6;
constexpr double kMarkStrength = 0.6;
constexpr int kTabColumns = 4;
}  // namespace

SourceText::SourceText(const Colors& colors, QWidget* parent)
    : QPlainTextEdit(parent), colors_(colors), margin_(new QWidget(this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabStopDistance(kTabColumns * fontMetrics().horizontalAdvance(u' '));
    margin_->installEventFilter(this);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &SourceText::updateMargin);
    connect(this, &QPlainTextEdit::updateRequest, margin_, qOverload<>(&QWidget::update));
    connect(&colors, &Colors::changed, margin_, qOverload<>(&QWidget::update));
    updateMargin();
}

void SourceText::setValues(std::map<int, double> values, const QuantityFormat& format, bool diverging) {
    values_ = std::move(values);
    format_ = format;
    diverging_ = diverging;
    largest_ = 0.0;
    for (const auto& [line, value] : values_) largest_ = std::max(largest_, std::abs(value));
    updateMargin();
}

QString SourceText::valueAt(int line) const {
    const auto found = values_.find(line);
    if (found == values_.end()) return {};
    const QString number = format_.number(found->second);
    return format_.unit().isEmpty() || found->second == 0.0 ? number : number + u' ' + format_.unit();
}

void SourceText::mark(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    marked_ = line > 0 && block.isValid() ? line : 0;
    QList<QTextEdit::ExtraSelection> marks;
    if (marked_ > 0) {
        QTextEdit::ExtraSelection mark;
        QColor ground = palette().color(QPalette::Highlight);
        ground.setAlphaF(kMarkStrength);
        mark.format.setBackground(ground);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks << mark;
        setTextCursor(mark.cursor);
        centerCursor();
    }
    setExtraSelections(marks);
    margin_->update();
}

int SourceText::numberWidth() const {
    return fontMetrics().horizontalAdvance(QString::number(std::max(100, blockCount()))) + kColumnGap;
}

int SourceText::valueWidth() const {
    int widest = 0;
    for (const auto& [line, value] : values_)
        widest = std::max(widest, fontMetrics().horizontalAdvance(valueAt(line)));
    return widest == 0 ? 0 : widest + fontMetrics().ascent() + 3 * kColumnGap;
}

void SourceText::updateMargin() {
    const int width = valueWidth() + numberWidth() + kColumnGap;
    setViewportMargins(width, 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), width, inside.height());
    margin_->update();
}

void SourceText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    updateMargin();
}

bool SourceText::eventFilter(QObject* watched, QEvent* event) {
    if (watched != margin_ || event->type() != QEvent::Paint)
        return QPlainTextEdit::eventFilter(watched, event);
    paintMargin();
    return true;
}

void SourceText::paintMargin() {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    painter.fillRect(margin_->rect(), palette().color(QPalette::AlternateBase));
    const QPen faint(palette().color(QPalette::PlaceholderText));
    const QPen strong(palette().color(QPalette::Text));
    const int side = fontMetrics().ascent() - 1;
    const int height = fontMetrics().height();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const int top = qRound(blockBoundingGeometry(block).translated(contentOffset()).top());
        if (top > margin_->height()) break;
        const int line = block.blockNumber() + 1;
        const QRect row(0, top, margin_->width() - kColumnGap, height);
        painter.setPen(line == marked_ ? strong : faint);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        const auto value = values_.find(line);
        if (value == values_.end()) continue;
        const double share = largest_ > 0.0 ? value->second / largest_ : 0.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors_.on(palette()).color(diverging_ ? share : std::abs(share), diverging_));
        painter.drawRoundedRect(QRectF(kColumnGap, top + (height - side) * 0.5, side, side), 2, 2);
        painter.setPen(strong);
        painter.drawText(row.adjusted(0, 0, -numberWidth(), 0), Qt::AlignRight | Qt::AlignVCenter,
                         valueAt(line));
    }
}

}  // namespace holos::gui
