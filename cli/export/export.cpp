// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <string>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"
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
    if ((options.request.from || options.request.to) && !options.format->isOverTime())
        throw UsageError(std::string(options.request.from ? "--from" : "--to") +
                         ": is for --format chrome and perfetto");
    if (!options.request.processes.empty() && !options.format->isOverTime())
        throw UsageError("--processes: is for --format chrome and perfetto; holos cut cuts experiments");
    if (options.request.files.size() > 1 && !options.format->takesSeveralFiles())
        throw UsageError(options.request.files[1] + ": --format " + options.format->word() +
                         " has place for one experiment");
}

void addFormats(Command& command, ExportOptions& options) {
    for (auto& format : makeExportFormats()) options.formats.push_back({std::move(format), {}});
    options.format = options.formats.front().format.get();
    std::vector<std::pair<std::string, const ExportFormat*>> words;
    for (const OwnedFormat& each : options.formats)
        words.emplace_back(each.format->word(), each.format.get());
    addChoice(command, "--format", options.format, words, "Format of the file")
        .showDefault(options.format->word());
}

}  // namespace

void addExport(Command& app) {
    auto options = std::make_shared<ExportOptions>();
    Command command = app.command("export", "Write values or a timeline for other tools");
    command
        .option("file", options->request.files,
                "Experiment (.cubex, .cube), or its folder; for --format chrome and perfetto the run's "
                "folder; for --format extrap several")
        .required()
        .ofFiles();
    addFormats(command, *options);
    command.option("--metric", options->request.metrics,
                   "Only this metric (unique or displayed name); may be given several times");
    command.option("-o,--output", options->output, "File to write (default: standard output)")
        .onlyOnCommandLine();
    const Option zeros = command.flag("--zeros", options->request.zeros, "Also write rows with value zero");
    command
        .flag("--communication", options->request.communication,
              "Instead of values: who sent how many messages and bytes to whom, and who waited for whom")
        .excludes(command.find("--metric"))
        .excludes(zeros);
    command
        .option("--from", options->request.from,
                "With --format chrome or perfetto: begin at this second of the run")
        .notNegative();
    command
        .option("--to", options->request.to,
                "With --format chrome or perfetto: end at this second of the run")
        .notNegative();
    command
        .option(
            "--processes LIST", options->request.processes,
            "With --format chrome or perfetto: only these processes, by their numbers (MPI ranks), such as "
            "0,5,7")
        .separatedBy(',');
    for (OwnedFormat& each : options->formats) each.options = each.format->addOptions(command);
    command.footer(
        "Tables (csv, json, parquet) have one row per metric, call path and location. Their values are exclusive "
        "along the call tree (inclusive ones are\n"
        "a column of their own), and inclusive along the metric tree.\n"
        "Examples:\n"
        "  holos export run/analysis.cubex --metric mpi_latesender -o late.csv\n"
        "  holos export run/analysis.cubex --communication -o messages.csv\n"
        "  holos export run --format perfetto --from 2 --to 3 -o run.perfetto-trace   # for ui.perfetto.dev\n"
        "  holos export p4 p8 p16 p32 p64 --format extrap --metric time -o study.jsonl");
    command.action([options] {
        refuseOptionsOfOthers(*options);
        ExportOutput output(options->output);
        options->format->write(options->request, output);
        output.finish();
    });
}

}  // namespace holos::cli
