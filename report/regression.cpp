// SPDX-License-Identifier: BSD-3-Clause
#include "report/regression.h"

#include <fmt/format.h>

#include <cmath>
#include <regex>

#include "algebra/model/queries.h"
#include "base/error.h"
#include "report/tables/summary.h"

namespace holos::report {

using namespace algebra;

namespace {

double valueOf(const Judged& judged, const std::string& metric) {
    const MetricId id = tables::metricNamed(judged.experiment, metric, judged.name);
    const double value = aggregate(judged.experiment, {id, Extent::Inclusive});
    if (std::isnan(value)) throw Error(metric + " is undefined there", {.file = judged.name});
    return value;
}

std::string unitOf(const Judged& judged, const std::string& metric) {
    return judged.experiment.metrics[tables::metricNamed(judged.experiment, metric, judged.name)].unit;
}

}  // namespace

std::optional<Condition> parseCondition(const std::string& text) {
    static const std::regex pattern(R"(\s*(\S.*?)\s*([<>])\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(x?)\s*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, pattern)) return std::nullopt;
    try {
        std::size_t used = 0;
        const double limit = std::stod(parts[3], &used);
        if (used != static_cast<std::size_t>(parts[3].length())) return std::nullopt;
        return Condition{parts[1], parts[2] == ">", limit, parts[4].length() > 0, text};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Verdict judge(const Condition& condition, const Judged& baseline, const Judged& now) {
    const double before = valueOf(baseline, condition.metric);
    const double value = valueOf(now, condition.metric);
    const double limit = condition.isRelative ? condition.limit * before : condition.limit;
    const std::string unit = unitOf(now, condition.metric);
    Verdict verdict{condition.isGreater ? value > limit : value < limit, {}};
    verdict.text = fmt::format("{}: {} {}, {} before", condition.text, tables::valueText(value, unit), unit,
                               tables::valueText(before, unit));
    if (before != 0.0) verdict.text += fmt::format(" ({:.3f}x)", value / before);
    return verdict;
}

}  // namespace holos::report
