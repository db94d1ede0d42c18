// SPDX-License-Identifier: BSD-3-Clause
// What a replay takes as recorded, where this run has it (docs/prediction.md).
#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/queries.h"
#include "cli/predict/predict_formats.h"

namespace holos::cli {

using namespace algebra;

namespace {

/// Of the time of all threads.
double shareOf(const Experiment& experiment, const char* metric) {
    const auto part = experiment.findMetric(metric), time = experiment.findMetric("time");
    if (!part || !time) return 0;
    const double all = aggregate(experiment, {*time});
    return all > 0 ? aggregate(experiment, {*part}) / all : 0;
}

template <class Is>
bool hasRegion(const Experiment& experiment, Is is) {
    return std::ranges::any_of(experiment.callTree.ids(),
                               [&](CallPathId path) { return is(experiment.regionOf(path)); });
}

bool isOfLock(const Region& region) {
    return region.role == "critical" || region.role == "lock" ||
           region.name.starts_with("pthread_mutex_lock") || region.name.starts_with("omp_set_lock");
}

}  // namespace

std::vector<std::string> limitNotes(const Experiment& recorded) {
    constexpr double kSome = 0.01;
    std::vector<std::string> notes;
    if (hasRegion(recorded, isOfLock))
        notes.emplace_back("locks and critical sections are acquired in the recorded order");
    if (hasRegion(recorded, [](const Region& region) { return region.role == "task"; }))
        notes.emplace_back("each task is executed by the thread that executed it in the recording");
    if (const double share = shareOf(recorded, "system_waiting"); share > kSome)
        notes.push_back(
            fmt::format("sleeping, input and output, which have {:.0f} % of the time of threads, take as "
                        "long as recorded",
                        100 * share));
    if (const double share = shareOf(recorded, "mpi_io"); share > kSome)
        notes.push_back(fmt::format("files of MPI, which have {:.0f} % of the time, take as long as recorded",
                                    100 * share));
    if (std::ranges::any_of(recorded.system.locations, [](const Location& location) {
            return location.type == Location::Type::AcceleratorStream;
        }))
        notes.emplace_back(
            "what accelerators do is not replayed, and waiting for them takes as long as recorded");
    return notes;
}

}  // namespace holos::cli
