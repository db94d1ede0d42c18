// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The operands of an operator: `merge({a, b, c})`. They must outlive the call only.
using Inputs = std::vector<std::reference_wrapper<const Experiment>>;

/// When parts of several experiments are the same.
struct Matching {
    /// Regions and calls match only if their lines agree. Otherwise lines only tell apart what else is alike.
    bool lines = false;
    /// Regions whose names differ by what compilers make of them are the same (`plainName`), and so are
    /// modules in other folders.
    bool loosely = false;
    enum class Systems : std::uint8_t {
        Ranks,      ///< processes by rank, wherever they ran
        Structure,  ///< by place: the first process of the second node with the same one of the other system
    };
    Systems systems = Systems::Ranks;
};

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
