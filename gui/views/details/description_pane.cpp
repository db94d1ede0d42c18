// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/description_pane.h"

#include <QAbstractTextDocumentLayout>
#include <QTextCursor>

#include "gui/views/details/pattern_drawing.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

using algebra::Metric;
using algebra::Origin;

namespace {

constexpr QChar kPictureMark(0xE000);  ///< of private use: stands where the picture goes

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

DescriptionPane::DescriptionPane(const Colors& colors, const algebra::MetricGuide& guide, QWidget* parent)
    : QTextBrowser(parent), guide_(guide) {
    setObjectName(u"Description"_qs);
    setAccessibleName(u"Description of the metric"_qs);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
    document()->documentLayout()->registerHandler(PatternDrawing::kObjectType,
                                                  new PatternDrawing(colors, this));
    connect(&colors, &Colors::changed, viewport(), qOverload<>(&QWidget::update));
}

void DescriptionPane::describe(const Metric& metric, const QString& reason, const QString& lack) {
    QString html = u"<b>%1</b>"_qs.arg(escaped(metric.displayName));
    QStringList facts{escaped(metric.uniqueName)};
    if (!metric.unit.empty()) facts << escaped(metric.unit);
    facts << originText(metric);
    const QColor faint = palette().color(QPalette::PlaceholderText);
    html += u"<br><span style='color:%1'>%2</span>"_qs.arg(faint.name(), facts.join(u" · "_qs));
    const algebra::Picture* picture = guide_.pictureOf(metric.uniqueName);
    if (picture != nullptr) html += u"<p>%1</p>"_qs.arg(kPictureMark);
    if (!lack.isEmpty()) html += u"<p>Incomplete: %1.</p>"_qs.arg(lack.toHtmlEscaped());
    if (!reason.isEmpty()) html += u"<p>Not evaluated: %1</p>"_qs.arg(reason.toHtmlEscaped());
    if (!metric.description.empty()) html += u"<p>%1</p>"_qs.arg(escaped(metric.description));
    if (!metric.expression.empty()) html += u"<p><code>%1</code></p>"_qs.arg(escaped(metric.expression));
    setHtml(html);
    if (picture == nullptr) return;
    QTextCursor cursor = document()->find(QString(kPictureMark));
    PatternDrawing::insert(cursor, *picture);
}

}  // namespace holos::gui
