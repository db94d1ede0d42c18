// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "analyzer/paths/path_tree.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::paths {

/// One call tree out of the locations' own.
struct MergedTree {
    PathTree tree;
    std::vector<algebra::Region> regions;     ///< those that the tree names
    std::vector<trace::RegionClass> classes;  ///< by region of the experiment
    /// By location and local node; nothing for nodes without a place (time outside of the program).
    std::vector<std::vector<std::optional<algebra::CallPathId>>> pathOf;
};

/// Call paths are equal when their chains of regions and call sites are. They stand in the order of their
/// first encounter: process by process, thread by thread. A worker's paths stand below the call path that
/// forked its team; explicit tasks below what created them, or below TASKS where that is not known; functions
/// of created threads below THREADS. These two are below the program.
MergedTree mergeCallTrees(const replay::ReplayedCalls& calls, workers::Workers& workers);

}  // namespace holos::analyzer::paths
