// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "algebra/insight/runs/change.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wrong_request.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;
using namespace algebra;
using Json = nlohmann::ordered_json;

namespace {

std::string sentence(std::string text) {
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string problemText(const Summary& summary, const Problem& problem, std::size_t number,
                        const Style& style) {
    std::string text = wrapped(printable(fmt::format("{} ({})", problem.what, costText(summary, problem))),
                               fmt::format("{}. ", number), style);
    text.pop_back();
    return style.alert(text) + '\n' + labelledText("where", problem.where, style) +
           labelledText("who", problem.who, style) + labelledText("why", problem.why, style) +
           labelledText("helps", problem.remedy, style) +
           labelledText("gain", gainText(summary, problem), style) +
           labelledText("but", problem.chance, style);
}

/// `in main/solve, MPI Rank 3 / Master thread and 2 more`
std::string scopeText(const Experiment& experiment, const Evidence& evidence) {
    std::string text = evidence.path ? callPathText(experiment, *evidence.path) : "whole program";
    const std::vector<LocationId>& threads = evidence.locations.given();
    if (threads.empty()) return text;
    text += "; " + locationText(experiment, threads.front());
    if (threads.size() > 1) text += " and " + counted(threads.size() - 1, "other thread");
    return text;
}

std::string evidenceText(const Experiment& experiment, const Evidence& evidence, const std::string& file) {
    const Metric& metric = experiment.metrics[evidence.metric];
    return fmt::format("{:>14} {:<5}  {}\n{:22}{}\n{:22}holos show {} --metric {}\n",
                       valueText(evidence.value, metric.unit), printable(metric.unit),
                       printable(evidence.says), "", printable(scopeText(experiment, evidence)), "",
                       printable(file), printable(metric.uniqueName));
}

std::string problemWithEvidence(const Experiment& experiment, const Summary& summary,
                                const ShowRequest& request, const Style& style) {
    const Problem& problem = summary.problems[request.problem - 1];
    std::string text =
        problemText(summary, problem, request.problem, style) + '\n' + style.strong("It rests on") + '\n';
    for (const Evidence& evidence : problem.evidence)
        text += evidenceText(experiment, evidence, request.file);
    return text;
}

Json pathValue(const Experiment& experiment, const std::optional<CallPathId>& path) {
    return path ? Json(callPathText(experiment, *path)) : Json();
}

Json locationList(const Experiment& experiment, const std::vector<LocationId>& locations) {
    Json list = Json::array();
    for (const LocationId location : locations) list.push_back(locationText(experiment, location));
    return list;
}

Json problemObject(const Experiment& experiment, const Summary& summary, const Problem& problem) {
    const double gain = gainSeconds(summary, problem);
    Json object{{"kind", problem.kind},
                {"pattern", problem.pattern.empty() ? Json() : Json(problem.pattern)},
                {"mistake", problem.isMistake},
                {"seconds", problem.cost},
                {"percent", problem.percent},
                {"what", problem.what},
                {"costs", costText(summary, problem)},
                {"where", problem.where},
                {"who", problem.who},
                {"why", problem.why},
                {"remedy", problem.remedy},
                {"gain", gainText(summary, problem)},
                {"chance", problem.chance},
                {"gainAtMost", problem.gain ? Json(gain) : Json()},
                {"replayedWith", problem.replayedWith.empty() ? Json() : Json(problem.replayedWith)},
                {"callPath", pathValue(experiment, problem.path)},
                {"threads", locationList(experiment, problem.locations)},
                {"evidence", Json::array()}};
    for (const Evidence& evidence : problem.evidence)
        object["evidence"].push_back({{"says", evidence.says},
                                      {"metric", experiment.metrics[evidence.metric].uniqueName},
                                      {"unit", experiment.metrics[evidence.metric].unit},
                                      {"callPath", pathValue(experiment, evidence.path)},
                                      {"threads", locationList(experiment, evidence.locations.given())},
                                      {"value", evidence.value}});
    return object;
}

}  // namespace

std::string labelledText(const char* label, const std::string& text, const Style& style) {
    return text.empty() ? std::string() : wrapped(printable(text), fmt::format("   {:<6} ", label), style);
}

std::string changeText(const Experiment& experiment, const Style& style) {
    const auto change = changeIn(experiment);
    if (!change) return {};
    std::string text = style.strong("Difference") + '\n';
    for (const Json& sentence : (*change)["sentences"])
        text += wrapped(printable(sentence.get<std::string>()), "", style);
    return text +
           style.faint(
               "Below, values are those of the first run minus those of the second, and percentages are of the first run.") +
           "\n\n";
}

std::string summaryText(const Experiment& experiment, const std::string& file, const Style& style) {
    const auto summary = summarize(experiment);
    if (!summary) return {};
    std::string text = style.strong("Summary") + '\n' + wrapped(printable(summary->run), "", style);
    for (std::size_t at = 0; at < summary->problems.size(); ++at)
        text += '\n' + problemText(*summary, summary->problems[at], at + 1, style);
    if (!summary->notes.empty()) text += '\n';
    for (const std::string& note : summary->notes)
        text += wrapped("Counters: " + printable(note) + "; --findings shows more", "", style);
    if (!summary->doubts.empty()) text += '\n';
    for (const Doubt& doubt : summary->doubts)
        text += wrapped(printable(sentence(doubt.text)) + (doubt.command.empty() ? "" : ": " + doubt.command),
                        "Note: ", style);
    if (!summary->problems.empty())
        text += '\n' +
                style.faint("The values behind a problem: holos show " + printable(file) + " --why 1") + '\n';
    return text + '\n';
}

Json summaryObject(const Experiment& experiment) {
    const auto summary = summarize(experiment);
    if (!summary) return {};
    Json object{{"text", summary->run},        {"healthy", summary->isHealthy},
                {"seconds", summary->seconds}, {"percentLost", summary->percentLost},
                {"losses", Json::array()},     {"problems", Json::array()},
                {"notes", summary->notes},     {"doubts", Json::array()}};
    for (const Loss& loss : summary->losses)
        object["losses"].push_back({{"name", loss.name}, {"percent", loss.percent}});
    for (const Problem& problem : summary->problems)
        object["problems"].push_back(problemObject(experiment, *summary, problem));
    for (const Doubt& doubt : summary->doubts)
        object["doubts"].push_back({{"text", doubt.text}, {"command", doubt.command}});
    return object;
}

Json wordsObject(const Experiment& experiment) {
    Json object = summaryObject(experiment), first = Json::array();
    for (const std::string& sentence : firstToKnow(experiment)) first.push_back(sentence);
    if (const auto change = changeIn(experiment))
        for (const Json& sentence : (*change)["sentences"]) first.push_back(sentence);
    if (object.is_null() && first.empty()) return {};
    if (object.is_null())
        object = {
            {"text", ""}, {"problems", Json::array()}, {"notes", Json::array()}, {"doubts", Json::array()}};
    object["first"] = std::move(first);
    return object;
}

std::string showProblem(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    const auto summary = summarize(experiment);
    const std::size_t count = summary ? summary->problems.size() : 0;
    const std::size_t which = request.problem;
    if (which == 0 || which > count)
        throw WrongRequest(fmt::format("--why {}: the summary has {}", which, counted(count, "problem")),
                           Place{.file = request.file});
    const Problem& problem = summary->problems[which - 1];
    return inFormat(
        request.format, [&] { return problemWithEvidence(experiment, *summary, request, style); },
        []() -> std::string { throw UsageError("--why: prints text or json"); },
        [&] { return jsonText(problemObject(experiment, *summary, problem), 2) + '\n'; });
}

}  // namespace holos::cli
