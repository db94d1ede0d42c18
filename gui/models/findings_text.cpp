// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/findings_text.h"

#include "algebra/model/call_names.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::size_t kMostPlaces = 20;
constexpr const char* kScheme = "callpath:";

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString number(double value) {
    return std::isnan(value) ? u"–"_qs : QString::number(value, 'g', 4);
}

QString percentText(double percent) {
    return QString::number(percent, 'f', 1) + u" %"_qs;
}

QString conditionText(const FindingValue& value) {
    QString text = escaped(value.name) + u" = "_qs + number(value.value);
    if (!value.unit.empty()) text += u' ' + escaped(value.unit);
    return text + u" ("_qs + escaped(value.condition.substr(value.name.size() + 1)) + u')';
}

QString placeText(const Experiment& experiment, const FindingResult& finding, const FindingPlace& place,
                  const ShortNames& names) {
    QString text = u"<a href=\"%1%2\">%3</a>"_qs.arg(QLatin1String(kScheme))
                       .arg(place.path.index())
                       .arg(escaped(callPathText(experiment, place.path, names)));
    if (place.time && finding.percent && *finding.time > 0.0)
        text += u"  "_qs + percentText(*finding.percent * *place.time / *finding.time);
    return text;
}

QString resultText(const Experiment& experiment, const FindingResult& finding, const ShortNames& names) {
    QString text = u"<p><b>%1</b>"_qs.arg(escaped(finding.title));
    if (finding.percent) text += u", in %1 of the time"_qs.arg(percentText(*finding.percent));
    for (const FindingValue& value : finding.values) text += u"<br>"_qs + conditionText(value);
    if (finding.mostly)
        text += u"<br>mostly %1: %2"_qs.arg(escaped(experiment.metrics[finding.mostly->part].displayName),
                                            percentText(finding.mostly->percent));
    if (finding.cost) text += u"<br>costs %1 sec, as measured"_qs.arg(number(*finding.cost));
    text += u"</p>"_qs;
    if (!finding.explanation.empty()) text += u"<p>%1</p>"_qs.arg(escaped(finding.explanation));
    QStringList places;
    const std::size_t shown = std::min(finding.places.size(), kMostPlaces);
    for (std::size_t at = 0; at < shown; ++at)
        places << placeText(experiment, finding, finding.places[at], names);
    if (shown < finding.places.size()) places << u"%1 more"_qs.arg(finding.places.size() - shown);
    return text + u"<p>"_qs + places.join(u"<br>"_qs) + u"</p>"_qs;
}

}  // namespace

QString findingsText(const Experiment& experiment, const FindingReport& report, const ShortNames& names) {
    QString text;
    for (const FindingResult& finding : report.found) text += resultText(experiment, finding, names);
    if (report.found.empty()) text += u"<p>No finding applies to any call path.</p>"_qs;
    for (const FindingUnknown& unknown : report.unknown)
        text += u"<p>Not known: %1: %2</p>"_qs.arg(escaped(unknown.title), escaped(unknown.why));
    return text;
}

std::optional<CallPathId> callPathOfLink(const QString& link, const Experiment& experiment) {
    if (!link.startsWith(QLatin1String(kScheme))) return std::nullopt;
    bool isNumber = false;
    const qulonglong index = link.mid(static_cast<int>(qstrlen(kScheme))).toULongLong(&isNumber);
    if (!isNumber || index >= experiment.callTree.size()) return std::nullopt;
    return CallPathId(index);
}

}  // namespace holos::gui
