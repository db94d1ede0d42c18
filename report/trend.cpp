// SPDX-License-Identifier: BSD-3-Clause
#include "report/trend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/insight/runs/change.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/metric_guide.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/text.h"
#include "report/formats.h"

namespace holos::report {

namespace {

using algebra::MetricId;
using algebra::Problem;
using algebra::secondsText;
using algebra::Summary;

/// In percentage points of the time of all threads: a wait that changed by less is not worth a word.
constexpr double kWorthAWord = 0.5;

/// The repeated runs of one version: a range of the experiments.
struct Runs {
    std::size_t first = 0;
    std::size_t end = 0;  ///< behind the last one
};

std::vector<Runs> versionsOf(const Subjects& subjects) {
    std::vector<Runs> versions;
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        if (versions.empty() || subjects.name(at) != subjects.name(at - 1)) versions.push_back({at, at});
        versions.back().end = at + 1;
    }
    return versions;
}

algebra::RunGroup groupOf(const Subjects& subjects, const Runs& runs) {
    algebra::RunGroup group{subjects.name(runs.first), {}};
    for (std::size_t at = runs.first; at < runs.end; ++at) group.runs.emplace_back(subjects.experiment(at));
    return group;
}

/// The metric in percent of the time of all threads, for each run that has it.
std::vector<double> sharesOf(const Subjects& subjects, const Runs& runs, MetricId metric) {
    const auto time = subjects.find("time");
    std::vector<double> shares;
    for (std::size_t at = runs.first; at < runs.end && time; ++at) {
        const double share = 100.0 * subjects.total(at, metric) / subjects.total(at, *time);
        if (std::isfinite(share)) shares.push_back(share);
    }
    return shares;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// What is said of a problem in one line.
std::string problemText(const Problem& problem) {
    std::string text = problem.what;
    for (const auto& [word, said] : {std::pair{" in ", problem.where}, std::pair{": ", problem.why}})
        if (!said.empty()) text += word + said;
    return text;
}

double percentIn(const std::optional<Summary>& summary, const Problem& problem) {
    if (!summary) return 0.0;
    for (const Problem& each : summary->problems)
        if (each.kind == problem.kind && each.where == problem.where) return each.percent;
    return 0.0;
}

/// The problem that grew most from the version with less waiting to the one with more; empty where none grew
/// enough to be worth a word.
std::string causeOf(const std::optional<Summary>& more, const std::optional<Summary>& less) {
    const Problem* largest = nullptr;
    double most = kWorthAWord;
    if (more)
        for (const Problem& problem : more->problems)
            if (const double grown = problem.percent - percentIn(less, problem); grown >= most) {
                most = grown;
                largest = &problem;
            }
    return largest == nullptr ? std::string() : problemText(*largest);
}

/// The wait that changed most from one version to the next one, by more than repeated runs differ.
void addWait(const Subjects& subjects, const Runs& before, const Runs& after, TrendStep& step) {
    double most = kWorthAWord;
    double change = 0.0;
    for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects.structure())) {
        std::vector<double> was = sharesOf(subjects, before, id);
        std::vector<double> is = sharesOf(subjects, after, id);
        if (was.empty()) was.push_back(0.0);
        if (is.empty()) is.push_back(0.0);
        const algebra::MeanDifference difference = algebra::differenceOfMeans(was, is);
        if (std::fabs(difference.difference()) < most || difference.isWithinError()) continue;
        most = std::fabs(difference.difference());
        change = difference.difference();
        step.wait = fmt::format("{}: {:.1f} % of the time instead of {:.1f} %",
                                subjects.metrics()[id].displayName, difference.second, difference.first);
    }
    if (step.wait.empty()) return;
    const auto first = algebra::summarize(subjects.experiment(before.first));
    const auto second = algebra::summarize(subjects.experiment(after.first));
    step.cause = change > 0 ? causeOf(second, first) : causeOf(first, second);
    if (change < 0 && !step.cause.empty()) step.cause = "before: " + step.cause;
}

std::optional<double> waitingIn(const Subjects& subjects, const Runs& runs) {
    std::optional<double> sum;
    for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects.structure()))
        if (const auto shares = sharesOf(subjects, runs, id); !shares.empty())
            sum = sum.value_or(0.0) + meanOf(shares);
    return sum;
}

std::string errorText(const TrendStep& step) {
    return step.error ? " ± " + secondsText(*step.error) : std::string();
}

std::string percent(const std::optional<double>& value, bool hasSign) {
    if (!value) return "–";
    if (!hasSign) return fmt::format("{:.1f} %", *value);
    return *value < 0 ? fmt::format("−{:.1f} %", -*value) : fmt::format("+{:.1f} %", *value);
}

/// Draws a bar for each version, whose dark part is waiting, with a whisker for the error.
std::string chart(const std::vector<TrendStep>& steps) {
    constexpr double kHeight = 220.0, kAxis = 64.0, kFoot = 20.0, kTop = 14.0;
    const double room = std::clamp(880.0 / static_cast<double>(steps.size()), 12.0, 90.0);
    double most = 0.0;
    for (const TrendStep& step : steps) most = std::max(most, step.mean + step.error.value_or(0.0));
    const double width = kAxis + room * static_cast<double>(steps.size()) + 8.0;
    const auto y = [most](double seconds) { return kTop + kHeight * (1.0 - seconds / most); };
    std::string text = fmt::format(
        "<svg class=\"trend\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "role=\"img\"><title>Seconds of each version</title>\n",
        width, kTop + kHeight + kFoot);
    for (const double part : {0.0, 0.5, 1.0})
        text += fmt::format(
            "<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text x=\"{3:.0f}\" "
            "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
            kAxis, width, y(part * most), kAxis - 6.0, y(part * most) + 4.0,
            part == 0.0 ? "0" : escaped(secondsText(part * most)));
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const TrendStep& step = steps[at];
        const double left = kAxis + room * static_cast<double>(at) + room * 0.15;
        const double wide = room * 0.7;
        const double waiting = step.mean * step.waiting.value_or(0.0) / 100.0;
        text += fmt::format("<a href=\"#v{}\"><g><title>{}</title>", at,
                            escaped(fmt::format("{}: {}{}, {} waiting", step.name, secondsText(step.mean),
                                                errorText(step), percent(step.waiting, false))));
        text +=
            fmt::format("<rect class=\"time\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                        left, y(step.mean), wide, kTop + kHeight - y(step.mean));
        text += fmt::format(
            "<rect class=\"waits\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", left,
            y(waiting), wide, kTop + kHeight - y(waiting));
        if (step.error)
            text += fmt::format(
                "<line class=\"error\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>",
                left + wide / 2.0, y(step.mean - *step.error), y(step.mean + *step.error));
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g></a>\n",
                            left + wide / 2.0, kTop + kHeight + 14.0,
                            room < 24.0 ? std::string() : std::to_string(at + 1));
    }
    return text + "</svg>\n";
}

std::string number(double value, const std::string& text, const std::string& tip) {
    return fmt::format("<td data-value=\"{:.17g}\" title=\"{}\">{}</td>", value, escaped(tip), escaped(text));
}

std::string rowHtml(const TrendStep& step, std::size_t at) {
    const double none = std::nan("");
    std::string text = fmt::format("<tr id=\"v{}\"><th>{}</th>", at, escaped(step.name));
    text += number(static_cast<double>(at + 1), std::to_string(at + 1), "position");
    text += number(step.mean, secondsText(step.mean) + errorText(step),
                   fmt::format("{:.10g} s, {}", step.mean, counted(step.seconds.size(), "run")));
    const char* colour = !step.change ? "" : *step.change > 0 ? "more" : "less";
    text += fmt::format("<td class=\"{}\" data-value=\"{:.17g}\">{}</td>", colour, step.change.value_or(none),
                        at == 0       ? ""
                        : step.change ? percent(step.change, true)
                                      : "not told apart");
    text += number(step.waiting.value_or(none), percent(step.waiting, false), "of the time of all threads");
    std::string said = escaped(step.sentence);
    if (!step.wait.empty()) said += (said.empty() ? "" : "<br>") + escaped(step.wait);
    if (!step.cause.empty()) said += "<br><small>" + escaped(step.cause) + "</small>";
    return text + "<td class=\"said\" data-value=\"0\">" + said + "</td></tr>\n";
}

/// What the largest step is, in a sentence for those who read no table.
std::string sentenceOnLargestStep(const std::vector<TrendStep>& steps) {
    const TrendStep* found = nullptr;
    for (const TrendStep& step : steps)
        if (step.change && (found == nullptr || std::fabs(*step.change) > std::fabs(*found->change)))
            found = &step;
    return found == nullptr ? "No version is slower or faster than the one before by more than chance makes."
                            : found->sentence;
}

}  // namespace

std::vector<TrendStep> trendOf(const Subjects& subjects) {
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (!algebra::isOfRun(subjects.experiment(at)))
            throw Error("is no experiment of a run, which takes time", Place{.file = subjects.name(at)});
    const std::vector<Runs> versions = versionsOf(subjects);
    if (versions.size() < 2)
        throw UsageError("--trend: needs two versions or more; runs of the same name are repeats of one");
    algebra::Matching loosely;
    loosely.loosely = true;
    std::vector<TrendStep> steps;
    for (std::size_t at = 0; at < versions.size(); ++at) {
        TrendStep step{.name = subjects.name(versions[at].first)};
        step.seconds = algebra::secondsOf(groupOf(subjects, versions[at]));
        step.mean = meanOf(step.seconds);
        step.error = algebra::errorOfMean(step.seconds);
        step.waiting = waitingIn(subjects, versions[at]);
        if (at > 0) {
            const auto change = algebra::changeBetween(groupOf(subjects, versions[at - 1]),
                                                       groupOf(subjects, versions[at]), loosely);
            if (change) {
                step.sentence = change->sentences.front();
                if (!change->seconds.isWithinError())
                    step.change = 100.0 * change->seconds.difference() / change->seconds.first;
            }
            addWait(subjects, versions[at - 1], versions[at], step);
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

std::string trendPage(const std::vector<TrendStep>& steps) {
    const std::string title = steps.front().name + " … " + steps.back().name + ": trend";
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>{0}</title>\n<style>{1}</style></head><body>\n<h1>{0}</"
        "h1>\n<main>\n",
        escaped(title), kStyle);
    page += "<section id=\"trend\" class=\"trend-page\">\n<p><b>" + escaped(sentenceOnLargestStep(steps)) +
            "</b></p>\n";
    page += "<div class=\"wide\">" + chart(steps) + "</div>\n";
    page +=
        "<p>A bar is the time of a version, its lower part the share of all threads' time that is waiting; "
        "the line is the error of repeated runs. A click leads to its row. <span class=\"hint\">A click on a "
        "heading sorts.</span></p>\n";
    page +=
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>version</th><th>number</th><th>time</th>"
        "<th>change</th><th>waiting</th><th class=\"said\">what is different from the version "
        "before</th></tr></thead><tbody>\n";
    for (std::size_t at = 0; at < steps.size(); ++at) page += rowHtml(steps[at], at);
    page += "</tbody></table></div></section>\n";
    return page + fmt::format("</main>\n<script>{}</script></body></html>\n", kScript);
}

std::string trendMarkdown(const std::vector<TrendStep>& steps) {
    std::string text = "# Trend\n\n" + escapedMarkdown(sentenceOnLargestStep(steps)) + "\n\n";
    text +=
        "| version | time | change | waiting | what is different from the version before "
        "|\n|---|---:|---:|---:|---|\n";
    for (const TrendStep& step : steps) {
        std::string said = step.sentence;
        for (const std::string& more : {step.wait, step.cause})
            if (!more.empty()) said += (said.empty() ? "" : " ") + more + '.';
        text += fmt::format("| {} | {}{} | {} | {} | {} |\n", escapedMarkdown(step.name),
                            secondsText(step.mean), errorText(step), percent(step.change, true),
                            percent(step.waiting, false), escapedMarkdown(said));
    }
    return text;
}

std::string trendCsv(const std::vector<TrendStep>& steps) {
    std::string text = "version,runs,seconds,error95,waiting percent,change percent,wait,cause,sentence\n";
    const auto field = [](const std::optional<double>& value) {
        return value ? csvField(*value) : std::string();
    };
    for (const TrendStep& step : steps)
        text += csvField(step.name) + ',' + std::to_string(step.seconds.size()) + ',' + csvField(step.mean) +
                ',' + field(step.error) + ',' + field(step.waiting) + ',' + field(step.change) + ',' +
                csvField(step.wait) + ',' + csvField(step.cause) + ',' + csvField(step.sentence) + '\n';
    return text;
}

}  // namespace holos::report
