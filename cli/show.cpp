// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "algebra/files/experiment_file.h"
#include "cli/commands.h"
#include "cli/show_formats.h"
#include "cli/summary.h"

namespace holos::cli {
namespace {

struct ShowOptions {
    std::string file;
    std::string metric;
    std::string format = "text";
    std::size_t top = 10;
    bool all = false;
};

void show(const ShowOptions& options) {
    const algebra::Experiment experiment = algebra::readExperiment(options.file);
    ShowRequest request{options.file, std::nullopt, options.top, options.all};
    if (!options.metric.empty()) request.metric = metricNamed(experiment, options.metric, options.file);
    if (options.format == "csv")
        print(showCsv(experiment, request));
    else if (options.format == "json")
        print(showJson(experiment, request));
    else
        print(showText(experiment, request, styleOfOutput()));
}

}  // namespace

void addShow(CLI::App& app) {
    auto options = std::make_shared<ShowOptions>();
    CLI::App* command =
        app.add_subcommand("show", "Print an experiment: metrics, wait states, hottest call paths");
    command->add_option("file", options->file, "Experiment (.cubex, .cube)")->required();
    command->add_option("--metric", options->metric,
                        "Only this metric (unique or displayed name): call paths and locations");
    command->add_option("--top", options->top, "How many wait states or call paths; 0 for all")
        ->capture_default_str();
    command->add_flag("--all", options->all, "List metrics and locations with value zero, too");
    command->add_option("--format", options->format, "How to print")
        ->check(CLI::IsMember({"text", "csv", "json"}))
        ->capture_default_str();
    command->footer("Example: holos show run/analysis.cubex --metric mpi_latesender --top 5");
    command->callback([options] { show(*options); });
}

}  // namespace holos::cli
