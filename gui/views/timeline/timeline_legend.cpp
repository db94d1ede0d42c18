// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_legend.h"

#include <QEvent>
#include <QTextDocumentFragment>

#include "gui/views/parts/assistive.h"
#include "gui/views/parts/colors.h"
#include "gui/views/timeline/timeline_colors.h"

namespace holos::gui {

namespace {

constexpr int kLeastLegend = 60;  ///< the tool tip has all of it

QString square(const QColor& color) {
    return u"<span style='color:%1'>■</span>"_qs.arg(color.name());
}

QString activities(bool dark) {
    QString text;
    for (const Activity activity :
         {Activity::User, Activity::Mpi, Activity::OpenMp, Activity::OpenMpWaiting, Activity::Other})
        text += u"%1 %2 &nbsp; "_qs.arg(square(colorOfActivity(activity, dark)), nameOf(activity));
    return text;
}

QString shares(bool dark) {
    constexpr int kSteps = 8;
    QString text = u"0 % "_qs;
    for (int step = 0; step <= kSteps; ++step)
        text += square(heatColor(static_cast<float>(step) / kSteps, dark));
    return text + u" 100 % &nbsp; "_qs;
}

}  // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::RichText);
    setMinimumWidth(kLeastLegend);
    write();
}

void TimelineLegend::setColors(TimelineColors colors) {
    colors_ = colors;
    write();
}

void TimelineLegend::setMarks(TimelineMarks marks) {
    marks_ = marks;
    write();
}

void TimelineLegend::setKnowsShortages(bool knows) {
    knowsShortages_ = knows;
    write();
}

void TimelineLegend::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) write();
}

void TimelineLegend::write() {
    constexpr int kMiddle = 128;
    const bool dark = palette().color(QPalette::Base).lightness() < kMiddle;
    QString text = (colors_ == TimelineColors::Calls ? activities(dark) : shares(dark));
    if (marks_.messages) text += u"╱ message"_qs;
    const auto add = [&text](bool isShown, QChar sign, const QColor& color, const QString& name) {
        if (isShown) text += u" &nbsp; <span style='color:%1'>%2</span> %3"_qs.arg(color.name(), sign, name);
    };
    add(marks_.waits, u'▭', waitColor(dark), u"wait"_qs);
    add(marks_.operations, u'▮', operationColor(dark), u"collective"_qs);
    add(marks_.path, u'▂', pathColor(dark), u"critical path"_qs);
    add(knowsShortages_, u'▨', palette().color(QPalette::Text), u"no processor"_qs);
    setText(text);
    setTip(*this, QTextDocumentFragment::fromHtml(text).toPlainText());
}

}  // namespace holos::gui
