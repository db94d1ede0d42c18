// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "algebra/model/metric_values.h"
#include "base/error.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/export/export_format.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

struct OwnedFormat {
    std::unique_ptr<ExportFormat> format;
    std::vector<Option> options;  ///< that no other format has
};

struct ExportOptions {
    std::string file;
    std::vector<OwnedFormat> formats;
    const ExportFormat* format = nullptr;
    std::vector<std::string> metrics;
    std::string output;
    bool zeros = false;
    bool communication = false;
};

/// The smallest or largest value of a call path and those that it calls.
SeverityTable extremesBelow(const Experiment& experiment, const SeverityTable& own, bool isLargest) {
    SeverityTable all = own;
    for (std::size_t i = experiment.callTree.size(); i-- > 0;) {  // callees stand behind their callers
        const auto caller = experiment.callTree.parent(CallPathId(i));
        if (!caller || !all.hasRow(CallPathId(i))) continue;
        const bool isNew = !all.hasRow(*caller);
        const auto to = all.editRow(*caller);
        if (isNew) std::ranges::fill(to, all.missing());
        const auto from = all.row(CallPathId(i));
        for (std::size_t at = 0; at < to.size(); ++at)
            to[at] = isLargest ? std::max(to[at], from[at]) : std::min(to[at], from[at]);
    }
    return all;
}

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, ValueSink& sink) {
    MetricValues values(experiment, {});
    const SeverityTable& all = values.everywhere(metric);
    const ValueType type = experiment.metrics[metric].valueType;
    const bool isExtreme = type == ValueType::MinDouble || type == ValueType::MaxDouble;
    SeverityTable extremes;
    if (isExtreme && all.callPaths() > 0)
        extremes = extremesBelow(experiment, all, type == ValueType::MaxDouble);
    const SeverityTable& inclusive = isExtreme ? extremes : values.everywhere(metric, Extent::Inclusive);
    const auto valueIn = [](const SeverityTable& from, CallPathId path, std::size_t at) {
        return from.callPaths() == 0 ? from.missing() : from.at(path, LocationId(at));
    };
    for (const CallPathId path : experiment.callTree.ids())
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
            const double value = valueIn(all, path, at);
            if (zeros || value != all.missing())
                sink.add({metric, path, LocationId(at), value, valueIn(inclusive, path, at)});
        }
}

/// Throws `UsageError` where an option was given that another format has.
void refuseOptionsOfOthers(const ExportOptions& options) {
    for (const OwnedFormat& each : options.formats)
        for (const Option& option : each.options)
            if (each.format.get() != options.format && option.isGiven())
                throw UsageError(option.name() + ": is for --format " + each.format->word());
}

void exportCommunication(const Experiment& experiment, const ExportOptions& options) {
    const std::string table = options.format->communication(experiment, options.file);
    ExportOutput output(options.output);
    output.write(table);
    output.finish();
}

void exportValues(const Experiment& experiment, const ExportOptions& options) {
    std::vector<MetricId> named;
    for (const std::string& name : options.metrics)
        named.push_back(metricNamed(experiment, name, options.file));
    const auto metrics = options.format->metrics(experiment, named);
    ExportOutput output(options.output);
    const auto sink = options.format->valuesTo(output, experiment);
    for (const MetricId metric : metrics) {
        try {
            exportMetric(experiment, metric, options.zeros, *sink);
        } catch (const Error& error) {
            const std::string& name = experiment.metrics[metric].uniqueName;
            if (experiment.metrics[metric].hasValues() || !options.metrics.empty())
                throw Error("metric \"" + name + "\": " + error.what(), Place{.file = options.file});
            complain("note: metric \"" + name + "\" is left out: " + error.what());
        }
    }
    sink->finish();
    output.finish();
}

void exportExperiment(const ExportOptions& options) {
    refuseOptionsOfOthers(options);
    const Experiment experiment = readExperiment(options.file);
    if (options.communication) return exportCommunication(experiment, options);
    exportValues(experiment, options);
}

void addFormats(Command& command, ExportOptions& options) {
    for (auto& format : makeExportFormats()) options.formats.push_back({std::move(format), {}});
    options.format = options.formats.front().format.get();
    std::vector<std::pair<std::string, const ExportFormat*>> words;
    for (const OwnedFormat& each : options.formats)
        words.emplace_back(each.format->word(), each.format.get());
    addChoice(command, "--format", options.format, words, "Format of the table")
        .showDefault(options.format->word());
}

}  // namespace

void addExport(Command& app) {
    auto options = std::make_shared<ExportOptions>();
    Command command = app.command("export", "Write values as a table for data frames");
    command.option("file", options->file, "Experiment (.cubex, .cube), or its folder").required();
    addFormats(command, *options);
    command.option("--metric", options->metrics,
                   "Only this metric (unique or displayed name); may be given several times");
    command.option("-o,--output", options->output, "Where the table goes (default: standard output)")
        .onlyOnCommandLine();
    const Option zeros = command.flag("--zeros", options->zeros, "Also write rows with value zero");
    command
        .flag("--communication", options->communication,
              "Instead of values: who sent how many messages and bytes to whom, and who waited for whom")
        .excludes(command.find("--metric"))
        .excludes(zeros);
    for (OwnedFormat& each : options->formats) each.options = each.format->addOptions(command);
    command.footer(
        "One row per metric, call path and location. Values are exclusive along the call tree (inclusive "
        "ones "
        "are\n"
        "a column of their own), and inclusive along the metric tree.\n"
        "Examples:\n"
        "  holos export run/analysis.cubex --metric mpi_latesender -o late.csv\n"
        "  holos export run/analysis.cubex --communication -o messages.csv");
    command.action([options] { exportExperiment(*options); });
}

}  // namespace holos::cli
