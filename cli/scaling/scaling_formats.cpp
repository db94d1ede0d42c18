// SPDX-License-Identifier: BSD-3-Clause
#include "cli/scaling/scaling_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algebra/model/call_names.h"
#include "base/csv.h"
#include "base/function_name.h"
#include "base/json.h"
#include "base/markup.h"
#include "base/printable.h"
#include "base/text.h"
#include "report/formats.h"
#include "report/plot/curves.h"

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

std::string modelsOnPage(const ScalingReport& report) {
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
           modelsOnPage(report) + "</body></html>\n";
}

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const ScalingReport& report, const SizeRow& row) {
    Json parameters = Json::object(), names = Json::array();
    for (std::size_t i = 0; i < row.group.at.size(); ++i)
        parameters[report.study.parameters()[i]] = row.group.at[i];
    for (const std::size_t run : row.group.runs) names.push_back(report.study.runs()[run].name);
    Json json{{"parameters", std::move(parameters)},
              {"processes", row.group.processes},
              {"threads", row.group.threads},
              {"experiments", std::move(names)},
              {"runtime", row.runtime},
              {"speedup", row.speedup},
              {"global", row.global},
              {"parallel", row.efficiencies.parallel}};
    if (const auto& mpi = row.efficiencies.mpi) {
        json["mpi"] = mpi->parallel;
        json["mpi_load_balance"] = mpi->loadBalance;
        json["mpi_serialisation"] = mpi->serialisation;
        json["mpi_transfer"] = mpi->transfer;
    }
    if (const auto& openMp = row.efficiencies.openMp) json["openmp"] = openMp->parallel;
    if (const auto& processors = row.efficiencies.processors) json["processors"] = *processors;
    json["computation"] = row.computation;
    json["instructions"] = orNull(row.instructions);
    json["instructions_per_cycle"] = orNull(row.perCycle);
    json["frequency"] = orNull(row.frequency);
    return json;
}

Json jsonOf(const ScalingReport& report, const Growing& growing) {
    const ModelChoice& choice = growing.model;
    Json json{{"metric", growing.metric}};
    if (growing.path) json["call_path"] = growingName(growing, report.study.program());
    json["measured"] = growing.measured;
    json["predicted"] = growing.predicted.value;
    json["low"] = growing.predicted.low;
    json["high"] = growing.predicted.high;
    json["share"] = growing.share;
    json["law"] = choice.model().text(report.study.parameters());
    json["fits"] = choice.quality().fits;
    json["r_squared"] = orNull(choice.quality().explained);
    json["cross_error_percent"] = choice.quality().crossError;
    return json;
}

Json modelsInJson(const ScalingReport& report) {
    if (!report.models) return {{"missing", report.withoutModels}};
    Json at = Json::object(), metrics = Json::array(), paths = Json::array();
    for (std::size_t i = 0; i < report.models->at.size(); ++i)
        at[report.study.parameters()[i]] = report.models->at[i];
    for (const Growing& each : report.models->metrics) metrics.push_back(jsonOf(report, each));
    for (const Growing& each : listedPaths(report)) paths.push_back(jsonOf(report, each));
    return {{"at", std::move(at)}, {"metrics", std::move(metrics)}, {"call_paths", std::move(paths)}};
}

std::string sizesCsv(const ScalingReport& report) {
    std::string text;
    for (const std::string& parameter : report.study.parameters())
        if (parameter != "processes" && parameter != "threads") text += csvField(parameter) + ',';
    text +=
        "processes,threads,runs,runtime,speedup,global,parallel,mpi_load_balance,mpi_serialisation,"
        "mpi_transfer,openmp,processors,computation,instructions,instructions_per_cycle,frequency\n";
    const double none = std::nan("");
    for (const SizeRow& row : report.table->rows) {
        for (std::size_t i = 0; i < row.group.at.size(); ++i)
            if (report.study.parameters()[i] != "processes" && report.study.parameters()[i] != "threads")
                text += csvField(row.group.at[i]) + ',';
        const auto& mpi = row.efficiencies.mpi;
        const auto& openMp = row.efficiencies.openMp;
        text += std::to_string(row.group.processes) + ',' + std::to_string(row.group.threads) + ',' +
                std::to_string(row.group.runs.size());
        for (const double value :
             {row.runtime, row.speedup, row.global, row.efficiencies.parallel, mpi ? mpi->loadBalance : none,
              mpi ? mpi->serialisation : none, mpi ? mpi->transfer : none, openMp ? openMp->parallel : none,
              row.efficiencies.processors.value_or(none), row.computation, row.instructions.value_or(none),
              row.perCycle.value_or(none), row.frequency.value_or(none)})
            text += ',' + csvField(value);
        text += '\n';
    }
    return text;
}

std::string modelLine(const ScalingReport& report, const Growing& growing) {
    std::string text =
        csvField(growing.metric) + ',' + csvField(growingName(growing, report.study.program()));
    for (const double value :
         {growing.measured.back(), growing.predicted.value, growing.predicted.low, growing.predicted.high,
          growing.share, growing.model.quality().explained.value_or(std::nan("")),
          growing.model.quality().crossError})
        text += ',' + csvField(value);
    return text + ',' + csvField(growing.model.law(report.study.parameters())) + '\n';
}

}  // namespace

std::string scalingCsv(const ScalingReport& report, bool sizes) {
    if (sizes) return sizesCsv(report);
    std::string text =
        "metric,call_path,largest,predicted,low,high,share,r_squared,cross_error_percent,law\n";
    if (!report.models) return text;
    for (const Growing& each : report.models->metrics) text += modelLine(report, each);
    for (const Growing& each : listedPaths(report)) text += modelLine(report, each);
    return text;
}

std::string scalingJson(const ScalingReport& report) {
    Json json = Json::object();
    if (report.table) {
        Json sizes = Json::array();
        for (const SizeRow& row : report.table->rows) sizes.push_back(jsonOf(report, row));
        json = {{"scaling", report.table->scaling == Scaling::Strong ? "strong" : "weak"},
                {"scaling_found", report.table->isFound},
                {"threads_grew", report.table->threadsGrew},
                {"work_grew", report.table->workGrew},
                {"sizes", std::move(sizes)}};
    } else {
        json["without_sizes"] = report.withoutTable;
    }
    json["models"] = modelsInJson(report);
    return jsonText(json, 2) + '\n';
}

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
        {"has CPU", [](const SizeRow& row) { return optional(row.efficiencies.processors); }},
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

/// The work of all threads grows neither as little as that of one problem, nor as much as their number.
bool isBetween(const ScalabilityTable& table) {
    constexpr double kOfOneProblem = 0.25, kOfTheThreads = 0.75;
    const double order = std::log(table.workGrew) / std::log(table.threadsGrew);
    return table.isFound && order > kOfOneProblem && order < kOfTheThreads;
}

std::string scalingWords(const ScalabilityTable& table) {
    const bool strong = table.scaling == Scaling::Strong;
    std::string text = strong ? "Strong scaling: all runs solve one problem"
                              : "Weak scaling: the problem grows with the threads";
    if (table.isFound)
        text += fmt::format(" ({}: the work of all threads {}, and their number {}; {})",
                            isBetween(table) ? "a guess" : "found", changeWords(table.workGrew),
                            changeWords(table.threadsGrew),
                            isBetween(table) ? "if it is wrong, give --problem" : "--problem overrides this");
    return text + ".";
}

constexpr const char* kExplanation =
    "global = parallel x comput.; comput.: computation that the smallest runs need for the same work, "
    "divided\nby what is needed here; it is instr. x IPC x frequency where these were counted. 1 is perfect "
    "(POP).\n";

constexpr const char* kHasProcessors =
    "has CPU: of the time in which threads could compute, the part in which they had a processor.\n";

/// What the headings of the table mean.
std::string explanation(const ScalabilityTable& table) {
    const bool isStarved = std::ranges::any_of(
        table.rows, [](const SizeRow& row) { return row.efficiencies.processors.has_value(); });
    return std::string(kExplanation) + (isStarved ? kHasProcessors : "");
}

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

std::string growingName(const Growing& growing, const algebra::Experiment& program) {
    return growing.path ? algebra::callPathText(program, *growing.path) : std::string();
}

std::string scalingText(const ScalingReport& report, const Style& style) {
    std::string text = studyWords(report) + "\n\n";
    text += report.table ? aligned(sizeTable(report), style, false) + style.faint(explanation(*report.table))
                         : "No efficiencies: " + report.withoutTable + ".\n";
    text += '\n';
    if (report.models) return text + modelTables(report, style);
    return text + "No models: " + report.withoutModels + ".\n";
}

}  // namespace holos::cli
