// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/model/statistics.h"
#include "base/markup.h"
#include "report/formats.h"
#include "report/page.h"
#include "report/tables/summary.h"

namespace holos::report {

namespace {

std::string headOf(const Comparison& comparison) {
    std::string head = "<thead><tr><th></th>";
    for (const std::string& name : comparison.names) head += "<th>" + escaped(name) + "</th>";
    return head + "</tr></thead>";
}

std::string configurationTable(const Comparison& comparison) {
    std::string text =
        "<section><h2>Configuration</h2><table class=\"facts\">" + headOf(comparison) + "<tbody>";
    for (const Fact& fact : comparison.configuration) {
        text += "<tr><th>" + escaped(fact.name) + "</th>";
        for (const std::string& value : fact.values) text += "<td>" + escaped(value) + "</td>";
        text += "</tr>\n";
    }
    return text + "</tbody></table></section>\n";
}

std::string list(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string text = fmt::format("<section><h2>{}</h2><ul>", title);
    for (const std::string& line : lines) text += "<li>" + escaped(line) + "</li>\n";
    return text + "</ul></section>\n";
}

/// Whole numbers of five digits and more, with narrow spaces between thousands.
std::string grouped(std::string text) {
    const std::size_t begin = text.starts_with('-') ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    constexpr std::size_t kThousand = 3;
    if (end - begin > kThousand + 1)
        for (std::size_t at = end; at > begin + kThousand;) text.insert(at -= kThousand, "&#8239;");
    return text;
}

/// A bar behind the number shows the percentage.
std::string cellHtml(const Cell& cell, const std::string& unit) {
    const double width = std::clamp(cell.percent.value_or(0.0), 0.0, 100.0);
    return fmt::format("<td style=\"--part:{:.1f}%\">{}</td>", width, grouped(cellText(cell, unit)));
}

std::string sectionTable(const Comparison& comparison, const Section& section) {
    std::string text = fmt::format("<section><h2>{}</h2><p>{}</p><table class=\"numbers\">{}<tbody>",
                                   escaped(section.title), escaped(section.explanation), headOf(comparison));
    for (const Row& row : section.rows) {
        text += fmt::format("<tr><th style=\"--depth:{}\">{}{}</th>", row.depth, escaped(row.name),
                            row.unit.empty() ? "" : " <small>" + escaped(row.unit) + "</small>");
        for (const Cell& cell : row.cells) text += cellHtml(cell, row.unit);
        text += "</tr>\n";
    }
    return text + "</tbody></table></section>\n";
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
        "{3}, "
        "largest {4} {5} over {6} locations</title>",
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

std::string spreadTable(const Comparison& comparison) {
    if (comparison.spreads.empty()) return {};
    std::string text =
        "<section><h2>Distribution over threads</h2><p>One bar for each location.</p><table "
        "class=\"plots\">" +
        headOf(comparison) + "<tbody>";
    for (const Spread& spread : comparison.spreads) {
        text += "<tr><th>" + escaped(spread.name) + "</th>";
        for (const auto& values : spread.values) text += "<td>" + plot(values, spread.unit) + "</td>";
        text += "</tr>\n";
    }
    return text + "</tbody></table></section>\n";
}

/// Text between tags of a script: nothing in it may end the script.
std::string scriptSafe(std::string text) {
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
        text.replace(at, 1, "\\u003c");
    return text;
}

std::string panes(const std::string& browsable) {
    if (browsable.empty()) return {};
    return fmt::format(
        "<section id=\"browser\"><h2>Browse</h2><p>Select a metric, then a call path; a selected node that "
        "is "
        "closed stands for everything below it.</p><div id=\"panes\"></div></section>\n"
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n",
        scriptSafe(browsable), kScript);
}

}  // namespace

std::string htmlPage(const Comparison& comparison, const std::string& browsable) {
    std::string title;
    for (const std::string& name : comparison.names) title += (title.empty() ? "" : " · ") + name;
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>{0}</title>\n<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(title), kStyle);
    page += introductionsHtml(comparison.introductions) + configurationTable(comparison) +
            list("Differences", comparison.differences) + list("Findings", comparison.findings);
    for (const Section& section : comparison.sections) page += sectionTable(comparison, section);
    page += spreadTable(comparison) + list("Notes", comparison.notes) + panes(browsable);
    return page + "</body></html>\n";
}

}  // namespace holos::report
