// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/parallel_regions.h"

namespace holos::algebra {

bool isParallelRegion(const Experiment& experiment, CallPathId path) {
    const Region& region = experiment.regionOf(path);
    return region.role == "parallel" || region.name.starts_with("!$omp parallel");
}

std::optional<CallPathId> outermostParallelRegion(const Experiment& experiment, CallPathId path) {
    std::optional<CallPathId> outermost;
    for (std::optional<CallPathId> at = path; at; at = experiment.callTree.parent(*at))
        if (isParallelRegion(experiment, *at)) outermost = at;
    return outermost;
}

}  // namespace holos::algebra
