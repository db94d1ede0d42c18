// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"
#include "algebra/operators/unite/inputs.h"

/// What experiments consist of, one kind of parts after the other.
namespace holos::algebra {

/// Adds the metrics of `from` that `into` lacks. Two metrics are the same when they have the same name
/// (`specifiedName`), the same parents, and both values or both an expression; several such siblings pair up
/// in their order. What `into` says about a metric stays, except that the value type becomes one that holds
/// both, and that it is incomplete when one of them is. Returns for each metric of `from` its id in `into`.
std::vector<MetricId> uniteMetrics(MetricForest& into, const MetricForest& from);

/// Adds the regions of `from` that `into` lacks; returns for each region of `from` its id in `into`. The same
/// are regions of one name and module, first of all those on the same lines; several alike pair up in their
/// order.
std::vector<RegionId> uniteRegions(std::vector<Region>& into, const std::vector<Region>& from,
                                   const Matching& matching = {});

/// Adds the call paths of `from` that `into` lacks; returns for each call path of `from` its id in `into`.
/// One call path are those with the same callers, callee and parameters, first of all those called on the
/// same line; several alike siblings (of recursion or loops) pair up in their order. `regions` maps the
/// regions of `from`.
std::vector<CallPathId> uniteCallTrees(CallTree& into, const CallTree& from,
                                       const std::vector<RegionId>& regions, const Matching& matching = {});

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
