// SPDX-License-Identifier: BSD-3-Clause
#include "cli/counters/counters_validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "cli/experiments/write_result.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"
#include "metric-specs/processor.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/launch/installation.h"
#include "validation/as_experiment.h"
#include "validation/configuration.h"
#include "validation/counting.h"
#include "validation/microbenchmark.h"
#include "validation/plots.h"
#include "validation/processors.h"
#include "validation/table.h"

namespace holos::cli {

using namespace validation;
namespace fs = std::filesystem;

namespace {

struct Options {
    Request request;
    std::vector<std::string> events;
    double accuracy = 5.0;
    ValidationFormat format = ValidationFormat::Text;
    fs::path table;
    fs::path output;
    fs::path plots;
    bool list = false;
    bool peaks = false;
    bool progress = false;
    std::optional<std::size_t> inThisProcess;
};

std::vector<std::pair<std::string, std::string>> thisMachine() {
    std::vector<std::pair<std::string, std::string>> facts;
    if (const std::string name = specs::thisProcessor().name; !name.empty())
        facts.emplace_back("Processor", name);
    facts.emplace_back("Processors", std::to_string(processorCount()));
    utsname system{};
    if (::uname(&system) == 0)
        facts.emplace_back("Operating system", fmt::format("{} {}", system.sysname, system.release));
    return facts;
}

Validation readFrom(const fs::path& file) {
    std::ifstream in(file);
    if (!in) throw Error("cannot be read", {.file = file.string()});
    return readTable({std::istreambuf_iterator<char>(in), {}}, file.string());
}

std::string namesOf(const Options& options) {
    return fmt::format("{}", fmt::join(options.events, ","));
}

Validation validateHere(const Options& options) {
    Progress progress;
    if (const auto bar = progressBar("validating", options.progress))
        progress = [bar](std::size_t done, std::size_t all) {
            bar({static_cast<double>(done) / static_cast<double>(all), 0});
        };
    Request request = options.request;
    request.events = Chosen<std::string>::orAll(counters::splitNames(namesOf(options)));
    const auto machine = thisMachine();  // before anything is pinned
    Validation validation = validate(request, launch::thisProgram(), progress);
    validation.machine = machine;
    if (request.together) validation.machine.emplace_back("Counted in the same runs", namesOf(options));
    validation.properties = findConfiguration();
    return validation;
}

void answer(const Options& options) {
    const auto count = [&options] {
        return countHere(counters::splitNames(namesOf(options)), *options.request.microbenchmark,
                         *options.inThisProcess);
    };
    if (options.format != ValidationFormat::Json) {
        const Counted counted = count();
        return print(fmt::format("{} {}\n", fmt::join(counted.events, " "), counted.nanosecondsARead));
    }
    try {
        print(answerText(count()));
    } catch (const Error& error) {
        print(answerText(error));
        throw Exit{1};
    }
}

void writePlots(const Validation& validation, const fs::path& folder) {
    std::error_code trouble;
    fs::create_directories(folder, trouble);
    if (trouble) throw Error("cannot be made: " + trouble.message(), {.file = folder.string()});
    for (const Plot& plot : plotsOf(validation))
        writeFile(folder / (plot.name + ".svg"), plot.svg, Links::Refused);
}

std::string validationIn(ValidationFormat format, const Validation& validation, double accuracy) {
    switch (format) {
        case ValidationFormat::Text:
            return validationText(validation, accuracy);
        case ValidationFormat::Csv:
            return tableOf(validation);
        case ValidationFormat::Json:
            return validationJson(validation, accuracy);
        case ValidationFormat::None:
            return {};
    }
    return {};
}

void run(const Options& options) {
    if (options.inThisProcess) return answer(options);
    if (options.peaks) return measureAndStorePeaks(options.format);
    if (options.list) return print(microbenchmarkText());
    const Validation validation = options.table.empty() ? validateHere(options) : readFrom(options.table);
    print(validationIn(options.format, validation, options.accuracy / 100.0));
    if (!options.plots.empty()) writePlots(validation, options.plots);
    if (options.output.empty()) return;
    const algebra::Provenance provenance{"counters validate", HOLOS_VERSION, {}, {}};
    writeResult(asExperiment(validation), provenance, options.output);
}

void addChoices(Command& command, Options& options) {
    const Option events = command
                              .option("--events A,B", options.events,
                                      "Check only these events (default: all that microbenchmarks predict)")
                              .separatedBy(',');
    const Option benchmark = command.option("--microbenchmark NAME", options.request.microbenchmark,
                                            "Run only this one; with --events it counts all of these");
    command.flag("--together", options.request.together, "Count the events of --events in the same runs")
        .needs(events);
    command
        .option("--runs", options.request.runs,
                "How often to run each case, each time in a process of its own")
        .between(1, 100'000)
        .showDefault();
    command.option("--largest", options.request.largest, "Skip cases that predict more events than this")
        .notNegative()
        .showDefault();
    command
        .option(std::string(kFreshProcessOption) + " SIZE", options.inThisProcess,
                "Run one case of this size once, in this process; print the counts and the ns that a reading "
                "takes")
        .needs(events)
        .needs(benchmark);
}

}  // namespace

void addValidate(Command& counters) {
    const auto options = std::make_shared<Options>();
    Command command =
        counters.command("validate", "Check the counters against microbenchmarks whose counts are known");
    command.flag("--list", options->list, "Print the microbenchmarks and the events that each predicts");
    command
        .flag("--peaks", options->peaks,
              "Instead measure how many floating-point operations and bytes of memory per second this "
              "machine can do, and store that as the roofs of later recordings on it")
        .onlyOnCommandLine();
    addChoices(command, *options);
    command.option("--accuracy", options->accuracy, "Trust counts that are wrong by at most this percentage")
        .between(0.0, 100.0)
        .showDefault();
    addChoice(command, "--format", options->format,
              "How to print the result (none: only write the file of -o)");
    command.option("--table FILE", options->table,
                   "Judge the cases of a table that --format csv printed, instead of measuring");
    command
        .option("-o,--output FILE", options->output,
                "Write an experiment (.cubex), for holos diff and report")
        .onlyOnCommandLine();
    command
        .option("--plots DIR", options->plots,
                "Draw reported over predicted counts, a picture (.svg) for each event and microbenchmark")
        .onlyOnCommandLine();
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Examples:\n"
        "  holos counters validate --events page-faults,ru_nvcsw\n"
        "  holos counters validate --plots pictures\n"
        "  holos counters validate --microbenchmark ping-pong --events PAPI_CA_INV,PAPI_BR_MSP --together\n"
        "  holos counters validate --peaks\n"
        "  holos counters validate --runs 100 -o here.cubex\n"
        "  holos counters validate --table origin-2000.csv");
    command.action([options] { run(*options); });
}

}  // namespace holos::cli
