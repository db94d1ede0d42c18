// SPDX-License-Identifier: BSD-3-Clause
#include "report/formats.h"

#include <fmt/format.h>

#include <cmath>

#include "base/csv.h"
#include "base/markup.h"
#include "report/tables/summary.h"

namespace holos::report {
namespace {

std::string tableHead(const std::string& first, const std::vector<std::string>& names) {
    std::string head = "| " + first + " |", rule = "|---|";
    for (const std::string& name : names) {
        head += ' ' + escapedMarkdown(name) + " |";
        rule += "---:|";
    }
    return head + '\n' + rule + '\n';
}

std::string bulletList(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string text = "\n## " + title + "\n";
    for (const std::string& line : lines) text += "- " + escapedMarkdown(line) + '\n';
    return text;
}

}  // namespace

std::string cellText(const Cell& cell, const std::string& unit) {
    if (!cell.present || std::isnan(cell.value)) return "–";
    std::string text = unit == "sec" || unit == "%" ? fmt::format("{:.6g}", cell.value)
                                                    : tables::valueText(cell.value, unit);
    if (cell.percent) text += fmt::format(" ({:.1f}%)", *cell.percent);
    return text;
}

std::string markdownText(const Comparison& comparison) {
    std::string text = "# Comparison\n";
    for (const std::string& sentence : comparison.change) text += '\n' + escapedMarkdown(sentence) + '\n';
    text += introductionsMarkdown(comparison.introductions) + "\n## Configuration\n\n" +
            tableHead("", comparison.names);
    for (const Fact& fact : comparison.configuration) {
        text += "| " + escapedMarkdown(fact.name) + " |";
        for (const std::string& value : fact.values) text += ' ' + escapedMarkdown(value) + " |";
        text += '\n';
    }
    text += bulletList("Differences", comparison.differences) + bulletList("Findings", comparison.findings);
    for (const Section& section : comparison.sections) {
        text +=
            "\n## " + section.title + '\n' + section.explanation + "\n\n" + tableHead("", comparison.names);
        for (const Row& row : section.rows) {
            text += "| ";
            for (std::size_t i = 0; i < row.depth; ++i) text += "→ ";
            text += escapedMarkdown(row.name) +
                    (row.unit.empty() ? "" : " [" + escapedMarkdown(row.unit) + ']') + " |";
            for (const Cell& cell : row.cells) text += ' ' + cellText(cell, row.unit) + " |";
            text += '\n';
        }
    }
    return text + bulletList("Notes", comparison.notes);
}

std::string csvText(const Comparison& comparison) {
    std::string text = "section,name,depth,unit";
    for (const std::string& name : comparison.names)
        text += ',' + csvField(name) + ',' + csvField(name + " %");
    text += '\n';
    for (const Section& section : comparison.sections)
        for (const Row& row : section.rows) {
            text += fmt::format("{},{},{},{}", csvField(section.title), csvField(row.name), row.depth,
                                csvField(row.unit));
            for (const Cell& cell : row.cells)
                text += ',' + (cell.present ? csvField(cell.value) : "") + ',' +
                        (cell.percent ? csvField(*cell.percent) : "");
            text += '\n';
        }
    return text;
}

}  // namespace holos::report
