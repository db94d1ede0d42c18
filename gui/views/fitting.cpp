// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/fitting.h"

#include "gui/models/quantity.h"

namespace holos::gui {

QString fitting(const QStringList& notations, const QFontMetrics& metrics, int width) {
    for (const QString& notation : notations)
        if (metrics.horizontalAdvance(notation) <= width) return notation;
    return notations.isEmpty() ? QString() : u"…"_qs;
}

namespace {

/// Also between groups of three digits.
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

}  // namespace holos::gui
