// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/fitting.h"

#include <QPainter>
#include <algorithm>

#include "gui/models/quantity.h"
#include "gui/views/parts/assistive.h"

namespace holos::gui {

QString fitting(const QStringList& notations, const QFontMetrics& metrics, int width) {
    for (const QString& notation : notations)
        if (metrics.horizontalAdvance(notation) <= width) return notation;
    return notations.isEmpty() ? QString() : u"…"_qs;
}

namespace {

/// Digits, the decimal point, and the blank between groups of three digits.
bool isPartOfNumber(QChar letter) {
    return letter.isDigit() || letter == u'.' || letter == kThinSpace;
}

}  // namespace

QString beginningOf(const QString& text, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(text) <= width) return text;
    QString beginning = metrics.elidedText(text, Qt::ElideRight, width);
    beginning.chop(1);  // the sign
    if (isPartOfNumber(text[beginning.size()]))
        while (!beginning.isEmpty() && isPartOfNumber(beginning.back())) beginning.chop(1);
    return beginning + u'…';
}

QString elidedAmong(const QStringList& others, const QString& text, const QFontMetrics& metrics, int width) {
    constexpr QChar kLeftOut = u'\u2026';
    constexpr qsizetype kKept = 6;  // of what they have in common
    const QString elided = metrics.elidedText(text, Qt::ElideMiddle, width);
    const qsizetype gap = elided.indexOf(kLeftOut);
    if (elided == text || gap < 0) return elided;
    qsizetype common = 0;
    for (const QString& other : others) {
        const bool looksTheSame =
            other != text && other.startsWith(elided.left(gap)) && other.endsWith(elided.mid(gap + 1));
        if (!looksTheSame) continue;
        const auto differ = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first;
        common = std::max<qsizetype>(common, differ - text.begin());
    }
    if (common <= kKept) return elided;
    return metrics.elidedText(kLeftOut + text.mid(common - kKept), Qt::ElideRight, width);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setTip(*this, text);
    setAccessibleName(text);
    update();
}

QSize ElidedLabel::sizeHint() const {
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(text_) + margins.left() + margins.right(),
            fontMetrics().height() + margins.top() + margins.bottom()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {0, sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect place = contentsRect();
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     beginningOf(text_, fontMetrics(), place.width()));
}

}  // namespace holos::gui
