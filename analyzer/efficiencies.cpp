// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/efficiencies.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "algebra/model/wait_states.h"
#include "metric-specs/error.h"

namespace holos::analyzer {

namespace {

using algebra::CallPathChoice;
using algebra::CallPathId;
using algebra::Experiment;
using algebra::Extent;
using algebra::MetricId;

using PerLocation = std::vector<double>;

MetricId needed(const Experiment& experiment, const char* name) {
    const auto found = experiment.findMetric(name);
    if (!found)
        throw Error(std::string("the experiment has no metric \"") + name +
                    "\"; efficiencies need the analysis of a trace");
    return *found;
}

std::vector<CallPathChoice> wholeProgram(const Experiment& experiment) {
    std::vector<CallPathChoice> roots;
    for (const CallPathId path : experiment.callTree.ids())
        if (!experiment.callTree.parent(path)) roots.push_back({path, Extent::Inclusive});
    return roots;
}

/// The parts of the chosen call paths that teams execute: each outermost parallel region.
class ParallelRegions {
  public:
    explicit ParallelRegions(const Experiment& experiment) : experiment_(experiment) {}

    std::vector<CallPathChoice> within(const std::vector<CallPathChoice>& choices) {
        found_.clear();
        for (const CallPathChoice& choice : choices) {
            bool inside = false;
            for (std::optional path(choice.path); path && !inside; path = experiment_.callTree.parent(*path))
                inside = isParallel(*path);
            if (inside)
                found_.push_back(choice);
            else if (choice.extent == Extent::Inclusive)
                below(choice.path);
        }
        return found_;
    }

  private:
    bool isParallel(CallPathId path) const {
        const algebra::Region& region = experiment_.regionOf(path);
        return region.paradigm == "openmp" && region.role == "parallel";
    }
    void below(CallPathId path) {
        for (const CallPathId child : experiment_.callTree.children(path)) {
            if (isParallel(child))
                found_.push_back({child, Extent::Inclusive});
            else
                below(child);
        }
    }

    const Experiment& experiment_;
    std::vector<CallPathChoice> found_;
};

/// Processes with the threads that count.
struct Process {
    algebra::LocationId master;
    std::size_t threads;
};

std::vector<Process> processesOf(const Experiment& experiment) {
    const auto& system = experiment.system;
    std::vector<Process> processes;
    for (std::size_t i = 0; i < system.processes.size(); ++i) {
        std::vector<algebra::LocationId> threads;
        for (const algebra::LocationId location : algebra::locationsOf(system, algebra::ProcessId(i)))
            if (system[location].type == algebra::Location::Type::Thread) threads.push_back(location);
        if (!threads.empty()) processes.push_back({threads.front(), threads.size()});
    }
    return processes;
}

class Calculation {
  public:
    Calculation(const Experiment& experiment, std::vector<CallPathChoice> callPaths)
        : experiment_(experiment),
          callPaths_(std::move(callPaths)),
          processes_(processesOf(experiment)),
          hasMpi_(experiment.findMetric("mpi").has_value()) {}

    Efficiencies calculate() {
        const PerLocation time = sum("time", callPaths_);
        const PerLocation useful = sum("comp", callPaths_);
        const PerLocation outside = outsideOfMpi(callPaths_);
        double computation = 0;
        std::size_t threads = 0;
        bool several = false;
        Efficiencies result;
        for (const Process& process : processes_) {
            result.runtime = std::max(result.runtime, time[process.master.index()]);
            threads += process.threads;
            several = several || process.threads > 1;
        }
        for (std::size_t i = 0; i < useful.size(); ++i)
            if (experiment_.system.locations[i].type == algebra::Location::Type::Thread)
                computation += useful[i];
        result.parallel = computation / (static_cast<double>(threads) * result.runtime);
        if (hasMpi_) result.mpi = betweenProcesses(time, outside, result.runtime);
        if (several) result.openMp = withinProcesses(outside, computation);
        return result;
    }

  private:
    PerLocation sum(const char* metric, const std::vector<CallPathChoice>& callPaths) const {
        return algebra::perLocation(experiment_, {needed(experiment_, metric)}, callPaths);
    }

    PerLocation outsideOfMpi(const std::vector<CallPathChoice>& callPaths) const {
        if (callPaths.empty()) return PerLocation(experiment_.system.locations.size(), 0.0);
        PerLocation rest = sum("execution", callPaths);
        if (hasMpi_) subtract(rest, sum("mpi", callPaths));
        return rest;
    }

    static void subtract(PerLocation& from, const PerLocation& what) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
    }

    /// What it takes to leave an operation after the last one has come is part of the transfer.
    static bool isWait(std::string_view name) {
        return name.starts_with("mpi_") && !name.ends_with("_completion");
    }

    /// Time in MPI that is no wait state.
    PerLocation transfer() const {
        PerLocation rest = sum("mpi", callPaths_);
        for (const MetricId metric : algebra::outermostWaitStates(experiment_))
            if (isWait(experiment_.metrics[metric].uniqueName))
                subtract(rest, algebra::perLocation(experiment_, {metric}, callPaths_));
        return rest;
    }

    Efficiencies::Mpi betweenProcesses(const PerLocation& time, const PerLocation& outside,
                                       double runtime) const {
        PerLocation ideal = time;
        subtract(ideal, transfer());
        double total = 0;
        double longest = 0;
        double idealRuntime = 0;
        for (const Process& process : processes_) {
            total += outside[process.master.index()];
            longest = std::max(longest, outside[process.master.index()]);
            idealRuntime = std::max(idealRuntime, ideal[process.master.index()]);
        }
        const double average = total / static_cast<double>(processes_.size());
        return {average / runtime, average / longest, longest / runtime, longest / idealRuntime,
                idealRuntime / runtime};
    }

    Efficiencies::OpenMp withinProcesses(const PerLocation& outside, double computation) const {
        const PerLocation inTeams = outsideOfMpi(ParallelRegions(experiment_).within(callPaths_));
        double possible = 0;
        double left = 0;
        for (const Process& process : processes_) {
            const auto threads = static_cast<double>(process.threads);
            const double serial = outside[process.master.index()] - inTeams[process.master.index()];
            possible += threads * outside[process.master.index()];
            left += threads * inTeams[process.master.index()] + serial;
        }
        return {computation / possible, left / possible, computation / left};
    }

    const Experiment& experiment_;
    std::vector<CallPathChoice> callPaths_;
    std::vector<Process> processes_;
    bool hasMpi_;
};

}  // namespace

Efficiencies efficiencies(const Experiment& experiment, const std::vector<CallPathChoice>& callPaths) {
    return Calculation(experiment, callPaths.empty() ? wholeProgram(experiment) : callPaths).calculate();
}

}  // namespace holos::analyzer
