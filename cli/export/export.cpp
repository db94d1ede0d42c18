// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <string>
#include <vector>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/export/export_format.h"

namespace holos::cli {

namespace {

struct OwnedFormat {
    std::unique_ptr<ExportFormat> format;
    std::vector<Option> options;  ///< that no other format has
};

struct ExportOptions {
    ExportRequest request;
    std::vector<OwnedFormat> formats;
    const ExportFormat* format = nullptr;
    std::string output;
};

/// Throws `UsageError` where an option was given that another format has.
void refuseOptionsOfOthers(const ExportOptions& options) {
    for (const OwnedFormat& each : options.formats)
        for (const Option& option : each.options)
            if (each.format.get() != options.format && option.isGiven())
                throw UsageError(option.name() + ": is for --format " + each.format->word());
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
    command
        .option("file", options->request.file,
                "Experiment (.cubex, .cube), or its folder; for --format chrome the run's folder")
        .required();
    addFormats(command, *options);
    command.option("--metric", options->request.metrics,
                   "Only this metric (unique or displayed name); may be given several times");
    command.option("-o,--output", options->output, "Where the table goes (default: standard output)")
        .onlyOnCommandLine();
    const Option zeros = command.flag("--zeros", options->request.zeros, "Also write rows with value zero");
    command
        .flag("--communication", options->request.communication,
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
        "  holos export run/analysis.cubex --communication -o messages.csv\n"
        "  holos export run --format chrome --from 2 --to 3 -o run.json   # for https://ui.perfetto.dev");
    command.action([options] {
        refuseOptionsOfOthers(*options);
        ExportOutput output(options->output);
        options->format->write(options->request, output);
        output.finish();
    });
}

}  // namespace holos::cli
