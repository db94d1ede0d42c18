// SPDX-License-Identifier: BSD-3-Clause
#include "cli/scaling/scaling_formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/call_names.h"
#include "base/markup.h"
#include "base/short_name.h"
#include "report/html.h"
#include "report/plot/scaling_curves.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

constexpr std::size_t kMostCurves = 8;

}  // namespace

plot::Curves scalingCurves(const ScalingReport& report) {
    const algebra::Experiment& program = report.study.program();
    const ShortNames names = algebra::shortNamesOf(program);
    const std::string metric =
        report.models->paths.empty() ? std::string() : report.models->paths.front().metric;
    plot::Curves curves{"What grows: " + metric + " of a thread, on average",
                        report.study.parameters().front(),
                        plot::withUnit(report.study, metric),
                        {}};
    for (const Growing& path : listedPaths(report)) {
        if (curves.curves.size() == kMostCurves) break;
        curves.curves.push_back(plot::curveOf(report.study, path, report.models->at,
                                              algebra::callPathText(program, *path.path, names)));
    }
    return curves;
}

namespace {

/// On a narrow screen what is wide scrolls by itself.
std::string wide(const std::string& content) {
    return "<div class=\"wide\">" + content + "</div>\n";
}

std::string htmlOf(const TextTable& table) {
    std::string text = "<table class=\"numbers\"><thead><tr>";
    for (const std::string& heading : table.headings) text += "<th>" + escaped(heading) + "</th>";
    text += "</tr></thead><tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        const char* element = "th";  // the first cell says what the row is about
        text += "<tr>";
        for (const std::string& cell : row) {
            text += fmt::format("<{0}>{1}</{0}>", element, escaped(cell));
            element = "td";
        }
        text += "</tr>\n";
    }
    return wide(text + "</tbody></table>");
}

/// A page has names in front, where a terminal has them last, so that long ones end where they like.
TextTable namesFirst(TextTable table) {
    const auto lastFirst = [](std::vector<std::string>& row) {
        std::rotate(row.begin(), std::prev(row.end()), row.end());
    };
    lastFirst(table.headings);
    for (std::vector<std::string>& row : table.rows) lastFirst(row);
    return table;
}

std::string modelsOf(const ScalingReport& report) {
    if (!report.models) return "<p>No models: " + escaped(report.withoutModels) + ".</p>\n";
    std::string text = "<h2>Models</h2>\n<p>" + escaped(pointWords(report)) + "</p>\n";
    if (!report.models->paths.empty()) text += wide(svgOf(scalingCurves(report)));
    text += "<h3>Metrics of the whole program</h3>\n" +
            htmlOf(namesFirst(modelTable(report, report.models->metrics)));
    if (!report.models->paths.empty())
        text += "<h3>Call paths, those with the largest prediction first</h3>\n" +
                htmlOf(namesFirst(modelTable(report, listedPaths(report))));
    return text;
}

}  // namespace

std::string scalingPage(const ScalingReport& report) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width\"><title>How does it scale?</title><style>" +
           std::string(report::kStyle) + "</style></head><body>\n<h1>How does it scale?</h1>\n<p>" +
           escaped(studyWords(report)) + "</p>\n" +
           (report.table ? htmlOf(sizeTable(report))
                         : "<p>No efficiencies: " + escaped(report.withoutTable) + ".</p>\n") +
           modelsOf(report) + "</body></html>\n";
}

}  // namespace holos::cli
