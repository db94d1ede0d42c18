// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/flatten.h"

#include "algebra/operators/rows/regroup.h"

namespace holos::algebra {

Experiment flatten(Experiment experiment) {
    Regrouping flat = unchanged(experiment);
    flat.callTree = {};
    std::vector<std::optional<CallPathId>> rootOf(experiment.regions.size());
    for (const CallPathId path : experiment.callTree.ids()) {
        const RegionId region = experiment.callTree[path].region;
        auto& root = rootOf[region.index()];
        if (!root) {
            CallPath called;
            called.region = region;
            root = flat.callTree.add(std::move(called));
        }
        flat.callPaths[path.index()] = root;
    }
    return regroup(std::move(experiment), std::move(flat));
}

}  // namespace holos::algebra
