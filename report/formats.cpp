// SPDX-License-Identifier: BSD-3-Clause
#include "report/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/statistics.h"
#include "base/csv.h"
#include "base/markup.h"
#include "report/comparison.h"
#include "report/tables/summary.h"

namespace holos::report {

using algebra::Doubt;
using algebra::Problem;
using algebra::Summary;

namespace {

using Lines = std::vector<std::pair<const char*, std::string>>;

/// What is said of a problem, each with a word in front; what is not known is left out.
Lines linesOf(const Summary& summary, const Problem& problem) {
    Lines lines{{"where", problem.where},
                {"who", problem.who},
                {"why", problem.why},
                {"helps", problem.remedy},
                {"gain", gainText(summary, problem)},
                {"but", problem.chance}};
    std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
    return lines;
}

std::string cardHtml(const Summary& summary, const Problem& problem) {
    std::string text = fmt::format("<article style=\"--part:{:.1f}%\"><h3>{}</h3><dl>",
                                   algebra::costPercent(summary, problem), escaped(problem.what));
    text += fmt::format("<dt>costs</dt><dd>{}</dd>", escaped(algebra::costText(summary, problem)));
    for (const auto& [word, said] : linesOf(summary, problem))
        text += fmt::format("<dt>{}</dt><dd>{}</dd>", word, escaped(said));
    return text + "</dl></article>\n";
}

/// What must be known first, and the run as a whole.
std::string beginOf(const Summary& summary) {
    std::string text;
    for (const std::string& sentence : summary.first) text += sentence + ". ";
    return text + summary.run;
}

/// What is known beside problems.
std::vector<std::string> remarksOf(const Summary& summary) {
    std::vector<std::string> remarks;
    for (const std::string& note : summary.notes) remarks.push_back("Counters: " + note);
    for (const Doubt& doubt : summary.doubts)
        remarks.push_back(doubt.text + (doubt.command.empty() ? "" : " (" + doubt.command + ")"));
    return remarks;
}

/// Empty where there are none.
std::string introductionsHtml(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text;
    for (const auto& [name, summary] : introductions) {
        text += "<div><p><b>" + escaped(name) + "</b>: " + escaped(beginOf(summary)) + "</p>\n";
        for (const Problem& problem : summary.problems) text += cardHtml(summary, problem);
        for (const std::string& remark : remarksOf(summary))
            text += "<p><small>" + escaped(remark) + "</small></p>\n";
        text += "</div>\n";
    }
    return text;
}

/// Empty where there are none.
std::string introductionsMarkdown(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text = "\n## Summary\n";
    for (const auto& [name, summary] : introductions) {
        text += "\n**" + escapedMarkdown(name) + "**: " + escapedMarkdown(beginOf(summary)) + "\n";
        std::size_t number = 0;
        for (const Problem& problem : summary.problems) {
            text += fmt::format("\n{}. **{}** ({})\n", ++number, escapedMarkdown(problem.what),
                                algebra::costText(summary, problem));
            for (const auto& [word, said] : linesOf(summary, problem))
                text += fmt::format("   - {}: {}\n", word, escapedMarkdown(said));
        }
        for (const std::string& remark : remarksOf(summary)) text += "\n" + escapedMarkdown(remark) + "\n";
    }
    return text;
}

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

namespace {

std::string headOf(const Comparison& comparison) {
    std::string head = "<thead><tr><th></th>";
    for (const std::string& name : comparison.names) head += "<th>" + escaped(name) + "</th>";
    return head + "</tr></thead>";
}

/// A part of the page, which the contents lead to.
struct Part {
    std::string title;
    std::string body;  ///< empty: there is nothing to say
    std::string className = {};
};

/// `Wait states` as `wait-states`.
std::string anchorOf(const std::string& title) {
    std::string anchor;
    for (const char letter : title)
        anchor += std::isalnum(static_cast<unsigned char>(letter)) != 0
                      ? static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))
                      : '-';
    return anchor;
}

/// On a narrow screen a table scrolls by itself.
std::string wide(const std::string& table) {
    return "<div class=\"wide\">" + table + "</div>";
}

Part configuration(const Comparison& comparison) {
    std::string text = "<table class=\"facts\">" + headOf(comparison) + "<tbody>";
    for (const Fact& fact : comparison.configuration) {
        text += "<tr><th>" + escaped(fact.name) + "</th>";
        for (const std::string& value : fact.values) text += "<td>" + escaped(value) + "</td>";
        text += "</tr>\n";
    }
    return {"Configuration", wide(text + "</tbody></table>")};
}

Part list(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return {title, {}};
    std::string text = "<ul>";
    for (const std::string& line : lines) text += "<li>" + escaped(line) + "</li>\n";
    return {title, text + "</ul>"};
}

/// Percentage points that a cell has more or less than that of the first experiment, where one sees them.
std::string changeHtml(const Cell& cell, const Cell& first) {
    constexpr double kSeen = 0.05;
    if (&cell == &first || !cell.percent || !first.percent) return {};
    const double change = *cell.percent - *first.percent;
    if (!(std::fabs(change) >= kSeen)) return {};
    return change > 0 ? fmt::format(" <span class=\"more\">+{:.1f}</span>", change)
                      : fmt::format(" <span class=\"less\">−{:.1f}</span>", -change);
}

/// A bar behind the number shows the percentage; its tip has all digits.
std::string cellHtml(const Cell& cell, const Cell& first, const std::string& unit) {
    if (!cell.present || std::isnan(cell.value)) return "<td>–</td>";
    const double width = std::clamp(cell.percent.value_or(0.0), 0.0, 100.0);
    const std::string number = unit == "%"     ? fourDigits(cell.value)
                               : unit == "sec" ? shownSeconds(cell.value)
                                               : engineering(cell.value);
    const std::string part = cell.percent ? fmt::format(" <small>{:.1f} %</small>", *cell.percent) : "";
    return fmt::format("<td style=\"--part:{:.1f}%\" data-value=\"{:.17g}\" title=\"{:.10g} {}\">{}{}{}</td>",
                       width, cell.value, cell.value, escaped(unit), number, part, changeHtml(cell, first));
}

Part numbers(const Comparison& comparison, const Section& section) {
    std::string text = fmt::format("<p>{}</p>", escaped(section.explanation));
    std::string table = fmt::format("<table class=\"numbers\">{}<tbody>", headOf(comparison));
    for (const Row& row : section.rows) {
        const bool haveValuesUnits = row.unit.empty() || row.unit == "sec";  // ms, s: what suits each
        table += fmt::format("<tr><th style=\"--depth:{}\">{}{}</th>", row.depth, escaped(row.name),
                             haveValuesUnits ? "" : " <small>" + escaped(row.unit) + "</small>");
        for (const Cell& cell : row.cells) table += cellHtml(cell, row.cells.front(), row.unit);
        table += "</tr>\n";
    }
    return {section.title, text + wide(table + "</tbody></table>")};
}

/// One bar for each location, on the scale of the experiment's largest value.
std::string plot(const std::vector<double>& values, const std::string& unit) {
    constexpr double kWidth = 160.0, kHeight = 36.0;
    constexpr std::size_t kMostBars = 160;
    const algebra::Statistics statistics = algebra::statisticsOf(values);
    if (statistics.count == 0 || statistics.maximum <= 0.0) return "–";
    const std::size_t bars = std::min(values.size(), kMostBars);
    std::string text = fmt::format(
        "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\"><title>smallest {2}, median "
        "{3}, largest {4} {5} over {6} locations</title>",
        kWidth, kHeight, tables::valueText(statistics.minimum, unit),
        tables::valueText(statistics.median, unit), tables::valueText(statistics.maximum, unit),
        escaped(unit), values.size());
    for (std::size_t bar = 0; bar < bars; ++bar) {  // a bar of several locations shows their largest
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(bar * values.size() / bars);
        const auto end = values.begin() + static_cast<std::ptrdiff_t>((bar + 1) * values.size() / bars);
        const double value = *std::max_element(begin, end);
        const double height =
            std::isfinite(value) ? kHeight * std::max(value, 0.0) / statistics.maximum : 0.0;
        text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>",
                            kWidth / static_cast<double>(bars) * static_cast<double>(bar), kHeight - height,
                            kWidth / static_cast<double>(bars) * 0.85, height);
    }
    text += "</svg>";
    if (std::isfinite(statistics.imbalance))
        text +=
            fmt::format("<br><small>largest {:.0f} % above the mean</small>", 100.0 * statistics.imbalance);
    return text;
}

Part spreads(const Comparison& comparison) {
    if (comparison.spreads.empty()) return {"Distribution over threads", {}};
    std::string text = "<table class=\"plots\">" + headOf(comparison) + "<tbody>";
    for (const Spread& spread : comparison.spreads) {
        text += "<tr><th>" + escaped(spread.name) + "</th>";
        for (const auto& values : spread.values) text += "<td>" + plot(values, spread.unit) + "</td>";
        text += "</tr>\n";
    }
    return {"Distribution over threads",
            "<p>One bar for each thread, or other location where only those have values.</p>" +
                wide(text + "</tbody></table>")};
}

/// Text between tags of a script: nothing in it may end the script.
std::string scriptSafe(std::string text) {
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
        text.replace(at, 1, "\\u003c");
    return text;
}

Part panes(const std::string& browsable) {
    if (browsable.empty()) return {"Browse", {}};
    return {"Browse",
            fmt::format(
                "<p>Select a metric, then a call path; a selected node that is closed stands for everything "
                "below it. Arrow keys move, open and close; the box finds names. A box of the flame graph "
                "selects its call path.</p>\n"
                "<script type=\"application/json\" class=\"holos-data\">{}</script>\n",
                scriptSafe(browsable))};
}

Part rooflines(const Comparison& comparison) {
    std::string text;
    for (const RooflinePicture& each : comparison.rooflines)
        text += fmt::format("<h3>{}</h3>\n{}", escaped(each.name), wide(each.svg));
    if (!text.empty())
        text =
            "<p>A point for each call path, without those below it; its area is its time. The line is the "
            "most that a node can do: where it rises, memory is the limit; where it is level, the "
            "floating-point units are.</p>\n" +
            text;
    return {"Roofline", text};
}

std::string partHtml(const Part& part) {
    return fmt::format("<section id=\"{}\"{}><h2>{}</h2>\n{}</section>\n", anchorOf(part.title),
                       part.className.empty() ? "" : " class=\"" + part.className + '"', escaped(part.title),
                       part.body);
}

std::string contents(const std::vector<Part>& parts) {
    std::string text = "<nav aria-label=\"Contents\"><ul>";
    for (const Part& part : parts)
        text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchorOf(part.title), escaped(part.title));
    return text + "</ul></nav>\n";
}

/// How tables are read: what colours mean, where there is something to compare.
std::string legend(const Comparison& comparison) {
    std::string text = "<p>Bars are percentages. ";
    if (comparison.names.size() > 1)
        text += fmt::format(
            "<span class=\"more\">+1.0</span>, <span class=\"less\">−1.0</span>: percentage points more or "
            "less than in {}. ",
            escaped(comparison.names.front()));
    return text +
           "<span class=\"hint\">A click on a heading sorts; ▾ folds what a row consists of.</span></p>\n";
}

std::string titleOf(const Comparison& comparison) {
    std::string names;
    for (const std::string& name : comparison.names) names += (names.empty() ? "" : " · ") + name;
    return names + (comparison.names.size() < 2 ? ": performance" : ": comparison");
}

/// What is to be known first.
Part summary(const Comparison& comparison) {
    std::string change;
    for (const std::string& sentence : comparison.change)
        change += change.empty() ? "<p><strong>" + escaped(sentence) + "</strong></p>\n"
                                 : "<p>" + escaped(sentence) + "</p>\n";
    if (!change.empty()) change = "<div>" + change + "</div>\n";
    return {"Summary", change + introductionsHtml(comparison.introductions), "summaries"};
}

}  // namespace

std::string htmlPage(const Comparison& comparison, const std::string& browsable) {
    std::vector<Part> parts{summary(comparison), configuration(comparison),
                            list("Differences", comparison.differences),
                            list("Findings", comparison.findings)};
    for (const Section& section : comparison.sections) parts.push_back(numbers(comparison, section));
    parts.push_back(spreads(comparison));
    parts.push_back(rooflines(comparison));
    parts.push_back(list("Notes", comparison.notes));
    parts.push_back(panes(browsable));
    std::erase_if(parts, [](const Part& part) { return part.body.empty(); });
    const bool hasPanes = !browsable.empty();
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>{0}</title>\n<style>{1}{2}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(titleOf(comparison)), kStyle, hasPanes ? kPanesStyle : "");
    page += contents(parts) + "<main>\n" + legend(comparison);
    for (const Part& part : parts) page += partHtml(part);
    page += fmt::format("</main>\n<script>{}</script>", kScript);
    if (hasPanes) page += fmt::format("\n<script>{}</script>", kPanesScript);
    return page + "</body></html>\n";
}

namespace {

constexpr std::array kPrefixes{"a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int kNone = 6;  ///< place of the empty one
constexpr int kStep = 3;  ///< powers of ten between two
constexpr int kDigits = 4;
constexpr double kExact = 1e4;

/// Behind the first digit that is not zero.
int powerOf(double value) {
    // As it is written: 999.96 has four digits as 1000.
    const std::string written = fmt::format("{:.{}e}", value, kDigits - 1);
    return std::stoi(written.substr(written.find('e') + 1));
}

}  // namespace

std::string fourDigits(double value) {
    if (!std::isfinite(value)) return "–";
    if (value == 0.0) return "0";
    return fmt::format("{:.{}f}", value, std::clamp(kDigits - 1 - powerOf(value), 0, kDigits));
}

std::string engineering(double value) {
    if (!std::isfinite(value)) return "–";
    if (value == 0.0) return "0";
    if (std::fabs(value) < kExact && value == std::floor(value)) return fmt::format("{:.0f}", value);
    const int group = static_cast<int>(std::floor(powerOf(value) / static_cast<double>(kStep)));
    const int place = std::clamp(group, -kNone, static_cast<int>(kPrefixes.size()) - 1 - kNone);
    const std::string number = fourDigits(value / std::pow(10.0, kStep * place));
    const char* prefix = kPrefixes[static_cast<std::size_t>(place + kNone)];
    return *prefix == '\0' ? number : number + ' ' + prefix;
}

std::string shownSeconds(double value) {
    if (!std::isfinite(value) || value == 0.0) return engineering(value);
    // Of a thousand seconds nobody says a kilosecond.
    if (powerOf(value) >= 0) return fourDigits(value) + " s";
    const std::string text = engineering(value);
    return text + (text.find(' ') == std::string::npos ? " s" : "s");
}

}  // namespace holos::report
