// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/recorded_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/processors.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/process.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::analyzer {
namespace {

using algebra::Experiment;
using measurement::Measurement;

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

/// By host; empty where nothing is said of processes.
std::map<std::string, std::size_t> processesOfHosts(const Measurement& measurement) {
    std::map<std::string, std::size_t> processes;
    for (const measurement::Process& process : measurement.processes)
        if (!process.host.empty()) ++processes[process.host];
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

std::string operatingSystem(const measurement::Host& host) {
    const bool areBoth = !host.distribution.empty() && !host.system.empty();
    return host.distribution + (areBoth ? ", " : "") + host.system;
}

class Configuration {
  public:
    Configuration(Experiment& experiment, const Measurement& measurement)
        : experiment_(experiment), measurement_(measurement) {}

    void add() {
        const measurement::Host& host = measurement_.command.host;
        set("Operating System", operatingSystem(host));
        addProcessor(host);
        if (const auto& compiler = measurement_.compiler) {
            set("Compiler", compiler->name);
            set("Compiler options", compiler->options.substr(0, kLongest));
        }
        set("MPI", shortMpi(measurement_.libraries.mpi));
        addProcesses();
        addProcessorLimit();
        addMachineUse();
        set("Clock", measurement_.clock);
        if (const double time = wallTime(experiment_); time > 0)
            set("Wall time [sec.]", fmt::format("{:.4g}", time));
        if (const auto& words = measurement_.command.arguments; !words.empty())
            set("Command", shellLine(words).substr(0, kLongest));
        set("Recorded", measurement_.begin);
    }

  private:
    static constexpr std::size_t kLongest = 180;  ///< longer ones are not for tables

    void set(std::string_view name, const std::string& value) {
        if (!value.empty()) algebra::setAttribute(experiment_.attributes, name, value);
    }

    /// Of its node, as its hardware says or the operating system.
    std::int64_t coresOf(const measurement::Host& host) const {
        const auto hardware = measurement_.hardware.find(host.name);
        const bool isKnown = hardware != measurement_.hardware.end() && hardware->second.cores != 0;
        return isKnown ? hardware->second.cores : host.logicalProcessors;
    }

    void addProcessor(const measurement::Host& host) {
        const double hertz = host.processor.hertz.value_or(0);
        if (const std::int64_t cores = coresOf(host); cores > 0)
            set("Core", fmt::format("{}/node", cores) +
                            (hertz > 0 ? fmt::format(", {:.0f} MHz", hertz / 1e6) : std::string()));
        const measurement::Peaks peaks = host.peaks.value_or(measurement::Peaks());
        if (peaks.operations > 0) set(algebra::kPeakOperations, fmt::format("{:.4g}", peaks.operations));
        if (peaks.bandwidth > 0) set(algebra::kPeakBandwidth, fmt::format("{:.4g}", peaks.bandwidth));
        if (host.counterRegisters > 0) set("Counter registers", std::to_string(host.counterRegisters));
        constexpr double kGibi = 1024.0 * 1024 * 1024;
        if (host.memoryBytes > 0)
            set("Memory", fmt::format("{:.1f} GiB/node", static_cast<double>(host.memoryBytes) / kGibi));
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

    /// Processes of one host may have one limit together.
    void addProcessorLimit() {
        std::optional<double> least;
        std::map<std::string, double> stopped;
        for (const measurement::Process& process : measurement_.processes) {
            const auto& limit = process.processorLimit;
            if (!limit) continue;
            least = std::min(least.value_or(limit->processors), limit->processors);
            double& known = stopped[process.host];
            known = std::max(known, limit->secondsStopped);
        }
        if (!least) return;
        double all = 0;
        for (const auto& [host, seconds] : stopped) all += seconds;
        set(algebra::kProcessorLimitAttribute, fmt::format("{:.4g}", *least));
        set(algebra::kStoppedByLimitAttribute, fmt::format("{:.4g}", all));
    }

    /// From the first process's begin to the last one's end, by host, without children of the program that
    /// are not recorded. What ranks used that were left out is not known: it is not that of other programs.
    void addMachineUse() {
        const auto& settings = measurement_.command.settings;
        if (settings && !settings->ranks.empty()) return;
        std::map<std::string, measurement::MachineUse> byHost;
        std::map<std::string, double> ofChildren;
        for (const measurement::Process& process : measurement_.processes) {
            ofChildren[process.host] += process.childSeconds.value_or(0);
            if (!process.machineUse) continue;
            auto& whole = byHost.try_emplace(process.host, *process.machineUse).first->second;
            whole.before = std::min(whole.before, process.machineUse->before);
            whole.after = std::max(whole.after, process.machineUse->after);
        }
        for (const algebra::SystemNodeId node : experiment_.system.nodes.ids()) {
            algebra::SystemNode& machine = experiment_.system.nodes[node];
            const auto use = byHost.find(machine.name);
            if (use != byHost.end() && use->second.after >= use->second.before)
                algebra::setAttribute(
                    machine.attributes, algebra::kMachineUseAttribute,
                    fmt::format("{:.2f}", std::max(0.0, use->second.after - use->second.before -
                                                            ofChildren[machine.name])));
        }
    }

    Experiment& experiment_;
    const Measurement& measurement_;
};

/// How well the sums of multiplexed counters are known.
void addErrors(algebra::Experiment& experiment, const std::map<std::string, measurement::Share>& shares) {
    constexpr double kPercent = 100;
    for (const auto& [name, share] : shares)
        if (const auto metric = experiment.findMetric(algebra::safeUniqueName(name)); metric && share.error)
            algebra::setAttribute(experiment.metrics[*metric].attributes, algebra::kErrorAttribute,
                                  fmt::format("{:.2g}", kPercent * *share.error));
}

/// Without it nobody knows what the program waits for.
void addNotRecorded(algebra::Experiment& experiment, const Measurement& measurement) {
    for (const std::string& note : measurement.notes) {
        if (note.find(" forked process") != std::string::npos ||
            note.find(" forked child") != std::string::npos)
            algebra::setAttribute(experiment.attributes,
                                  std::string(algebra::kNotRecordedAttribute) + algebra::kForked, note);
        for (const char* paradigm : {"MPI is not recorded:", "OpenMP are not recorded:"})
            if (note.find(paradigm) != std::string::npos)
                algebra::setAttribute(experiment.attributes,
                                      std::string(algebra::kNotRecordedAttribute) + paradigm, note);
    }
}

bool hasFailed(const measurement::Process& process) {
    const measurement::End& end = process.end;
    return end.exitCode.value_or(0) != 0 || end.signal != 0 || end.calledMpiAbort;
}

/// How the run ended, and which laws do not hold of its recording.
void addEnd(algebra::Experiment& experiment, const Measurement& measurement) {
    if (!measurement.ends.empty())
        algebra::setAttribute(experiment.attributes, algebra::kEndsAttribute, measurement.ends);
    if (!measurement.leftOut.empty())
        algebra::setAttribute(experiment.attributes, algebra::kLeftOutAttribute, measurement.leftOut);
    if (const auto failed = std::ranges::count_if(measurement.processes, hasFailed); failed != 0)
        algebra::setAttribute(experiment.attributes, algebra::kFailedAttribute, std::to_string(failed));
    if (!measurement.notChecked.empty())
        algebra::setAttribute(experiment.attributes, algebra::kNotCheckedAttribute, measurement.notChecked);
    for (const measurement::Law& law : measurement.laws)
        if (!law.holds)
            algebra::setAttribute(experiment.attributes, algebra::kBrokenLawAttribute + law.name, law.says);
}

}  // namespace

bool isOwnTrace(const std::filesystem::path& anchor) {
    return !measurement::recordedRun(anchor.parent_path()).empty();
}

void addRecordedFacts(algebra::Experiment& experiment, const std::filesystem::path& folder) {
    const auto known = measurement::readMeasurement(folder);
    algebra::setProcessor(experiment, known ? known->command.host.processor : specs::Processor());
    if (const std::string damage = measurement::damageIn(folder, known); !damage.empty())
        algebra::setAttribute(experiment.attributes, algebra::kUnreadFactsAttribute, damage);
    if (!known) return;
    Configuration(experiment, *known).add();
    addErrors(experiment, known->activeShares);
    addEnd(experiment, *known);
    addNotRecorded(experiment, *known);
    if (!known->moves.empty()) experiment.attributes.emplace_back("holos::moves", known->moves);
}

}  // namespace holos::analyzer
