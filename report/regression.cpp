// SPDX-License-Identifier: BSD-3-Clause
#include "report/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "algebra/insight/runs/run_group.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/suggest.h"
#include "report/tables/summary.h"

namespace holos::report {

using namespace algebra;

namespace {

double totalOf(const Judged& judged, MetricId metric) {
    const double value = aggregate(judged.experiment, {metric, Extent::Inclusive});
    if (std::isnan(value))
        throw Error(judged.experiment.metrics[metric].uniqueName + " is undefined there",
                    {.file = judged.name});
    return value;
}

/// Of all wait states, each once: those that are parts of others are in these.
double waitingOf(const Judged& judged) {
    const Experiment& experiment = judged.experiment;
    std::set<MetricId> waits;
    for (const WaitRule& rule : waitRules())
        for (const char* name : rule.waits)
            if (const auto metric = experiment.findMetric(name)) waits.insert(*metric);
    if (waits.empty())
        throw Error("has no wait states; holos analyze finds them in a trace", {.file = judged.name});
    double sum = 0;
    for (const MetricId metric : waits) {
        auto above = experiment.metrics.parent(metric);
        while (above && !waits.contains(*above)) above = experiment.metrics.parent(*above);
        if (!above) sum += totalOf(judged, metric);
    }
    return sum;
}

/// Two of the words that a condition may have are no metrics.
MetricId metricOf(const Judged& judged, const std::string& name) {
    try {
        return tables::metricNamed(judged.experiment, name, judged.name);
    } catch (const Error&) {
        const std::string near = didYouMean(name, {"slower", "waiting"});
        if (near.empty()) throw;
        throw Error("there is no metric \"" + name + '"' + near, {.file = judged.name});
    }
}

struct Measured {
    double value = 0;
    double whole = 0;  ///< what percentages are of
    std::string unit;
};

Measured measure(const Judged& judged, const Condition& condition) {
    const Experiment& experiment = judged.experiment;
    if (condition.isWaiting()) {
        const auto time = experiment.findMetric("time");
        return {waitingOf(judged), time ? totalOf(judged, *time) : 0, "sec"};
    }
    const MetricId metric = metricOf(judged, condition.metric);
    MetricId root = metric;
    while (const auto parent = experiment.metrics.parent(root)) root = *parent;
    const std::string& unit = experiment.metrics[metric].unit;
    if (const auto time = experiment.findMetric("time"); time && unit == "sec") root = *time;
    return {totalOf(judged, metric), condition.scale == Scale::Percent ? totalOf(judged, root) : 0, unit};
}

bool exceeds(const Condition& condition, double value, double limit) {
    return condition.isGreater ? value > limit : value < limit;
}

Verdict judgeSlower(const Condition& condition, const std::vector<Judged>& baseline, const Judged& now) {
    Inputs before;
    for (const Judged& each : baseline) before.emplace_back(each.experiment);
    const std::vector<double> first = secondsOf({"", before});
    const std::vector<double> second = secondsOf({"", {now.experiment}});
    if (first.empty() || second.empty())
        throw Error("it is not known how long the run took", {.file = now.name});
    const MeanDifference change = differenceOfMeans(first, second);
    if (change.first <= 0) throw Error("the baseline took no time", {.file = baseline.front().name});
    const double percent = 100 * change.difference() / change.first;
    const bool isSure = !change.error || !change.isWithinError();
    Verdict verdict{exceeds(condition, percent, condition.limit) && isSure, {}};
    const std::string range =
        change.error ? fmt::format(" (± {:.1f} %)", 100 * *change.error / change.first) : "";
    verdict.text = fmt::format("{}: takes {:.4g} s, {:.1f} % {} than {:.4g} s before{}{}", condition.text,
                               change.second, std::abs(percent), percent < 0 ? "less" : "more", change.first,
                               range, isSure ? "" : ", no more than repeated runs differ by");
    if (!change.error) verdict.text += "; no run was repeated";
    return verdict;
}

}  // namespace

std::optional<Condition> parseCondition(const std::string& text) {
    static const std::regex pattern(R"(\s*(\S.*?)\s*([<>])\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([x%]?)\s*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, pattern)) return std::nullopt;
    try {
        std::size_t used = 0;
        const double limit = std::stod(parts[3], &used);
        if (used != static_cast<std::size_t>(parts[3].length())) return std::nullopt;
        const Scale scale = parts[4] == "x"   ? Scale::TimesBaseline
                            : parts[4] == "%" ? Scale::Percent
                                              : Scale::Plain;
        Condition condition{parts[1], parts[2] == ">", limit, scale, text};
        if (condition.isSlower() && scale != Scale::Percent) return std::nullopt;
        return condition;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Verdict judge(const Condition& condition, const std::vector<Judged>& baseline, const Judged& now) {
    if (condition.isSlower()) return judgeSlower(condition, baseline, now);
    const Measured measured = measure(now, condition);
    double before = 0;
    for (const Judged& each : baseline)
        before += measure(each, condition).value / static_cast<double>(baseline.size());
    const bool isPercent = condition.scale == Scale::Percent;
    if (isPercent && !(measured.whole > 0))
        throw Error("there is nothing that a percentage could be of: " + condition.text, {.file = now.name});
    const double percent = isPercent ? 100 * measured.value / measured.whole : 0;
    const double limit = condition.scale == Scale::TimesBaseline ? condition.limit * before : condition.limit;
    Verdict verdict{exceeds(condition, isPercent ? percent : measured.value, limit), {}};
    verdict.text = fmt::format("{}: {} {}", condition.text, tables::valueText(measured.value, measured.unit),
                               measured.unit);
    if (isPercent) verdict.text += fmt::format(", {:.1f} %", percent);
    if (baseline.empty()) return verdict;
    verdict.text += fmt::format(", {} before", tables::valueText(before, measured.unit));
    if (before != 0.0) verdict.text += fmt::format(" ({:.3f}x)", measured.value / before);
    return verdict;
}

std::string junitText(const std::vector<Checked>& checks) {
    const auto failures =
        std::ranges::count_if(checks, [](const Checked& each) { return each.verdict.fails; });
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"holos report\" tests=\"{}\" failures=\"{}\">\n",
        checks.size(), failures);
    for (const Checked& each : checks) {
        text += fmt::format("  <testcase classname=\"{}\" name=\"{}\">\n", escaped(each.experiment),
                            escaped(each.condition));
        if (each.verdict.fails)
            text += fmt::format("    <failure message=\"{}\"/>\n", escaped(each.verdict.text));
        else
            text += fmt::format("    <system-out>{}</system-out>\n", escaped(each.verdict.text));
        text += "  </testcase>\n";
    }
    return text + "</testsuite>\n";
}

}  // namespace holos::report
