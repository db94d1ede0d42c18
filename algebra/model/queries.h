// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "base/chosen.h"

namespace holos::algebra {

/// Along a tree: a node with everything below it, or alone.
enum class Extent : unsigned char { Inclusive, Exclusive };

struct MetricChoice {
    MetricId metric;
    Extent extent = Extent::Inclusive;
};

struct CallPathChoice {
    CallPathId path;
    Extent extent = Extent::Inclusive;

    friend bool operator==(const CallPathChoice&, const CallPathChoice&) = default;
};

using ChosenPaths = Chosen<CallPathChoice>;
using ChosenLocations = Chosen<LocationId>;

/// The queries are pure functions of the experiment; thread safety: safe. Values are sums over
/// what is chosen, each call path once (minimum or maximum for MinDouble and MaxDouble metrics); a
/// postderived metric's expression is evaluated on the aggregated operands, a prederived one's before the
/// aggregation. NaN stands for "undefined": a ratio with a zero denominator, or an expression that cannot be
/// evaluated here.

/// One value per location, indexed by LocationId.
std::vector<double> perLocation(const Experiment&, MetricChoice, const ChosenPaths& = kAll);

/// One value per call path, indexed by CallPathId, over the chosen locations.
std::vector<double> perCallPath(const Experiment&, MetricChoice, Extent callExtent,
                                const ChosenLocations& = kAll);

/// Some locations each, which may overlap.
using LocationGroups = std::vector<std::vector<LocationId>>;

/// One value per group, over the chosen call paths.
std::vector<double> perGroup(const Experiment&, MetricChoice, const LocationGroups&,
                             const ChosenPaths& = kAll);

/// The single value over the chosen call paths and locations.
double aggregate(const Experiment&, MetricChoice, const ChosenPaths& = kAll, const ChosenLocations& = kAll);

/// Why a metric is NaN everywhere: its expression cannot be evaluated here, or its values are not numbers.
/// Nothing for every other metric.
std::optional<std::string> whyNotEvaluated(const Experiment&, MetricId);

/// The locations below a node of the system tree, ascending.
std::vector<LocationId> locationsOf(const SystemTree&, SystemNodeId);
std::vector<LocationId> locationsOf(const SystemTree&, ProcessId);
/// The locations of all nodes by SystemNodeId, and all processes by ProcessId.
LocationGroups locationsByNode(const SystemTree&);
LocationGroups locationsByProcess(const SystemTree&);
/// The processes that stand on each node itself, by SystemNodeId.
std::vector<std::vector<ProcessId>> processesByNode(const SystemTree&);

/// Processes and threads of the program, without places that only carry counters, and accelerators.
std::size_t numberOfProcesses(const SystemTree&);
std::size_t numberOfThreads(const SystemTree&);

}  // namespace holos::algebra
