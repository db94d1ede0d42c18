// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algebra/model/call_names.h"
#include "base/counted.h"
#include "base/short_name.h"
#include "cli/scaling_formats.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

constexpr std::size_t kWidth = 10;

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

std::string sizeTable(const ScalingReport& report, const Style& style) {
    std::vector<SizeColumn> columns = sizeColumns(report.study);
    const auto& rows = report.table.rows;
    std::erase_if(columns, [&](const SizeColumn& column) {
        return std::all_of(rows.begin(), rows.end(),
                           [&](const SizeRow& row) { return column.text(row).empty(); });
    });
    std::string heading, text;
    for (const SizeColumn& column : columns)
        heading +=
            fmt::format("{:>{}}", printable(column.heading), std::max(kWidth, column.heading.size() + 1));
    for (const SizeRow& row : rows) {
        for (const SizeColumn& column : columns)
            text += fmt::format("{:>{}}", column.text(row), std::max(kWidth, column.heading.size() + 1));
        text += '\n';
    }
    return style.strong(heading) + '\n' + text;
}

std::string scalingWords(const ScalabilityTable& table) {
    const bool strong = table.scaling == Scaling::Strong;
    std::string text = strong ? "Strong scaling: all runs solve one problem"
                              : "Weak scaling: the problem grows with the threads";
    if (table.isFound)
        text += fmt::format(
            " (found: the work of all threads grew by {:.3g} times, threads by {:.3g} times; "
            "--problem says otherwise)",
            table.workGrew, table.threadsGrew);
    return text + ".\n";
}

constexpr const char* kExplanation =
    "global = parallel x comput.; comput.: computation that the smallest runs need for the same work, as a "
    "part "
    "of\nwhat is needed here, and instr. x IPC x frequency where these were counted. 1 is perfect (POP).\n";

std::string pointText(const Study& study, const Point& at) {
    std::string text;
    for (std::size_t i = 0; i < at.size(); ++i)
        text += fmt::format("{}{:g} {}", i == 0 ? "" : " and ", at[i], printable(study.parameters()[i]));
    return text;
}

std::string interval(const Prediction& prediction) {
    return fmt::format("{:.3g} … {:.3g}", prediction.low, prediction.high);
}

/// A table of models, as wide as its laws.
class ModelTable {
  public:
    ModelTable(const ScalingReport& report, const std::vector<Growing>& rows) : rows_(rows) {
        for (const Growing& row : rows) {
            laws_.push_back(printable(row.model.model().text(report.study.parameters())));
            lawWidth_ = std::max(lawWidth_, columnsOf(laws_.back()));
        }
    }

    std::string text(const Style& style, const std::string& heading,
                     const std::function<std::string(const Growing&)>& nameOf) const {
        std::string text = style.strong(fmt::format("{:>11} {:>11}  {:<21}  {:>5}  {:>5}  {:>7}  {:<{}}  {}",
                                                    "largest", "predicted", "with 95 % confidence", "%", "R²",
                                                    "error %", "law", lawWidth_, heading)) +
                           '\n';
        for (std::size_t i = 0; i < rows_.size(); ++i)
            text +=
                fmt::format("{:>11.4g} {:>11.4g}  {:<21}  {:>5.1f}  {:>5.3f}  {:>7.1f}  {:<{}}  {}\n",
                            rows_[i].measured.back(), rows_[i].predicted.value, interval(rows_[i].predicted),
                            100 * rows_[i].share, rows_[i].model.quality().explained,
                            rows_[i].model.quality().crossError, laws_[i], lawWidth_, nameOf(rows_[i]));
        return text;
    }

  private:
    const std::vector<Growing>& rows_;
    std::vector<std::string> laws_;
    std::size_t lawWidth_ = 3;
};

std::string modelTables(const ScalingReport& report, const Style& style) {
    const ScalingModels& models = *report.models;
    std::string text = fmt::format("Predicted for {}; values are those of a thread, on average.\n",
                                   pointText(report.study, models.at));
    text += ModelTable(report, models.metrics).text(style, "metric", [](const Growing& each) {
        return printable(each.metric);
    });
    if (models.paths.empty()) return text;
    const algebra::Experiment& program = report.study.program();
    const ShortNames names = algebra::shortNamesOf(program);
    const std::vector<Growing> listed = listedPaths(report);
    text += '\n' + ModelTable(report, listed)
                       .text(style, "call path, of " + printable(models.paths.front().metric),
                             [&](const Growing& each) {
                                 return printable(algebra::callPathText(program, *each.path, names));
                             });
    if (listed.size() < models.paths.size())
        text += fmt::format("and {} more; --top 0 lists all\n", models.paths.size() - listed.size());
    return text;
}

}  // namespace

std::vector<Growing> listedPaths(const ScalingReport& report) {
    const std::vector<Growing>& all = report.models->paths;
    const std::size_t listed = report.top == 0 ? all.size() : std::min(report.top, all.size());
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(listed)};
}

std::string nameOf(const Growing& growing, const algebra::Experiment& program) {
    return growing.path ? algebra::callPathText(program, *growing.path) : std::string();
}

std::string scalingText(const ScalingReport& report, const Style& style) {
    std::string text = counted(report.study.runs().size(), "run") + " of " +
                       counted(report.study.groups().size(), "size") + ". " + scalingWords(report.table);
    text += '\n' + sizeTable(report, style) + style.faint(kExplanation) + '\n';
    if (report.models) return text + modelTables(report, style);
    return text + "No models: " + report.withoutModels + ".\n";
}

}  // namespace holos::cli
