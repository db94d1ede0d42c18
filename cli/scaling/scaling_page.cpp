// SPDX-License-Identifier: BSD-3-Clause
#include "base/markup.h"
#include "cli/scaling/scaling_formats.h"
#include "report/page.h"

namespace holos::cli {

namespace {

std::string htmlOf(const TextTable& table) {
    std::string text = "<table class=\"numbers\"><thead><tr>";
    for (const std::string& heading : table.headings) text += "<th>" + escaped(heading) + "</th>";
    text += "</tr></thead><tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        text += "<tr>";
        for (const std::string& cell : row) text += "<td>" + escaped(cell) + "</td>";
        text += "</tr>\n";
    }
    return text + "</tbody></table>\n";
}

std::string modelsOf(const ScalingReport& report) {
    if (!report.models) return "<p>No models: " + escaped(report.withoutModels) + ".</p>\n";
    std::string text = "<h2>Models</h2>\n<p>" + escaped(pointWords(report)) + "</p>\n";
    if (!report.models->paths.empty()) text += svgOf(scalingCurves(report));
    text += "<h3>Metrics of the whole program</h3>\n" + htmlOf(modelTable(report, report.models->metrics));
    if (!report.models->paths.empty())
        text += "<h3>Call paths, those with the largest prediction first</h3>\n" +
                htmlOf(modelTable(report, listedPaths(report)));
    return text;
}

}  // namespace

std::string scalingPage(const ScalingReport& report) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>How does it "
           "scale?</title>"
           "<style>" +
           std::string(report::kStyle) + "</style></head><body>\n<h1>How does it scale?</h1>\n<p>" +
           escaped(studyWords(report)) + "</p>\n" + htmlOf(sizeTable(report)) + modelsOf(report) +
           "</body></html>\n";
}

}  // namespace holos::cli
