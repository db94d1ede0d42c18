// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/task_runs.h"

#include <algorithm>
#include <functional>

namespace holos::algebra {
namespace {

/// More than these per thread or process.
constexpr double kManyTasks = 4;

bool isCreation(const Experiment& experiment, CallPathId path) {
    return experiment.regionOf(path).role == "task create";
}

/// What is done there and not left to OpenMP.
const MetricNames& workTimes() {
    static const MetricNames names{"comp", "system_waiting", "mpi", "file_io"};
    return names;
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

bool isTask(const Experiment& experiment, CallPathId path) {
    const Region& region = experiment.regionOf(path);
    return region.role == "task" || region.name == "!$omp task";
}

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

std::optional<SmallTasks> smallTasksOf(const Measures& measures) {
    constexpr double kMany = 1000;
    const Experiment& experiment = measures.experiment();
    const std::vector<double> work = measures.perPath(workTimes());
    SmallTasks tasks;
    tasks.number = numberOfTasks(measures);
    if (tasks.number < kMany) return std::nullopt;
    std::vector<bool> isInTask(work.size(), false);
    for (const CallPathId path : experiment.callTree.ids()) {  // callers first
        const std::size_t at = path.index();
        const auto parent = experiment.callTree.parent(path);
        isInTask[at] = isTask(experiment, path) || (parent && isInTask[parent->index()]);
        if (isCreation(experiment, path)) {
            tasks.creating += work[at];
            if (!tasks.largest || work[at] > work[tasks.largest->index()]) tasks.largest = path;
        } else if (isInTask[at]) {
            tasks.doing += work[at];
        }
    }
    return tasks.largest && tasks.doing < tasks.creating ? std::optional(tasks) : std::nullopt;
}

bool isOfTasks(const Measures& measures, CallPathId path) {
    constexpr double kNearlyAll = 0.8;
    const Experiment& experiment = measures.experiment();
    const std::vector<double> work = measures.perPath(workTimes());
    double all = 0, ofTasks = 0;
    std::vector<bool> isIn(work.size(), false);
    for (const CallPathId one : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(one);
        isIn[one.index()] =
            isTask(experiment, one) || isCreation(experiment, one) || (parent && isIn[parent->index()]);
        if (!experiment.callTree.isWithin(one, path)) continue;
        all += work[one.index()];
        if (isIn[one.index()]) ofTasks += work[one.index()];
    }
    return ofTasks > 0 && ofTasks >= kNearlyAll * all;
}

}  // namespace holos::algebra
