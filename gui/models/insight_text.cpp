// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/insight_text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "algebra/insight/runs/change.h"
#include "algebra/model/call_names.h"
#include "algebra/operators/history/recorded_run.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::size_t kMostPlaces = 20;
constexpr const char* kScheme = "callpath:";

QString htmlOf(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString number(double value) {
    return std::isnan(value) ? u"–"_qs : QString::number(value, 'g', 4);
}

QString percentText(double percent) {
    return QString::number(percent, 'f', 1) + u" %"_qs;
}

QString conditionText(const FindingValue& value) {
    QString text = htmlOf(value.name) + u" = "_qs + number(value.value);
    if (!value.unit.empty()) text += u' ' + htmlOf(value.unit);
    return text + u" ("_qs + htmlOf(value.condition.substr(value.name.size() + 1)) + u')';
}

QString placeText(const Experiment& experiment, const FindingResult& finding, const FindingPlace& place,
                  const ShortNames& names) {
    QString text = u"<a href=\"%1%2\">%3</a>"_qs.arg(QLatin1String(kScheme))
                       .arg(place.path.index())
                       .arg(htmlOf(callPathText(experiment, place.path, names)));
    if (place.time && finding.percent && *finding.time > 0.0)
        text += u"  "_qs + percentText(*finding.percent * *place.time / *finding.time);
    return text;
}

QString resultText(const Experiment& experiment, const FindingResult& finding, const ShortNames& names) {
    QString text = u"<p><b>%1</b>"_qs.arg(htmlOf(finding.title));
    if (finding.percent) text += u", in %1 of the time"_qs.arg(percentText(*finding.percent));
    for (const FindingValue& value : finding.values) text += u"<br>"_qs + conditionText(value);
    if (finding.mostly)
        text += u"<br>mostly %1: %2"_qs.arg(htmlOf(experiment.metrics[finding.mostly->part].displayName),
                                            percentText(finding.mostly->percent));
    if (finding.cost) text += u"<br>costs %1 sec, as measured"_qs.arg(number(*finding.cost));
    text += u"</p>"_qs;
    if (!finding.explanation.empty()) text += u"<p>%1</p>"_qs.arg(htmlOf(finding.explanation));
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
        text += u"<p>Not known: %1: %2</p>"_qs.arg(htmlOf(unknown.title), htmlOf(unknown.why));
    return text;
}

std::optional<CallPathId> callPathOfLink(const QString& link, const Experiment& experiment) {
    if (!link.startsWith(QLatin1String(kScheme))) return std::nullopt;
    bool isNumber = false;
    const qulonglong index = link.mid(static_cast<int>(qstrlen(kScheme))).toULongLong(&isNumber);
    if (!isNumber || index >= experiment.callTree.size()) return std::nullopt;
    return CallPathId(index);
}

namespace {

constexpr const char* kEvidenceScheme = "evidence:";

QString evidenceValue(const Evidence& evidence, const Metric& metric) {
    if (!std::isfinite(evidence.value)) return u"–"_qs;
    return QString::number(evidence.value, 'g', 4) + u' ' + QString::fromStdString(metric.unit);
}

/// A link for each value that the problem rests on.
QString evidenceLinks(const Experiment& experiment, const Problem& problem, std::size_t number) {
    QStringList links;
    for (std::size_t at = 0; at < problem.evidence.size(); ++at) {
        const Evidence& evidence = problem.evidence[at];
        links << u"<a href=\"%1%2/%3\">%4</a>: %5"_qs.arg(QLatin1String(kEvidenceScheme))
                     .arg(number)
                     .arg(at)
                     .arg(htmlOf(evidence.says),
                          evidenceValue(evidence, experiment.metrics[evidence.metric]).toHtmlEscaped());
    }
    return links.join(u" · "_qs);
}

QString problemHtml(const Experiment& experiment, const Summary& summary, std::size_t number) {
    const Problem& problem = summary.problems[number];
    QString text = u"<p><b>%1. %2</b>, %3<table cellspacing=\"0\">"_qs.arg(
        QString::number(number + 1), htmlOf(problem.what), htmlOf(costText(summary, problem)));
    const auto line = [&text](const QString& word, const QString& said) {
        if (!said.isEmpty())
            text += u"<tr><td style=\"padding-right: 12px\">%1</td><td>%2</td></tr>"_qs.arg(word, said);
    };
    line(u"where"_qs, htmlOf(problem.where));
    line(u"who"_qs, htmlOf(problem.who));
    line(u"why"_qs, htmlOf(problem.why));
    line(u"helps"_qs, htmlOf(problem.remedy));
    line(u"gain"_qs, htmlOf(gainText(summary, problem)));
    line(u"but"_qs, htmlOf(problem.chance));
    line(u"see"_qs, evidenceLinks(experiment, problem, number));
    return text + u"</table></p>"_qs;
}

}  // namespace

QString summaryHtml(const Experiment& experiment, const Summary& summary) {
    QString text;
    for (const std::string& sentence : summary.first) text += u"<p><b>%1</b></p>"_qs.arg(htmlOf(sentence));
    text += u"<p>%1</p>"_qs.arg(htmlOf(summary.run));
    for (std::size_t number = 0; number < summary.problems.size(); ++number)
        text += problemHtml(experiment, summary, number);
    for (const std::string& note : summary.notes) text += u"<p>Counters: %1</p>"_qs.arg(htmlOf(note));
    for (const Doubt& doubt : summary.doubts) {
        text += u"<p>Note: "_qs + htmlOf(doubt.text);
        if (!doubt.command.empty()) text += u" (<code>%1</code>)"_qs.arg(htmlOf(doubt.command));
        text += u"</p>"_qs;
    }
    return text;
}

QString insteadOfSummaryHtml(const Experiment& experiment) {
    if (const auto change = changeIn(experiment)) {
        QString text;
        for (const auto& sentence : (*change)["sentences"])
            text += u"<p>%1</p>"_qs.arg(htmlOf(sentence.get<std::string>()));
        return text +
               u"<p><i>In the panes, values are the first minus the second: positive ones (orange) are what "
               u"the first has more.</i></p>"_qs;
    }
    for (const auto& [name, value] : experiment.attributes)
        if (name == kPartAttribute)
            return u"<p>A summary is of a whole run, or of a range of time in it. All views show only %1.</p>"_qs
                .arg(htmlOf(value));
    return u"<p>There is a summary only for the experiment of one run.</p>"_qs;
}

std::optional<Evidence> evidenceOfLink(const QString& link, const Summary& summary) {
    if (!link.startsWith(QLatin1String(kEvidenceScheme))) return std::nullopt;
    const QStringList numbers = link.mid(static_cast<int>(qstrlen(kEvidenceScheme))).split(u'/');
    if (numbers.size() != 2) return std::nullopt;
    bool isProblem = false, isEvidence = false;
    const qulonglong problem = numbers[0].toULongLong(&isProblem), at = numbers[1].toULongLong(&isEvidence);
    if (!isProblem || !isEvidence || problem >= summary.problems.size()) return std::nullopt;
    const auto& evidence = summary.problems[problem].evidence;
    return at < evidence.size() ? std::optional(evidence[at]) : std::nullopt;
}

}  // namespace holos::gui
