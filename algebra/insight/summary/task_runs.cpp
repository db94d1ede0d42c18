// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/task_runs.h"

#include <algorithm>
#include <functional>

namespace holos::algebra {
namespace {

/// More than these per thread or process.
constexpr double kManyTasks = 4;

bool isTask(const Experiment& experiment, CallPathId path) {
    const Region& region = experiment.regionOf(path);
    return region.role == "task" || region.name == "!$omp task";
}

/// By thread, with what tasks call.
std::vector<double> valuesOfTasks(const Measures& measures, const char* metric) {
    const Experiment& experiment = measures.experiment();
    std::vector<double> values(experiment.system.locations.size(), 0.0);
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        if (!isTask(experiment, path) || (parent && isTask(experiment, *parent))) continue;
        const std::vector<double> own = measures.perLocation({metric}, path);
        std::ranges::transform(values, own, values.begin(), std::plus());
    }
    return values;
}

double numberOfTasks(const Measures& measures) {
    const std::vector<double> visits = measures.perPath({"visits"});
    double tasks = 0;
    for (const CallPathId path : measures.experiment().callTree.ids())
        if (isTask(measures.experiment(), path)) tasks += visits[path.index()];
    return tasks;
}

}  // namespace

bool doesOneThreadRunAllTasks(const Measures& measures) {
    const std::vector<double> visits = valuesOfTasks(measures, "visits");
    double running = 0;
    for (const CountedProcess& process : measures.processes()) {
        const auto count = std::ranges::count_if(
            process.threads, [&](LocationId thread) { return visits[thread.index()] > 0; });
        if (count > 1) return false;
        running += static_cast<double>(count);
    }
    return numberOfTasks(measures) >= kManyTasks * std::max(1.0, running);
}

bool doTasksRunInTurn(const Measures& measures, const MetricNames& waits) {
    constexpr double kNearlyAll = 0.9;
    const std::vector<double> times = valuesOfTasks(measures, "time"), waiting = measures.perLocation(waits);
    double waited = 0, most = 0, running = 0;
    for (const CountedProcess& process : measures.processes()) {
        double all = 0, largest = 0;
        for (const LocationId thread : process.threads) {
            waited += waiting[thread.index()];
            all += times[thread.index()];
            largest = std::max(largest, times[thread.index()]);
        }
        if (all <= 0) continue;
        if (largest >= kNearlyAll * all) return false;
        most += all * static_cast<double>(process.threads.size() - 1);
        running += 1;
    }
    return running > 0 && waited >= kNearlyAll * most && numberOfTasks(measures) >= kManyTasks * running;
}

}  // namespace holos::algebra
