// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/queries.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/short_name.h"

namespace holos::tables {

using namespace algebra;

namespace {

/// Of all time, and in seconds: less does not matter, or is too short for samples.
constexpr double kMuch = 0.2;
constexpr double kLong = 1;

/// How regions are called that were seen on the stack.
constexpr const char* kSeen = "sampling";

}  // namespace

std::optional<std::string> unsampledText(const Experiment& experiment) {
    if (!brokenLawsOf(experiment).empty()) return std::nullopt;
    const auto time = experiment.findMetric("time"), computation = experiment.findMetric("comp");
    const bool isSeen = std::ranges::any_of(experiment.regions,
                                            [](const Region& region) { return region.paradigm == kSeen; });
    if (!time || !computation || !isSeen || experiment.findMetric("samples")) return std::nullopt;
    const auto values = perCallPath(experiment, {*computation}, Extent::Exclusive);
    double sum = 0;
    std::optional<CallPathId> most;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (experiment.regionOf(path).paradigm != kSeen) continue;
        sum += values[path.index()];
        if (!most || values[path.index()] > values[most->index()]) most = path;
    }
    const double all = aggregate(experiment, {*time});
    if (!(sum >= kLong && sum >= kMuch * all)) return std::nullopt;
    return fmt::format(
        "{:.1f} % of the time is computation between events, such as that of {} and what it calls: 'holos "
        "record --sample 10ms' tells which functions took it",
        100 * sum / all, folded(experiment.regionOf(*most).name, Folding::All));
}

}  // namespace holos::tables
