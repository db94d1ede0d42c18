// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/recorded_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_processor.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "base/json.h"
#include "base/process.h"

namespace holos::analyzer {
namespace {

using algebra::Experiment;
using nlohmann::json;

std::string textAt(const json& object, std::initializer_list<const char*> path) {
    const json* at = &object;
    for (const char* key : path) {
        if (!at->is_object() || !at->contains(key)) return {};
        at = &(*at)[key];
    }
    return at->is_string() ? at->get<std::string>() : std::string();
}

double numberAt(const json& object, std::initializer_list<const char*> path) {
    const json* at = &object;
    for (const char* key : path) {
        if (!at->is_object() || !at->contains(key)) return 0;
        at = &(*at)[key];
    }
    return at->is_number() ? at->get<double>() : 0;
}

/// `4`, or `2 to 4` where they differ.
std::string rangeOf(const std::vector<std::size_t>& counts) {
    const auto [least, most] = std::ranges::minmax_element(counts);
    return *least == *most ? std::to_string(*least) : fmt::format("{} to {}", *least, *most);
}

/// `Open MPI 4.1.4` of `Open MPI v4.1.4, package: …`, `MPICH 4.0.2` of `MPICH Version:      4.0.2`.
std::string shortMpi(std::string text) {
    text = text.substr(0, text.find(','));
    for (const char* const left : {" Version:", " v"})
        if (const std::size_t at = text.find(left); at != std::string::npos) {
            const std::size_t number = text.find_first_not_of(" \t", at + std::string_view(left).size());
            if (number == std::string::npos) continue;
            return text.substr(0, at) + ' ' + text.substr(number);
        }
    return text;
}

std::string commandOf(const json& measurement) {
    const auto command = measurement.find("command");
    std::vector<std::string> words;
    if (command == measurement.end() || !command->is_array()) return {};
    for (const json& word : *command)
        if (word.is_string()) words.push_back(word.get<std::string>());
    return words.empty() ? std::string() : shellLine(words);
}

/// By host; empty where nothing is said of processes.
std::map<std::string, std::size_t> processesOfHosts(const json& measurement) {
    std::map<std::string, std::size_t> processes;
    const auto all = measurement.find("processes");
    if (all == measurement.end() || !all->is_array()) return processes;
    for (const json& process : *all)
        if (const std::string host = textAt(process, {"host"}); !host.empty()) ++processes[host];
    return processes;
}

/// Of `main` where the program has it, else of all: of the location that takes longest.
double wallTime(const Experiment& experiment) {
    const auto time = experiment.findMetric("time");
    if (!time) return 0;
    std::vector<algebra::CallPathChoice> paths;
    for (const algebra::CallPathId path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == "main") {
            paths.push_back({path, algebra::Extent::Inclusive});
            break;
        }
    if (paths.empty())
        for (const algebra::CallPathId path : experiment.callTree.ids())
            if (!experiment.callTree.parent(path)) paths.push_back({path, algebra::Extent::Inclusive});
    if (paths.empty()) return 0;
    const std::vector<double> ofLocations = algebra::perLocation(experiment, {*time}, paths);
    return ofLocations.empty() ? 0 : *std::ranges::max_element(ofLocations);
}

bool usesOpenMp(const Experiment& experiment) {
    return std::ranges::any_of(experiment.regions,
                               [](const algebra::Region& region) { return region.paradigm == "openmp"; });
}

std::string operatingSystem(const json& host) {
    const std::string distribution = textAt(host, {"distribution"}), kernel = textAt(host, {"system"});
    return distribution.empty() || kernel.empty() ? distribution + kernel : distribution + ", " + kernel;
}

class Configuration {
  public:
    Configuration(Experiment& experiment, const json& measurement)
        : experiment_(experiment), measurement_(measurement) {}

    void add() {
        const json host = measurement_.value("host", json::object());
        set("Operating System", operatingSystem(host));
        addProcessor(host);
        set("Compiler", textAt(measurement_, {"compiler", "name"}));
        set("Compiler options", textAt(measurement_, {"compiler", "options"}).substr(0, kLongest));
        set("MPI", shortMpi(textAt(measurement_, {"libraries", "mpi"})));
        addProcesses();
        set("Clock", textAt(measurement_, {"clock"}));
        if (const double time = wallTime(experiment_); time > 0)
            set("Wall time [sec.]", fmt::format("{:.4g}", time));
        set("Command", commandOf(measurement_).substr(0, kLongest));
        set("Recorded", textAt(measurement_, {"begin"}));
    }

  private:
    static constexpr std::size_t kLongest = 180;  ///< longer ones are not for tables

    void set(const char* name, const std::string& value) {
        if (!value.empty()) algebra::setAttribute(experiment_.attributes, name, value);
    }

    void addProcessor(const json& host) {
        const std::string hardware = textAt(host, {"name"});
        double cores = numberAt(measurement_, {"hardware", hardware.c_str(), "cores"});
        if (cores == 0) cores = numberAt(host, {"logicalProcessors"});
        const double hertz = numberAt(host, {"processorKind", "hertz"});
        if (cores > 0)
            set("Core", fmt::format("{:.0f}/node", cores) +
                            (hertz > 0 ? fmt::format(", {:.0f} MHz", hertz / 1e6) : std::string()));
        for (const auto& [name, attribute] : {std::pair("operations", algebra::kPeakOperations),
                                              std::pair("bandwidth", algebra::kPeakBandwidth)})
            if (const double peak = numberAt(host, {"peaks", name}); peak > 0)
                set(attribute, fmt::format("{:.4g}", peak));
        if (const double registers = numberAt(host, {"counterRegisters"}); registers > 0)
            set("Counter registers", fmt::format("{:.0f}", registers));
        constexpr double kGibi = 1024.0 * 1024 * 1024;
        if (const double bytes = numberAt(host, {"memoryBytes"}); bytes > 0)
            set("Memory", fmt::format("{:.1f} GiB/node", bytes / kGibi));
    }

    void addProcesses() {
        std::vector<std::size_t> processes, threads;
        for (const auto& [host, count] : processesOfHosts(measurement_)) processes.push_back(count);
        if (processes.empty()) return;
        set("SMP nodes", std::to_string(processes.size()));
        set("MPI processes", rangeOf(processes) + "/node");
        threads.resize(experiment_.system.processes.size());
        for (const algebra::Location& each : experiment_.system.locations)
            if (each.type == algebra::Location::Type::Thread) ++threads[each.process.index()];
        std::erase(threads, 0);
        if (!threads.empty())
            set(usesOpenMp(experiment_) ? "OpenMP threads" : "Threads", rangeOf(threads) + "/process");
    }

    Experiment& experiment_;
    const json& measurement_;
};

/// Adds what `measurement.json` says of a run, and how long `main` took, to the attributes of its experiment;
/// what is not known is left out.
void addConfiguration(Experiment& experiment, const json& measurement) {
    if (measurement.is_object() && !measurement.empty()) Configuration(experiment, measurement).add();
}

json objectIn(const json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_object() ? *value : json::object();
}

std::optional<std::uint64_t> numberIn(const json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_number_unsigned() ? std::optional(value->get<std::uint64_t>())
                                                                : std::nullopt;
}

specs::Processor processorOf(const json& host) {
    const json kind = objectIn(host, "processorKind");
    specs::Processor found;
    found.name = textIn(host, "processor");
    found.vendor = textIn(kind, "vendor");
    found.family = numberIn(kind, "family");
    found.model = numberIn(kind, "model");
    found.stepping = numberIn(kind, "stepping");
    if (const auto hertz = kind.find("hertz"); hertz != kind.end() && hertz->is_number())
        found.hertz = hertz->get<double>();
    return found;
}

/// How well the sums of multiplexed counters are known.
void addErrors(algebra::Experiment& experiment, const json& shares) {
    constexpr double kPercent = 100;
    for (const auto& [name, share] : shares.items()) {
        const auto metric = experiment.findMetric(algebra::safeUniqueName(name));
        if (!metric || !share.is_object()) continue;
        const auto error = share.find("error");
        if (error == share.end() || !error->is_number()) continue;
        algebra::setAttribute(experiment.metrics[*metric].attributes, algebra::kErrorAttribute,
                              fmt::format("{:.2g}", kPercent * error->get<double>()));
    }
}

/// How the run ended, and which laws do not hold of its recording.
void addEnd(algebra::Experiment& experiment, const json& measurement) {
    if (const std::string ends = textIn(measurement, "ends"); !ends.empty())
        algebra::setAttribute(experiment.attributes, algebra::kEndsAttribute, ends);
    if (const std::string unchecked = textIn(measurement, "notChecked"); !unchecked.empty())
        algebra::setAttribute(experiment.attributes, algebra::kNotCheckedAttribute, unchecked);
    const auto laws = measurement.find("laws");
    if (laws == measurement.end() || !laws->is_array()) return;
    for (const json& law : *laws) {
        const auto holds = law.is_object() ? law.find("holds") : law.end();
        if (holds == law.end() || !holds->is_boolean() || holds->get<bool>()) continue;
        algebra::setAttribute(experiment.attributes, algebra::kBrokenLawAttribute + textIn(law, "law"),
                              textIn(law, "says"));
    }
}

}  // namespace

void addRecordedFacts(algebra::Experiment& experiment, const std::filesystem::path& folder) {
    const json measurement = readObject(folder / "measurement.json");
    algebra::setProcessor(experiment, processorOf(objectIn(measurement, "host")));
    addConfiguration(experiment, measurement);
    addErrors(experiment, objectIn(measurement, "activeShares"));
    addEnd(experiment, measurement);
    if (std::string moves = textIn(measurement, "moves"); !moves.empty())
        experiment.attributes.emplace_back("holos::moves", std::move(moves));
}

std::string recordedRun(const std::filesystem::path& folder) {
    return textIn(readObject(folder / "measurement.json"), "run");
}

}  // namespace holos::analyzer
