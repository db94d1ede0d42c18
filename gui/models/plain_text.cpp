// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/plain_text.h"

#include <algorithm>

#include "base/printable.h"

namespace holos::gui {

QString onOneLine(const QString& name) {
    const auto isUsual = [](QChar letter) { return letter.unicode() >= 0x20 && letter.unicode() < 0x7F; };
    if (std::ranges::all_of(name, isUsual)) return name;
    return QString::fromStdString(printable(name.toStdString()));
}

QString asToolTip(const QString& text) {
    return text.isEmpty()
               ? text
               : u"<p style=\"white-space:pre-wrap\">%1</p>"_qs.arg(text.trimmed().toHtmlEscaped());
}

QString menuText(QString name) {
    return name.replace(u'&', u"&&"_qs);
}

}  // namespace holos::gui
