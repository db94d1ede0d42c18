// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// The metrics of an experiment that an operator works on, possibly arranged in another way.
struct MetricView {
    MetricForest metrics;
    std::vector<MetricId> source;  ///< per metric of the view: its id in the experiment
};

/// All metrics as they are.
MetricView everything(const Experiment& experiment);

/// Without ratios; what stands below one moves up.
MetricView withoutRatios(const Experiment& experiment);

/// Without what a specification derived: composed and computed metrics are left out, measurements that stood
/// below them or were renamed are roots again and carry the name of their event.
MetricView measurements(const Experiment& experiment);

/// Where the parts of one input are found in the union.
struct InputMap {
    std::vector<CallPathId> callPaths;               ///< by call path of the input
    std::vector<LocationId> locations;               ///< by location of the input
    std::vector<std::optional<CallPathId>> sources;  ///< by call path of the union: that of the input
    bool sameLocations = false;                      ///< `locations` maps every location to itself
};

/// One input's share in a metric of the union.
struct Contribution {
    std::size_t input;  ///< index into the inputs
    MetricId metric;    ///< of that input
};

/// The structure of several experiments: everything that occurs in any of them, once. How the parts pair up:
/// unite_metrics.h, unite_programs.h, unite_systems.h. Attributes, mirrors, topologies and files of the
/// container are united by name, the first input's first.
struct Union {
    Experiment result;  ///< without severities
    std::vector<std::shared_ptr<const InputMap>> inputs;
    std::vector<std::vector<Contribution>> contributions;  ///< by metric of the result, in order of inputs
};

/// `views[i]` are the metrics of `inputs[i]` that take part.
Union unite(const Inputs& inputs, const std::vector<MetricView>& views, const Matching& matching = {});

}  // namespace holos::algebra
