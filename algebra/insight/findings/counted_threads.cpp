// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/counted_threads.h"

#include "algebra/model/queries.h"

namespace holos::algebra {

namespace {

/// Of a thread's time.
constexpr double kOnlySleeps = 0.95;

}  // namespace

std::vector<CountedProcess> countedProcesses(const Experiment& experiment) {
    const auto& system = experiment.system;
    const auto perThread = [&](const char* name) {
        const auto metric = experiment.findMetric(name);
        return metric ? perLocation(experiment, {*metric}) : std::vector(system.locations.size(), 0.0);
    };
    const std::vector<double> time = perThread("time"), inSystem = perThread("system_waiting"),
                              forSignals = perThread("pthread_condition_signal_wait"),
                              forPosts = perThread("pthread_semaphore"), unseen = perThread("unseen_sleep"),
                              blamed = perThread("delay");
    const auto onlySleeps = [&](std::size_t thread) {
        if (blamed[thread] > (1 - kOnlySleeps) * time[thread]) return false;
        return inSystem[thread] + forSignals[thread] + forPosts[thread] + unseen[thread] >
               kOnlySleeps * time[thread];
    };
    const LocationGroups threadsOf = locationsByProcess(system);
    std::vector<CountedProcess> processes;
    for (std::size_t i = 0; i < system.processes.size(); ++i) {
        CountedProcess process{ProcessId(i), {}};
        for (const LocationId location : threadsOf[i])
            if (system[location].type == Location::Type::Thread &&
                (process.threads.empty() || !onlySleeps(location.index())))
                process.threads.push_back(location);
        if (!process.threads.empty()) processes.push_back(std::move(process));
    }
    return processes;
}

}  // namespace holos::algebra
