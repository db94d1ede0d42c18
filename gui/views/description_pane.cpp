// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/description_pane.h"

namespace holos::gui {

using algebra::Metric;
using algebra::Origin;

namespace {

QString originText(const Metric& metric) {
    switch (metric.origin) {
        case Origin::Measured:
            return u"measured"_qs;
        case Origin::Composed:
            return u"composed: the sum of its terms"_qs;
        case Origin::Computed:
            return u"computed from measured metrics"_qs;
        case Origin::Ratio:
            return u"ratio, evaluated on aggregated values and never summed"_qs;
    }
    return {};
}

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped().replace(u'\n', u"<br>"_qs);
}

}  // namespace

DescriptionPane::DescriptionPane(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(u"Description"_qs);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
}

void DescriptionPane::describe(const Metric& metric, const QString& reason) {
    QString html = u"<b>%1</b>"_qs.arg(escaped(metric.displayName));
    QStringList facts{escaped(metric.uniqueName)};
    if (!metric.unit.empty()) facts << escaped(metric.unit);
    facts << originText(metric);
    const QColor faint = palette().color(QPalette::PlaceholderText);
    html += u"<br><span style='color:%1'>%2</span>"_qs.arg(faint.name(), facts.join(u" · "_qs));
    if (metric.incomplete) html += u"<p>Incomplete: only some of its terms were measured.</p>"_qs;
    if (!reason.isEmpty()) html += u"<p>Not evaluated: %1</p>"_qs.arg(reason.toHtmlEscaped());
    if (!metric.description.empty()) html += u"<p>%1</p>"_qs.arg(escaped(metric.description));
    if (!metric.expression.empty()) html += u"<p><code>%1</code></p>"_qs.arg(escaped(metric.expression));
    setHtml(html);
}

}  // namespace holos::gui
