// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tests/gui/sample_experiment.h"

namespace holos::gui::testing {

using Dimensions = std::vector<algebra::Topology::Dimension>;
using Places = std::vector<std::vector<std::uint64_t>>;

/// The sample with its four locations at these places.
inline algebra::Experiment standing(const Dimensions& dimensions, const Places& places) {
    algebra::Experiment experiment = sampleExperiment();
    algebra::Topology topology;
    topology.name = "torus";
    topology.dimensions = dimensions;
    for (std::size_t at = 0; at < places.size(); ++at)
        topology.coordinates.push_back({algebra::LocationId(at), places[at]});
    experiment.topologies.push_back(topology);
    return experiment;
}

/// Two columns (x), one row (y) and three planes (z).
inline algebra::Experiment torus() {
    return standing({{"x", 2, false}, {"y", 1, false}, {"z", 3, false}},
                    {{0, 0, 0}, {1, 0, 0}, {0, 0, 2}, {1, 0, 1}});
}

}  // namespace holos::gui::testing
