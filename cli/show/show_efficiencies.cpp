// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/summary/words.h"
#include "analyzer/metric_guide.h"
#include "base/choice_words.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

struct EfficiencyLine {
    std::optional<CallPathId> path;  ///< nothing: the whole program
    Efficiencies values;
};

/// A column of the table. `value` is nothing where the experiment has no such level.
struct Column {
    const char* key;
    const char* heading;
    std::optional<double> (*value)(const algebra::Efficiencies&);
};

template <auto Level, auto Member>
std::optional<double> of(const algebra::Efficiencies& values) {
    const auto& level = values.*Level;
    return level ? std::optional((*level).*Member) : std::nullopt;
}

using algebra::Efficiencies;
constexpr auto kMpi = &Efficiencies::mpi;
constexpr auto kOpenMp = &Efficiencies::openMp;

constexpr std::array kColumns{
    Column{"runtime", "runtime", [](const Efficiencies& v) { return std::optional(v.runtime); }},
    Column{"parallel", "parallel", [](const Efficiencies& v) { return std::optional(v.parallel); }},
    Column{"mpi", "MPI", of<kMpi, &Efficiencies::Mpi::parallel>},
    Column{"mpi_load_balance", "balance", of<kMpi, &Efficiencies::Mpi::loadBalance>},
    Column{"mpi_communication", "commun.", of<kMpi, &Efficiencies::Mpi::communication>},
    Column{"mpi_serialisation", "serial.", of<kMpi, &Efficiencies::Mpi::serialisation>},
    Column{"mpi_transfer", "transfer", of<kMpi, &Efficiencies::Mpi::transfer>},
    Column{"openmp", "OpenMP", of<kOpenMp, &Efficiencies::OpenMp::parallel>},
    Column{"openmp_serial_regions", "serial", of<kOpenMp, &Efficiencies::OpenMp::serialRegions>},
    Column{"openmp_parallel_regions", "regions", of<kOpenMp, &Efficiencies::OpenMp::parallelRegions>},
    Column{"processors", "has CPU", [](const Efficiencies& v) { return v.processors; }},
};
constexpr std::size_t kWidth = 9;

constexpr const char* kUntold =
    "-: not known, because nothing was executed, or because threads compute that are in no OpenMP team, or "
    "while\n"
    "the first thread of their process is in MPI.\n";

/// Where serialisation and transfer come from: a replay of the run, an estimate from its wait states, or
/// nowhere, as a profile does not tell waiting from transfer.
enum class TransferSource : unsigned char { Replay, Estimate, Unknown };
constexpr auto wordsOf(TransferSource) {
    return std::array{std::pair{"replay", TransferSource::Replay},
                      std::pair{"estimate", TransferSource::Estimate},
                      std::pair{"unknown", TransferSource::Unknown}};
}

/// Nothing without MPI.
std::optional<TransferSource> sourceOf(const std::vector<EfficiencyLine>& lines) {
    if (lines.empty() || !lines.front().values.mpi) return std::nullopt;
    if (lines.front().values.mpi->isWithoutWaits) return TransferSource::Unknown;
    return lines.front().values.mpi->isByReplay ? TransferSource::Replay : TransferSource::Estimate;
}

constexpr const char* kByReplay = "serial. and transfer: by replay of the run on an ideal network.\n";
constexpr const char* kByEstimate =
    "serial. and transfer: estimates from the wait states; 'holos analyze --replay' makes them exact.\n";
constexpr const char* kUnknown =
    "serial. and transfer: not known, as a profile does not tell waiting from transfer; a trace does ('holos "
    "record'\n"
    "without --profile).\n";

constexpr const char* kHasProcessors =
    "has CPU: of the time in which threads could compute, the part in which they had a processor.\n";

const char* sourceText(TransferSource source) {
    switch (source) {
        case TransferSource::Replay:
            return kByReplay;
        case TransferSource::Estimate:
            return kByEstimate;
        case TransferSource::Unknown:
            return kUnknown;
    }
    return "";
}

bool needsWaits(const Column& column) {
    const std::string_view key = column.key;
    return key == "mpi_serialisation" || key == "mpi_transfer";
}

/// Only where a program can compute efficiencies say something.
bool isComputation(const Experiment& experiment, CallPathId path) {
    const std::string& paradigm = experiment.regionOf(path).paradigm;
    const bool sleeps = paradigm == "none" && experiment.regionOf(path).module == "system";
    return paradigm != "mpi" && paradigm != "measurement" && !sleeps && experiment.callTree.parent(path);
}

std::string lineName(const Experiment& experiment, const EfficiencyLine& line) {
    return line.path ? callPathText(experiment, *line.path) : "whole program";
}

std::vector<Column> columnsOf(const std::vector<EfficiencyLine>& lines) {
    std::vector<Column> columns;
    for (const Column& column : kColumns)
        if (!lines.empty() && column.value(lines.front().values)) columns.push_back(column);
    return columns;
}

bool isOfProcessors(const Column& column) {
    return std::string_view(column.key) == "processors";
}

/// Call paths may never lack the processors that the program lacks elsewhere.
double valueIn(const Column& column, const Efficiencies& values) {
    const double none = isOfProcessors(column) ? 1 : std::nan("");
    return column.value(values).value_or(none);
}

std::string cell(double value, bool isRuntime) {
    if (std::isnan(value)) return fmt::format("{:>{}}", "-", kWidth);
    return isRuntime ? fmt::format("{:>{}.4g}", value, kWidth) : fmt::format("{:>{}.3f}", value, kWidth);
}

/// The whole program, and below it the call paths that take most time, in the order of the call tree.
std::vector<EfficiencyLine> efficiencyLines(const Experiment& experiment, AtMost top) {
    std::vector<EfficiencyLine> lines{
        {std::nullopt, algebra::efficiencies(experiment, analyzer::metricGuide())}};
    const std::vector<double> time =
        perCallPath(experiment, {*experiment.findMetric("time")}, Extent::Inclusive);
    std::vector<CallPathId> paths;
    for (const CallPathId path : experiment.callTree.ids())
        if (time[path.index()] > 0 && isComputation(experiment, path)) paths.push_back(path);
    std::ranges::stable_sort(paths,
                             [&](CallPathId a, CallPathId b) { return time[a.index()] > time[b.index()]; });
    paths.resize(top.of(paths.size()));
    std::ranges::sort(paths);
    for (const CallPathId path : paths) {
        const Efficiencies values =
            algebra::efficiencies(experiment, analyzer::metricGuide(), {{path, Extent::Inclusive}});
        if (values.runtime > 0) lines.push_back({path, values});  // else only threads that sleep come there
    }
    return lines;
}

/// Seconds of all processes, where they matter: more than a hundredth of the run.
double withoutProcessorInMpi(const std::vector<EfficiencyLine>& lines) {
    constexpr double kMatters = 0.01;
    const Efficiencies& all = lines.front().values;
    return all.mpi && all.mpi->withoutProcessor > kMatters * all.runtime ? all.mpi->withoutProcessor : 0;
}

std::string text(const Experiment& experiment, const std::vector<EfficiencyLine>& lines, const Style& style) {
    const std::vector<Column> columns = columnsOf(lines);
    std::string heading;
    for (const Column& column : columns) heading += fmt::format("{:>{}}", column.heading, kWidth);
    std::string out = style.strong(heading + "  call path") + '\n';
    const auto source = sourceOf(lines);
    bool isUntold = false;
    for (const EfficiencyLine& line : lines) {
        for (const Column& column : columns) {
            const double value = valueIn(column, line.values);
            out += cell(value, column.key == kColumns.front().key);
            const bool isExplained = source == TransferSource::Unknown && needsWaits(column);
            isUntold = isUntold || (!isExplained && std::isnan(value));
        }
        out += "  " + printable(lineName(experiment, line)) + '\n';
    }
    if (isUntold) out += style.faint(kUntold);
    if (source) out += style.faint(sourceText(*source));
    if (lines.front().values.processors) out += style.faint(kHasProcessors);
    if (const double lacking = withoutProcessorInMpi(lines); lacking > 0)
        out += style.faint(fmt::format(
            "Processes had no processor for {} within MPI's calls, though they could run: that counts as "
            "communication, and is no fault of the network.\n",
            secondsText(lacking)));
    return out;
}

std::string csv(const Experiment& experiment, const std::vector<EfficiencyLine>& lines) {
    const std::vector<Column> columns = columnsOf(lines);
    const auto source = sourceOf(lines);
    const std::string lastField = source ? std::string(",") + wordOf(*source) + '\n' : "\n";
    std::string out = "call_path";
    for (const Column& column : columns) out += std::string(",") + column.key;
    out += source ? ",transfer_by\n" : "\n";
    for (const EfficiencyLine& line : lines) {
        out += csvField(lineName(experiment, line));
        for (const Column& column : columns) out += ',' + csvField(valueIn(column, line.values));
        out += lastField;
    }
    return out;
}

std::string json(const Experiment& experiment, const std::vector<EfficiencyLine>& lines) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const EfficiencyLine& line : lines) {
        nlohmann::ordered_json row{{"call_path", lineName(experiment, line)}};
        for (const Column& column : columnsOf(lines)) row[column.key] = valueIn(column, line.values);
        rows.push_back(std::move(row));
    }
    nlohmann::ordered_json all{{"efficiencies", rows}};
    if (const auto source = sourceOf(lines)) all["transfer_by"] = wordOf(*source);
    return jsonText(all, 2) + '\n';
}

}  // namespace

std::string showEfficiencies(const Experiment& experiment, const ShowRequest& request,
                             const Style& style) try {
    const std::vector<EfficiencyLine> lines = efficiencyLines(experiment, request.top);
    return inFormat(
        request.format, [&] { return text(experiment, lines, style); },
        [&] { return csv(experiment, lines); }, [&] { return json(experiment, lines); });
} catch (const Error& error) {
    throw Error(error.message(), Place{.file = request.file});
}

}  // namespace holos::cli
