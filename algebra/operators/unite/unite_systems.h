// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"
#include "algebra/operators/unite/matching.h"

namespace holos::algebra {

struct SystemMap {
    std::vector<ProcessId> processes;  ///< per process of the input: its id in the union
    std::vector<LocationId> locations;
};

struct UnitedSystems {
    SystemTree tree;
    std::vector<SystemMap> inputs;
};

/// Processes are the same when kind and rank agree, locations when process, kind and thread number do.
/// Where the inputs place no process differently, their machines and nodes are united by class and name.
/// Otherwise the runs were on different machines, and all processes go below one virtual node, as with
/// CubeLib's collapsing of system trees.
///
/// By structure, the n-th node of a class below the same parent is the same node, whatever its name, and the
/// n-th process of a node the same process.
UnitedSystems uniteSystems(const std::vector<const SystemTree*>& inputs,
                           Matching::Systems systems = Matching::Systems::Ranks);

}  // namespace holos::algebra
