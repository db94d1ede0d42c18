// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/efficiencies.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

/// Of a thread's time.
constexpr double kOnlySleeps = 0.95, kOftenSleeps = 0.5;

/// Of a thread's time: that much of it is in the function that the thread was started for.
constexpr double kNearlyAll = 0.999;

/// Divides threads into those that do the same, such as the workers of a pool: they spend nearly all of their
/// time in one call path, in which they do different things. Whoever does nothing stands alone.
class ThreadPools {
  public:
    ThreadPools(const Experiment& experiment, MetricId time)
        : experiment_(experiment), time_(time), all_(perLocation(experiment, {time})) {}

    std::vector<std::vector<LocationId>> run(const std::vector<LocationId>& threads) {
        std::vector<LocationId> busy;
        for (const LocationId thread : threads)
            if (all_[thread.index()] > 0)
                busy.push_back(thread);
            else
                pools_.push_back({thread});
        divide(experiment_.callTree.roots(), busy);
        return std::move(pools_);
    }

  private:
    /// As long as each is nearly always in one of these call paths, whichever that is.
    void divide(const std::vector<CallPathId>& paths, const std::vector<LocationId>& threads) {
        if (threads.size() < 2) {
            if (!threads.empty()) pools_.push_back(threads);
            return;
        }
        std::map<CallPathId, std::vector<LocationId>> parts;
        std::size_t divided = 0;
        for (const CallPathId path : paths) {
            const std::vector<double> here =
                perLocation(experiment_, {time_}, {CallPathChoice{path, Extent::Inclusive}});
            for (const LocationId thread : threads) {
                if (here[thread.index()] < kNearlyAll * all_[thread.index()]) continue;
                parts[path].push_back(thread);
                ++divided;
            }
        }
        if (divided < threads.size()) return pools_.push_back(threads);
        for (const auto& [path, part] : parts) divide(experiment_.callTree.children(path), part);
    }

    const Experiment& experiment_;
    MetricId time_;
    std::vector<double> all_;
    std::vector<std::vector<LocationId>> pools_;
};

}  // namespace

std::vector<CountedProcess> countedProcesses(const Experiment& experiment) {
    const auto& system = experiment.system;
    const auto timeMetric = experiment.findMetric("time");
    const auto perThread = [&](const char* name) {
        const auto metric = experiment.findMetric(name);
        return metric ? perLocation(experiment, {*metric}) : std::vector(system.locations.size(), 0.0);
    };
    const std::vector<double> time = perThread("time"), inSystem = perThread("system_waiting"),
                              forSignals = perThread("pthread_condition_signal_wait"),
                              untilTimeouts = perThread("pthread_condition_timeout"),
                              forPosts = perThread("pthread_semaphore"), unseen = perThread("unseen_sleep"),
                              blamed = perThread("delay"), untilWoken = perThread("futex_wait");
    const auto sumOver = [](const std::vector<LocationId>& threads, const std::vector<double>& values) {
        double sum = 0;
        for (const LocationId thread : threads) sum += values[thread.index()];
        return sum;
    };
    const auto partAsleep = [&](const std::vector<LocationId>& threads) {
        // Who arrives at a latch, or needs what another one initializes, is not there to wait.
        const double asleep = sumOver(threads, inSystem) - sumOver(threads, untilWoken) +
                              sumOver(threads, forSignals) + sumOver(threads, untilTimeouts) +
                              sumOver(threads, forPosts) + sumOver(threads, unseen);
        const double all = sumOver(threads, time);
        return all > 0 ? asleep / all : 0;
    };
    const auto onlySleep = [&](const std::vector<LocationId>& threads) {
        return sumOver(threads, blamed) <= (1 - kOnlySleeps) * sumOver(threads, time) &&
               partAsleep(threads) > kOnlySleeps;
    };
    // Of a pool some may sleep a little more than that, and some a little less.
    const auto judgedTogether = [&](const std::vector<LocationId>& threads) {
        std::vector<std::vector<LocationId>> alone;
        bool sleeps = false, nearlySleeps = false;
        for (const LocationId thread : threads) {
            alone.push_back({thread});
            const bool isSleeper = onlySleep(alone.back());
            sleeps = sleeps || isSleeper;
            nearlySleeps = nearlySleeps || (!isSleeper && partAsleep(alone.back()) > kOftenSleeps);
        }
        return sleeps && nearlySleeps ? ThreadPools(experiment, *timeMetric).run(threads) : alone;
    };
    const LocationGroups threadsOf = locationsByProcess(system);
    std::vector<CountedProcess> processes;
    std::vector<char> sleeps(system.locations.size(), 0);
    for (std::size_t i = 0; i < system.processes.size(); ++i) {
        CountedProcess process{ProcessId(i), {}};
        std::vector<LocationId> others;
        for (const LocationId location : threadsOf[i])
            if (system[location].type == Location::Type::Thread)
                (process.threads.empty() ? process.threads : others).push_back(location);
        if (process.threads.empty()) continue;
        for (const std::vector<LocationId>& pool : judgedTogether(others))
            if (onlySleep(pool))
                for (const LocationId thread : pool) sleeps[thread.index()] = 1;
        for (const LocationId thread : others)
            if (sleeps[thread.index()] == 0) process.threads.push_back(thread);
        processes.push_back(std::move(process));
    }
    return processes;
}

namespace {

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
        const Region& region = experiment_.regionOf(path);
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

/// What is no share cannot be told.
double share(double part, double whole) {
    constexpr double kRounding = 1e-6;
    const double value = part / whole;
    if (!(value >= -kRounding && value <= 1.0 + kRounding)) return std::numeric_limits<double>::quiet_NaN();
    return std::clamp(value, 0.0, 1.0);
}

class Calculation {
  public:
    Calculation(const Experiment& experiment, const MetricGuide& guide, std::vector<CallPathChoice> callPaths)
        : experiment_(experiment),
          guide_(guide),
          callPaths_(std::move(callPaths)),
          processes_(countedProcesses(experiment)),
          hasMpi_(experiment.findMetric("mpi").has_value()),
          time_(sum("time", callPaths_)),
          useful_(sum("comp", callPaths_)),
          able_(useful_) {
        if (experiment.findMetric("processor_waiting")) {
            const PerLocation lacking = sum("processor_waiting", callPaths_);
            std::transform(able_.begin(), able_.end(), lacking.begin(), able_.begin(), std::plus<>());
        }
        for (const CountedProcess& process : processes_) leads_.push_back(leadOf(process));
        for (const CountedProcess& process : processes_)
            for (const LocationId thread : process.threads)
                runtime_ = std::max(runtime_, time_[thread.index()]);
        for (const CountedProcess& process : processes_) lives_.push_back(livesOf(process));
    }

    Efficiencies calculate() {
        const PerLocation outside = outsideOfMpi(callPaths_);
        double threads = 0;
        bool several = false;
        Efficiencies result;
        result.runtime = runtime_;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            threads += lives_[i];
            several = several || processes_[i].threads.size() > 1;
        }
        const double computation = ofThreads(useful_);
        result.parallel = share(computation, threads * result.runtime);
        if (hasMpi_) result.mpi = betweenProcesses(outside, result.runtime);
        const double able = ofThreads(able_);
        if (able > computation) result.processors = share(computation, able);
        if (several) result.openMp = withinProcesses(outside, able);
        return result;
    }

  private:
    PerLocation sum(const char* metric, const std::vector<CallPathChoice>& callPaths) const {
        const MetricId id = needed(experiment_, metric);
        if (callPaths.empty()) return PerLocation(experiment_.system.locations.size(), 0.0);
        return perLocation(experiment_, {id}, callPaths);
    }

    PerLocation outsideOfMpi(const std::vector<CallPathChoice>& callPaths) const {
        PerLocation rest = sum("execution", callPaths);
        if (hasMpi_) subtract(rest, sum("mpi", callPaths));
        return rest;
    }

    static void subtract(PerLocation& from, const PerLocation& what) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
    }

    double ofThreads(const PerLocation& values) const {
        double all = 0;
        for (const CountedProcess& process : processes_)
            for (const LocationId thread : process.threads) all += values[thread.index()];
        return all;
    }

    /// How many of its threads are there at a time, on average. Whatever starts threads itself may do so one
    /// after the other, while those of teams are kept.
    double livesOf(const CountedProcess& process) const {
        if (process.threads.size() < 2) return 1;
        const PerLocation life = perLocation(experiment_, {needed(experiment_, "time")});
        const auto team = experiment_.findMetric("omp_time");
        const PerLocation inTeams = team ? perLocation(experiment_, {*team}) : PerLocation(life.size(), 0.0);
        const double longest = life[process.threads.front().index()];
        const auto partOf = [](double time, double all) { return all > 0 ? std::min(1.0, time / all) : 1; };
        double lives = 1;
        for (const LocationId thread : process.threads) {
            const std::size_t at = thread.index();
            if (thread == process.threads.front()) continue;
            lives += inTeams[at] > 0 ? 1 : std::max(partOf(life[at], longest), partOf(time_[at], runtime_));
        }
        return lives;
    }

    /// The first thread, or where that never comes to the call paths the one that spends most time there.
    std::size_t leadOf(const CountedProcess& process) const {
        const std::size_t first = process.threads.front().index();
        if (time_[first] > 0) return first;
        const auto most = std::ranges::max_element(
            process.threads, [&](LocationId a, LocationId b) { return time_[a.index()] < time_[b.index()]; });
        return most->index();
    }

    /// What it takes to leave an operation after the last one has come is part of the transfer.
    static bool isWait(std::string_view name) {
        return name.starts_with("mpi_") && !name.ends_with("_completion");
    }

    /// Time in MPI that is no wait state.
    PerLocation transfer() const {
        PerLocation rest = sum("mpi", callPaths_);
        for (const MetricId metric : guide_.outermostWaitStates(experiment_))
            if (isWait(experiment_.metrics[metric].uniqueName))
                subtract(rest, perLocation(experiment_, {metric}, callPaths_));
        return rest;
    }

    double withoutProcessorInMpi() const {
        double seconds = 0;
        for (const MetricId id : experiment_.metrics.ids()) {
            const std::string_view name = experiment_.metrics[id].uniqueName;
            if (!name.starts_with("mpi_") || !name.ends_with("_processor_waiting")) continue;
            const PerLocation values = perLocation(experiment_, {id}, callPaths_);
            for (const std::size_t lead : leads_) seconds += values[lead];
        }
        return seconds;
    }

    /// Made of profiles alone: what waits in MPI looks like transfer.
    bool isWithoutWaits() const {
        return attribute(experiment_.attributes, kProfileAttribute) &&
               guide_.outermostWaitStates(experiment_).empty();
    }

    /// What locations take if data comes at once.
    PerLocation atOnce(bool isByReplay) const {
        if (isByReplay) return sum(kIdealNetworkTime, callPaths_);
        PerLocation ideal = time_;
        subtract(ideal, transfer());
        return ideal;
    }

    Efficiencies::Mpi betweenProcesses(const PerLocation& outside, double runtime) const {
        const bool isByReplay = experiment_.findMetric(kIdealNetworkTime).has_value();
        const bool isUnknown = !isByReplay && isWithoutWaits();
        const PerLocation ideal = atOnce(isByReplay);
        double total = 0;
        double longest = 0;
        double idealRuntime = 0;
        for (const std::size_t lead : leads_) {
            total += outside[lead];
            longest = std::max(longest, outside[lead]);
            idealRuntime = std::max(idealRuntime, ideal[lead]);
        }
        if (isUnknown) idealRuntime = std::numeric_limits<double>::quiet_NaN();
        const double average = total / static_cast<double>(processes_.size());
        return {share(average, runtime),
                share(average, longest),
                share(longest, runtime),
                share(longest, idealRuntime),
                share(idealRuntime, runtime),
                withoutProcessorInMpi(),
                isByReplay,
                isUnknown};
    }

    /// Whether threads compute that are in no team, such as those that the program starts itself.
    bool hasOtherWorkers(const PerLocation& inTeams) const {
        constexpr double kNothing = 1e-9;
        for (std::size_t i = 0; i < processes_.size(); ++i)
            for (const LocationId thread : processes_[i].threads)
                if (thread.index() != leads_[i] &&
                    useful_[thread.index()] - inTeams[thread.index()] > kNothing)
                    return true;
        return false;
    }

    /// `able`: time in which threads compute, or could if they had a processor.
    Efficiencies::OpenMp withinProcesses(const PerLocation& outside, double able) const {
        const auto teams = ParallelRegions(experiment_).within(callPaths_);
        const PerLocation inTeams = outsideOfMpi(teams);
        double possible = 0;
        double left = 0;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            const double threads = lives_[i];
            const double serial = outside[leads_[i]] - inTeams[leads_[i]];
            possible += threads * outside[leads_[i]];
            left += threads * inTeams[leads_[i]] + serial;
        }
        if (hasOtherWorkers(sum("comp", teams))) left = std::numeric_limits<double>::quiet_NaN();
        return {share(able, possible), share(left, possible), share(able, left)};
    }

    const Experiment& experiment_;
    const MetricGuide& guide_;
    std::vector<CallPathChoice> callPaths_;
    std::vector<CountedProcess> processes_;
    bool hasMpi_;
    PerLocation time_;
    PerLocation useful_;
    PerLocation able_;                ///< with the time in which they had no processor for it
    std::vector<std::size_t> leads_;  ///< by process: the location that stands for it
    double runtime_ = 0;              ///< seconds of the slowest thread
    std::vector<double> lives_;       ///< by process: threads, as long as they live
};

double sumOf(const Experiment& experiment, const char* metric) {
    const auto found = experiment.findMetric(metric);
    return found ? aggregate(experiment, {*found}) : 0;
}

/// Of a run of which not all is known, no share can be told.
void requireCompleteness(const Experiment& experiment) {
    constexpr double kNegligible = 0.01;
    const std::vector<std::string> broken = brokenLawsOf(experiment);
    if (!broken.empty())
        throw Error("efficiencies are not known, as the recording is not complete or not consistent: " +
                    broken.front());
    const double unknown = sumOf(experiment, "no_more_events");
    if (unknown > kNegligible * (unknown + sumOf(experiment, "time")))
        throw Error(
            "efficiencies are not known, as nothing is known of what processes did before they were ended "
            "(metric no_more_events)");
}

}  // namespace

Efficiencies efficiencies(const Experiment& experiment, const MetricGuide& guide,
                          const std::vector<CallPathChoice>& callPaths) {
    requireCompleteness(experiment);
    return Calculation(experiment, guide, callPaths.empty() ? wholeProgram(experiment) : callPaths)
        .calculate();
}

}  // namespace holos::algebra
