// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "cli/choice.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "metric-specs/machine_peaks.h"
#include "metric-specs/processor.h"
#include "report/plot/curves.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/launch/installation.h"
#include "validation/configuration.h"
#include "validation/kept_validation.h"
#include "validation/microbenchmark.h"
#include "validation/peaks.h"
#include "validation/plots.h"
#include "validation/processors.h"
#include "validation/validation.h"

namespace holos::cli {

using namespace validation;
namespace fs = std::filesystem;

namespace {

/// How the result is printed; `None`: only a file is written.
enum class ValidationFormat : unsigned char { Text, Csv, Json, None };
constexpr auto wordsOf(ValidationFormat) {
    return std::array{std::pair{"text", ValidationFormat::Text}, std::pair{"csv", ValidationFormat::Csv},
                      std::pair{"json", ValidationFormat::Json}, std::pair{"none", ValidationFormat::None}};
}

std::string machineText(const Validation& validation) {
    std::string text;
    for (const auto& [name, value] : validation.machine)
        text += fmt::format("{}: {}\n", name, printable(value));
    for (const Property& each : validation.properties) {
        const std::string found =
            each.found > 0.0 ? fmt::format("{} {}", each.found, each.unit) : "not found";
        const std::string system = each.reported > 0.0 ? fmt::format("{}", each.reported) : "nothing";
        const char* verdict = each.found == each.reported ? "" : "  (differs)";
        text += fmt::format("{} by {}: {}; the system says {}{}\n", each.name, each.method, found, system,
                            verdict);
    }
    return text;
}

const ReadCost* readCostOf(const Validation& validation, const std::string& event) {
    const auto& all = validation.reads;
    const auto found = std::ranges::find(all, event, &ReadCost::event);
    return found == all.end() ? nullptr : &*found;
}

std::string readText(const Validation& validation, const std::string& event) {
    const ReadCost* cost = readCostOf(validation, event);
    if (cost == nullptr) return "";
    return fmt::format("{:.0f} ns, {:.3g} events", cost->nanoseconds, cost->events.mean);
}

std::string trustText(const Suite& suite, double accuracy) {
    const auto range = trustedRange(suite.cases, accuracy);
    if (!range) return "never";
    return range->upTo ? fmt::format("{:.0f} to {:.0f}", range->from, *range->upTo)
                       : fmt::format("{:.0f}", range->from);
}

std::string summaryText(const Validation& validation, double accuracy) {
    const Style style = styleOfOutput();
    std::string text =
        style.strong(fmt::format("{:<22} {:<16} {:<34} {:>12}  {}\n", "event", "microbenchmark", "error",
                                 "trusted from", "a reading costs"));
    for (const Suite& suite : validation.suites) {
        const std::string error = diagnosisText(diagnose(suite.cases));
        const std::size_t width = 34 + error.size() - columnsOf(error);
        text += fmt::format("{:<22} {:<16} {:<{}} {:>12}  {}\n", printable(suite.event), suite.microbenchmark,
                            error, width, trustText(suite, accuracy), readText(validation, suite.event));
    }
    return text;
}

std::string casesText(const Suite& suite) {
    std::string text = fmt::format("\n{} by {}, processor {}\n{:>12} {:>8} {:>16} {:>14} {:>12}\n",
                                   printable(suite.event), printable(suite.microbenchmark), suite.processor,
                                   "predicted", "runs", "mean", "deviation", "difference");
    for (const Case& one : suite.cases)
        text += fmt::format("{:>12.0f} {:>8} {:>16.2f} {:>14.2f} {:>+10.2f} %\n", one.predicted, one.runs,
                            one.mean, one.deviation, 100.0 * relativeDifference(one));
    return text;
}

/// Events that share a reason stand together.
std::string omittedText(const Validation& validation) {
    std::map<std::string, std::vector<std::string>> eventsOf;
    for (const auto& [event, why] : validation.omitted)
        eventsOf[why.starts_with(event + ": ") ? why.substr(event.size() + 2) : why].push_back(event);
    std::string text = eventsOf.empty() ? "" : "\nNot validated:\n";
    for (const auto& [why, events] : eventsOf)
        text += fmt::format("  {}:\n    {}\n", printable(why),
                            printable(fmt::format("{}", fmt::join(events, ", "))));
    return text;
}

const char* errorClassName(ErrorClass error) {
    static constexpr const char* kNames[] = {"none", "bias", "multiplicative", "random", "unknown"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(ErrorClass::Unknown) + 1);
    return kNames[static_cast<std::size_t>(error)];
}

nlohmann::json asJson(const Suite& suite, const Validation& validation, double accuracy) {
    const Diagnosis diagnosis = diagnose(suite.cases);
    auto cases = nlohmann::json::array();
    for (const Case& one : suite.cases)
        cases.push_back({{"predicted", one.predicted},
                         {"runs", one.runs},
                         {"mean", one.mean},
                         {"deviation", one.deviation},
                         {"difference", relativeDifference(one)}});
    nlohmann::json json{{"event", suite.event},         {"microbenchmark", suite.microbenchmark},
                        {"processor", suite.processor}, {"error", errorClassName(diagnosis.error)},
                        {"factor", diagnosis.factor},   {"bias", diagnosis.bias},
                        {"cases", std::move(cases)}};
    if (const auto range = trustedRange(suite.cases, accuracy)) {
        json["trusted_from"] = range->from;
        if (range->upTo) json["trusted_to"] = *range->upTo;
    }
    if (diagnosis.upTo) json["error_up_to"] = *diagnosis.upTo;
    if (const ReadCost* cost = readCostOf(validation, suite.event))
        json["reading"] = {{"nanoseconds", cost->nanoseconds}, {"events", cost->events.mean}};
    return json;
}

/// For people: the machine, what of it can be trusted, and every case. `accuracy` as in `trustedFrom`.
std::string validationText(const Validation& validation, double accuracy) {
    std::string text = machineText(validation) + '\n' + summaryText(validation, accuracy);
    for (const Suite& suite : validation.suites) text += casesText(suite);
    return text + omittedText(validation);
}

nlohmann::json asJson(const std::vector<Sweep>& sweeps) {
    auto all = nlohmann::json::array();
    for (const Sweep& sweep : sweeps) {
        auto points = nlohmann::json::array();
        for (const auto& [size, measured] : sweep.points) points.push_back({size, measured});
        all.push_back({{"name", sweep.name}, {"points", std::move(points)}});
    }
    return all;
}

std::string validationJson(const Validation& validation, double accuracy) {
    auto suites = nlohmann::json::array();
    for (const Suite& suite : validation.suites) suites.push_back(asJson(suite, validation, accuracy));
    auto properties = nlohmann::json::array();
    for (const Property& each : validation.properties)
        properties.push_back({{"name", each.name},
                              {"unit", each.unit},
                              {"method", each.method},
                              {"found", each.found},
                              {"system", each.reported},
                              {"size", each.size},
                              {"measured", each.measured},
                              {"sweeps", asJson(each.sweeps)}});
    const nlohmann::json json{{"machine", std::map(validation.machine.begin(), validation.machine.end())},
                              {"configuration", std::move(properties)},
                              {"suites", std::move(suites)},
                              {"omitted", validation.omitted}};
    return jsonText(json, 2) + '\n';
}

/// The microbenchmarks and what each predicts.
std::string microbenchmarkText() {
    std::string text;
    for (const Microbenchmark& each : microbenchmarks())
        if (!each.events.empty())
            text += fmt::format("{:<16} {}\n{:<16} {}\n", each.name, each.description, "",
                                fmt::join(each.events, ", "));
    return text;
}

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string peaksText(const specs::MachinePeaks& peaks, const validation::PeakWork& work) {
    constexpr double kMega = 1024.0 * 1024;
    const double arrays = static_cast<double>(work.elements * sizeof(double)) / kMega;
    return fmt::format(
        "floating-point operations  {:.3g} 1/s      {} threads, {} doubles at a time\n"
        "memory bandwidth           {:.3g} bytes/s  {} threads, three arrays of {:.0f} MB each\n",
        peaks.operations, work.threads, validation::doublesAtATime(), peaks.bandwidth, work.threads, arrays);
}

std::string formatted(const specs::MachinePeaks& peaks, const validation::PeakWork& work,
                      ValidationFormat format) {
    const auto inCsv = [&] {
        return fmt::format("operations,bandwidth\n{},{}\n", peaks.operations, peaks.bandwidth);
    };
    const auto inJson = [&] {
        return nlohmann::json{{"operations", peaks.operations}, {"bandwidth", peaks.bandwidth}}.dump(2) +
               '\n';
    };
    return inFormat(
        format, [&] { return peaksText(peaks, work); }, inCsv, inJson, [] { return std::string(); });
}

/// Peaks of a part of the machine would be no roof of the whole.
void store(const specs::MachinePeaks& peaks, unsigned threads) {
    if (const long all = ::sysconf(_SC_NPROCESSORS_ONLN); all > static_cast<long>(threads))
        throw Error(
            fmt::format("these are the peaks of {} of {} processors, which this process may use: they "
                        "are not stored",
                        threads, all));
    const std::filesystem::path file = specs::peaksFile();
    if (file.empty())
        throw Error("there is no folder to store the peaks in: neither HOME nor XDG_CONFIG_HOME is set");
    specs::storePeaks(file, specs::machineKind(), peaks);
    std::fprintf(stderr, "Stored in %s for recordings on: %s\n", file.c_str(), specs::machineKind().c_str());
}

/// Measures what this machine can do at most, prints it, and stores it for recordings on machines of this
/// kind.
void measureAndStorePeaks(ValidationFormat format) {
    const validation::PeakWork work = validation::workOfThisMachine();
    const specs::MachinePeaks peaks = validation::measurePeaks(work, secondsNow);
    print(formatted(peaks, work, format));
    store(peaks, work.threads);
}

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

/// `page, padding, page faults` and what it was found from.
plot::Curves curvesOf(const Property& property) {
    plot::Curves curves{property.name + ", " + property.method, property.size, property.measured, {}};
    for (const Sweep& sweep : property.sweeps) {
        plot::Curve curve{.name = sweep.name, .measured = {}, .law = {}};
        for (const auto& [size, measured] : sweep.points) curve.measured.push_back({size, measured});
        curve.law = curve.measured;
        curves.curves.push_back(std::move(curve));
    }
    return curves;
}

/// Named by what was found and how, such as `page-strides`.
void writeSweeps(const Validation& validation, const fs::path& folder) {
    for (const Property& property : validation.properties) {
        if (property.sweeps.empty() || property.sweeps.front().points.empty()) continue;
        std::string name = property.name + '-' + property.method.substr(0, property.method.find(','));
        std::ranges::replace(name, ' ', '-');
        writeFile(folder / (name + ".svg"), plot::svgOf(curvesOf(property)), Links::Refused);
    }
}

void writePlots(const Validation& validation, const fs::path& folder) {
    std::error_code trouble;
    fs::create_directories(folder, trouble);
    if (trouble) throw Error("cannot be made: " + trouble.message(), {.file = folder.string()});
    for (const Plot& plot : plotsOf(validation))
        writeFile(folder / (plot.name + ".svg"), plot.svg, Links::Refused);
    writeSweeps(validation, folder);
}

std::string validationIn(ValidationFormat format, const Validation& validation, double accuracy) {
    return inFormat(
        format, [&] { return validationText(validation, accuracy); }, [&] { return tableOf(validation); },
        [&] { return validationJson(validation, accuracy); }, [] { return std::string(); });
}

/// Throws `UsageError` for a name that no microbenchmark has.
void checkMicrobenchmark(const Options& options) {
    if (!options.request.microbenchmark) return;
    try {
        microbenchmark(*options.request.microbenchmark);
    } catch (const Error& unknown) {
        throw UsageError("--microbenchmark: " + unknown.message());
    }
}

void runValidation(const Options& options) {
    checkMicrobenchmark(options);
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
    command.action([options] { runValidation(*options); });
}

}  // namespace holos::cli
