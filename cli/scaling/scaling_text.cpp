// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algebra/model/call_names.h"
#include "base/printable.h"
#include "base/short_name.h"
#include "base/text.h"
#include "cli/scaling/scaling_formats.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

std::string number(double value) {
    return std::isnan(value) ? "-" : fmt::format("{:.4g}", value);
}

std::string efficiency(double value) {
    return std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
}

/// A column of the table of sizes; one that is empty in all rows is left out.
struct SizeColumn {
    std::string heading;
    std::function<std::string(const SizeRow&)> text;
};

template <auto Level, auto Member>
std::string level(const SizeRow& row) {
    const auto& values = row.efficiencies.*Level;
    return values ? efficiency((*values).*Member) : "";
}

std::string optional(std::optional<double> value) {
    return value ? efficiency(*value) : "";
}

std::vector<SizeColumn> sizeColumns(const Study& study) {
    using algebra::Efficiencies;
    constexpr auto kMpi = &Efficiencies::mpi;
    constexpr auto kOpenMp = &Efficiencies::openMp;
    std::vector<SizeColumn> columns{
        {"processes", [](const SizeRow& row) { return std::to_string(row.group.processes); }},
        {"threads", [](const SizeRow& row) { return std::to_string(row.group.threads); }}};
    for (std::size_t i = 0; i < study.parameters().size(); ++i)
        if (study.parameters()[i] != "processes" && study.parameters()[i] != "threads")
            columns.push_back(
                {study.parameters()[i], [i](const SizeRow& row) { return number(row.group.at[i]); }});
    const std::vector<SizeColumn> rest{
        {"runs", [](const SizeRow& row) { return std::to_string(row.group.runs.size()); }},
        {"runtime", [](const SizeRow& row) { return number(row.runtime); }},
        {"speed-up", [](const SizeRow& row) { return number(row.speedup); }},
        {"global", [](const SizeRow& row) { return efficiency(row.global); }},
        {"parallel", [](const SizeRow& row) { return efficiency(row.efficiencies.parallel); }},
        {"balance", level<kMpi, &Efficiencies::Mpi::loadBalance>},
        {"serial.", level<kMpi, &Efficiencies::Mpi::serialisation>},
        {"transfer", level<kMpi, &Efficiencies::Mpi::transfer>},
        {"OpenMP", level<kOpenMp, &Efficiencies::OpenMp::parallel>},
        {"comput.", [](const SizeRow& row) { return efficiency(row.computation); }},
        {"instr.", [](const SizeRow& row) { return optional(row.instructions); }},
        {"IPC", [](const SizeRow& row) { return optional(row.perCycle); }},
        {"frequency", [](const SizeRow& row) { return optional(row.frequency); }}};
    columns.insert(columns.end(), rest.begin(), rest.end());
    return columns;
}

/// Numbers to the right, the last column of some tables to the left.
std::string aligned(const TextTable& table, const Style& style, bool isLastLeft) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table.headings.size(); ++i) {
        std::size_t width = columnsOf(table.headings[i]);
        for (const auto& row : table.rows) width = std::max(width, columnsOf(row[i]));
        widths.push_back(width);
    }
    const auto lineOf = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string space(widths[i] - columnsOf(cells[i]), ' ');
            const bool isLeft = isLastLeft && i + 1 == cells.size();
            line += (i == 0 ? "" : "  ") + (isLeft ? cells[i] : space + cells[i]);
        }
        return line;
    };
    std::string text = style.strong(lineOf(table.headings)) + '\n';
    for (const auto& row : table.rows) text += lineOf(row) + '\n';
    return text;
}

/// What a factor says of a quantity from the smallest runs to the largest.
std::string changeWords(double factor) {
    constexpr double kHardly = 0.005;
    constexpr double kPercent = 100;
    if (std::abs(factor - 1) < kHardly) return "stayed the same";
    if (factor < 1) return fmt::format("fell to {:.2g} %", kPercent * factor);
    return fmt::format("grew by a factor of {:.3g}", factor);
}

std::string scalingWords(const ScalabilityTable& table) {
    const bool strong = table.scaling == Scaling::Strong;
    std::string text = strong ? "Strong scaling: all runs solve one problem"
                              : "Weak scaling: the problem grows with the threads";
    if (table.isFound)
        text +=
            fmt::format(" (found: the work of all threads {}, and their number {}; --problem overrides this)",
                        changeWords(table.workGrew), changeWords(table.threadsGrew));
    return text + ".";
}

constexpr const char* kExplanation =
    "global = parallel x comput.; comput.: computation that the smallest runs need for the same work, "
    "divided\nby what is needed here; it is instr. x IPC x frequency where these were counted. 1 is perfect "
    "(POP).\n";

std::string pointText(const Study& study, const Point& at) {
    std::string text;
    for (std::size_t i = 0; i < at.size(); ++i)
        text += fmt::format("{}{:g} {}", i == 0 ? "" : " and ", at[i], printable(study.parameters()[i]));
    return text;
}

std::string interval(const Prediction& prediction) {
    return fmt::format("{:.3g} … {:.3g}", prediction.low, prediction.high);
}

std::string modelTables(const ScalingReport& report, const Style& style) {
    const ScalingModels& models = *report.models;
    std::string text = pointWords(report) + '\n' + aligned(modelTable(report, models.metrics), style, true);
    if (models.paths.empty()) return text;
    const std::vector<Growing> listed = listedPaths(report);
    text += '\n' + aligned(modelTable(report, listed), style, true);
    if (listed.size() < models.paths.size())
        text += fmt::format("and {} more; --top 0 lists all\n", models.paths.size() - listed.size());
    return text;
}

}  // namespace

TextTable sizeTable(const ScalingReport& report) {
    std::vector<SizeColumn> columns = sizeColumns(report.study);
    const auto& rows = report.table->rows;
    std::erase_if(columns, [&](const SizeColumn& column) {
        return std::ranges::all_of(rows, [&](const SizeRow& row) { return column.text(row).empty(); });
    });
    TextTable table;
    for (const SizeColumn& column : columns) table.headings.push_back(printable(column.heading));
    for (const SizeRow& row : rows) {
        auto& cells = table.rows.emplace_back();
        for (const SizeColumn& column : columns) cells.push_back(column.text(row));
    }
    return table;
}

TextTable modelTable(const ScalingReport& report, const std::vector<Growing>& rows) {
    const algebra::Experiment& program = report.study.program();
    const ShortNames names = algebra::shortNamesOf(program);
    const bool isOfPaths = !rows.empty() && rows.front().path;
    TextTable table{{"largest", "predicted", "with 95 % confidence", "%", "R²", "error %", "law",
                     isOfPaths ? "call path, of " + printable(rows.front().metric) : "metric"},
                    {}};
    for (const Growing& row : rows)
        table.rows.push_back(
            {fmt::format("{:.4g}", row.measured.back()), fmt::format("{:.4g}", row.predicted.value),
             interval(row.predicted), fmt::format("{:.1f}", 100 * row.share),
             row.model.quality().explained ? fmt::format("{:.3f}", *row.model.quality().explained) : "-",
             fmt::format("{:.1f}", row.model.quality().crossError),
             printable(row.model.law(report.study.parameters())),
             printable(row.path ? algebra::callPathText(program, *row.path, names) : row.metric)});
    return table;
}

std::string studyWords(const ScalingReport& report) {
    return counted(report.study.runs().size(), "run") + " of " +
           counted(report.study.groups().size(), "size") + '.' +
           (report.table ? ' ' + scalingWords(*report.table) : "");
}

std::string pointWords(const ScalingReport& report) {
    return "Predicted for " + pointText(report.study, report.models->at) +
           "; values are those of a thread, on average.";
}

std::vector<Growing> listedPaths(const ScalingReport& report) {
    const std::vector<Growing>& all = report.models->paths;
    const std::size_t listed = report.top.of(all.size());
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(listed)};
}

std::string nameOf(const Growing& growing, const algebra::Experiment& program) {
    return growing.path ? algebra::callPathText(program, *growing.path) : std::string();
}

std::string scalingText(const ScalingReport& report, const Style& style) {
    std::string text = studyWords(report) + "\n\n";
    text += report.table ? aligned(sizeTable(report), style, false) + style.faint(kExplanation)
                         : "No efficiencies: " + report.withoutTable + ".\n";
    text += '\n';
    if (report.models) return text + modelTables(report, style);
    return text + "No models: " + report.withoutModels + ".\n";
}

}  // namespace holos::cli
