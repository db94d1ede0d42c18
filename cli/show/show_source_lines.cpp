// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algebra/model/queries.h"
#include "algebra/model/source_lines.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

using Lines = std::vector<LineValue>;

std::string placeText(const LineValue& line) {
    return line.place.file + ':' + std::to_string(line.place.line);
}

std::string text(const Experiment& experiment, const MetricLine& metric, const Lines& lines,
                 const Style& style) {
    const std::string& unit = experiment.metrics[metric.metric].unit;
    const auto percent = [&metric](double value) {
        return metric.whole == 0.0 || std::isnan(metric.whole)
                   ? std::string(7, ' ')
                   : fmt::format("{:5.1f} %", 100.0 * value / metric.whole);
    };
    std::string out = metricHeading(experiment, metric, style);
    if (isDividedAmongLines(experiment, metric.metric))
        out += "The time of a function is divided among its lines by samples: an estimate.\n";
    out += '\n' + style.strong("Hottest source lines") + '\n' +
           fmt::format("{:>14} {:>7} {:>14} {:>7}  {}\n", "line alone", "", "with calls", "", "line");
    for (const LineValue& line : lines)
        out +=
            fmt::format("{:>14} {} {:>14} {}  {}\n", valueText(line.own, unit), percent(line.own),
                        valueText(line.inclusive, unit), percent(line.inclusive), printable(placeText(line)));
    return out;
}

std::string csv(const Lines& lines) {
    std::string out = "file,line,own,inclusive\n";
    for (const LineValue& line : lines)
        out += fmt::format("{},{},{},{}\n", csvField(line.place.file), line.place.line, csvField(line.own),
                           csvField(line.inclusive));
    return out;
}

std::string json(const Metric& metric, const Lines& lines) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LineValue& line : lines)
        list.push_back({{"file", line.place.file},
                        {"line", line.place.line},
                        {"own", line.own},
                        {"inclusive", line.inclusive}});
    const nlohmann::ordered_json all{{"metric", metric.uniqueName}, {"unit", metric.unit}, {"lines", list}};
    return jsonText(all, 2) + '\n';
}

/// Lines with a value, what is spent in the line alone first.
Lines hottest(const Experiment& experiment, const ShowRequest& request) {
    PathValues values{perCallPath(experiment, {*request.metric}, Extent::Inclusive),
                      perCallPath(experiment, {*request.metric}, Extent::Exclusive)};
    if (isDividedAmongLines(experiment, *request.metric))
        values = dividedAmongLines(
            experiment, std::move(values),
            perCallPath(experiment, {*experiment.findMetric(kSamplesMetric)}, Extent::Exclusive));
    Lines lines = lineValues(experiment, values.inclusive, values.exclusive);
    if (!request.zeros)
        std::erase_if(lines, [](const LineValue& line) { return line.own == 0.0 && line.inclusive == 0.0; });
    std::ranges::stable_sort(lines, [](const LineValue& a, const LineValue& b) {
        return std::pair(std::fabs(a.own), std::fabs(a.inclusive)) >
               std::pair(std::fabs(b.own), std::fabs(b.inclusive));
    });
    lines.resize(request.top.of(lines.size()));
    return lines;
}

}  // namespace

std::string showSourceLines(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    const Metric& metric = experiment.metrics[*request.metric];
    if (!isSumOfParts(metric))
        throw Error(metric.uniqueName + ": its values cannot be added up by lines",
                    Place{.file = request.file});
    const Lines lines = hottest(experiment, request);
    if (lines.empty())
        throw Error(metric.uniqueName +
                        ": no source line is known for the call paths that have a value; 'holos cc' and "
                        "'holos record --sample' find them in programs compiled with -g",
                    Place{.file = request.file});
    switch (request.format) {
        case Format::Text:
            return text(experiment, metricLine(experiment, *request.metric), lines, style);
        case Format::Csv:
            return csv(lines);
        case Format::Json:
            return json(metric, lines);
    }
    return {};
}

}  // namespace holos::cli
