// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "base/function_name.h"
#include "base/output_file.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/plot/plot.h"

namespace holos::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPartsOfText = 60;
constexpr std::size_t kPartsOfFile = 400;

/// What is written to a file, by the ending of its name.
enum class PlotFormat : unsigned char { Svg, Csv };
constexpr auto wordsOf(PlotFormat) {
    return std::array{std::pair{"svg", PlotFormat::Svg}, std::pair{"csv", PlotFormat::Csv}};
}

struct Options {
    plot::Request request;
    std::vector<std::string> metrics;
    std::optional<std::size_t> parts;
    fs::path output;
    bool fullNames = false;
    bool progress = false;
};

void shortenNames(plot::Plot& plot) {
    std::vector<std::string> names;
    for (const plot::RegionShare& region : plot.regions) names.push_back(region.name);
    const ShortNames shortNames(names);
    for (plot::RegionShare& region : plot.regions) region.name = shortNames.of(region.name);
}

std::string plotIn(PlotFormat format, const plot::Plot& plot) {
    return inFormat(
        format, [&] { return svgOf(plot); }, [&] { return csvOf(plot); });
}

void plotTrace(const Options& options) {
    std::optional<PlotFormat> format;  // nothing: text to the terminal
    if (!options.output.empty()) format = choiceByEnding<PlotFormat>(options.output);
    plot::Request request = options.request;
    request.metrics = Chosen<std::string>::orAll(options.metrics);
    request.parts = options.parts.value_or(options.output.empty() ? kPartsOfText : kPartsOfFile);
    const auto bar = progressBar("reading", options.progress);
    plot::Plot plot = readPlot(request, [&](double part) {
        if (bar) bar({part, 0});
    });
    if (!options.fullNames) shortenNames(plot);
    for (const std::string& problem : plot.problems) complain(problem);
    if (!format) return print(plotText(plot));
    writeFile(options.output, plotIn(*format, plot));
    print(printable(options.output.string()) + '\n');
}

}  // namespace

void addPlot(Command& app) {
    const auto options = std::make_shared<Options>();
    Command command = app.command("plot", "Show counters, sensors and other metrics of a trace over time");
    command
        .option("trace", options->request.trace,
                "Folder of a recording or of an OTF2 archive, or its .otf2 file")
        .required()
        .ofFiles();
    command.option("-o,--output FILE", options->output, "A picture (.svg) or a table (.csv), instead of text")
        .onlyOnCommandLine();
    command.option("--metric NAME", options->metrics, "Only this metric; may be given several times");
    command.option("--from SECONDS", options->request.from,
                   "Start of the plot, in seconds since the start of the trace");
    command.option("--to SECONDS", options->request.to, "End of the plot");
    command
        .option("--parts N", options->parts,
                "Number of intervals that have one value each (default: 60; in files 400)")
        .between(1, 100'000);
    command.flag("--sum", options->request.summed,
                 "For metrics that only grow, show the sum over all locations instead of a line for each");
    command.flag("--each-location", options->request.eachLocation,
                 "Show a line for each location even if a metric has more than 16");
    command.flag("--full-names", options->fullNames,
                 "Show names of functions with all parameters and template arguments");
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Metrics that only grow, such as bytes sent, are shown per second, others, such as a temperature,\n"
        "as measured. The first lines show which region took most of the time of each process's first\n"
        "thread in each part, and its share on average; \"computation\" is time outside of all recorded\n"
        "regions. A metric of more than 16 locations is shown, in tables too, by its minimum, quartiles,\n"
        "maximum and mean over them in each part.\n"
        "Examples:\n"
        "  holos plot run\n"
        "  holos plot run --metric proc_rss --metric net_eth0_sent --sum -o run.svg");
    command.action([options] { plotTrace(*options); });
}

}  // namespace holos::cli
