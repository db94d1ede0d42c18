// SPDX-License-Identifier: BSD-3-Clause
#include "cli/show/show_repeats.h"

#include <fmt/format.h>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/runs/recurring.h"
#include "base/json.h"
#include "cli/terminal/terminal.h"
#include "report/tables/shown_names.h"

namespace holos::cli {

using namespace algebra;
using Json = nlohmann::ordered_json;

namespace {

std::string labelledLine(const char* label, const std::string& text, const Style& style) {
    return text.empty() ? std::string() : wrapped(printable(text), fmt::format("   {:<6} ", label), style);
}

std::string findingText(const RecurringFinding& finding, const std::vector<NamedRun>& runs,
                        std::size_t number, const Style& style) {
    const std::string first = fmt::format("{}. ", number);
    std::string title = wrapped(printable(finding.what + ": " + finding.recursText(runs)), first, style);
    title.pop_back();
    return (finding.mayBeChance() ? title : style.alert(title)) + '\n' +
           labelledLine("where", finding.where, style) + labelledLine("who", finding.who, style) +
           labelledLine("why", finding.why, style) + labelledLine("helps", finding.remedy, style) +
           labelledLine("but", finding.note, style);
}

std::string repeatsText(const Recurrence& recurrence, const std::vector<NamedRun>& runs, const Style& style) {
    std::string text = style.strong(recurrence.areRepeats ? "What recurs" : "Several runs") + '\n';
    for (const std::string& sentence : recurrence.sentences) text += wrapped(printable(sentence), "", style);
    for (std::size_t at = 0; at < recurrence.findings.size(); ++at)
        text += '\n' + findingText(recurrence.findings[at], runs, at + 1, style);
    return text;
}

Json rangeObject(const ValueRange& range) {
    return {{"least", range.least}, {"most", range.most}};
}

std::string repeatsJson(const Recurrence& recurrence, const std::vector<NamedRun>& runs) {
    Json object{{"repeats", recurrence.areRepeats}, {"sentences", recurrence.sentences}};
    object["runs"] = Json::array();
    for (std::size_t run = 0; run < runs.size(); ++run)
        object["runs"].push_back({{"file", runs[run].name}, {"seconds", recurrence.seconds[run]}});
    object["findings"] = Json::array();
    for (const RecurringFinding& finding : recurrence.findings) {
        Json in = Json::array();
        for (const std::size_t run : finding.runs) in.push_back(runs[run].name);
        object["findings"].push_back({{"kind", finding.kind},
                                      {"what", finding.what},
                                      {"where", finding.where},
                                      {"who", finding.who},
                                      {"why", finding.why},
                                      {"remedy", finding.remedy},
                                      {"note", finding.note},
                                      {"in", in},
                                      {"of", finding.of},
                                      {"mayBeChance", finding.mayBeChance()},
                                      {"seconds", rangeObject(finding.seconds)},
                                      {"percent", rangeObject(finding.percent)}});
    }
    return jsonText(object, 2) + '\n';
}

}  // namespace

std::string showRepeats(const std::vector<std::filesystem::path>& files, const ShowRequest& request,
                        const Style& style) {
    std::vector<Experiment> experiments = readExperiments(files);
    if (request.format == Format::Text && !request.fullNames)
        for (Experiment& experiment : experiments) tables::shortenNames(experiment);
    std::vector<NamedRun> runs;
    for (std::size_t at = 0; at < files.size(); ++at) runs.push_back({files[at].string(), experiments[at]});
    const Recurrence recurrence = recurrenceOf(runs);
    return request.format == Format::Json ? repeatsJson(recurrence, runs)
                                          : repeatsText(recurrence, runs, style);
}

}  // namespace holos::cli
