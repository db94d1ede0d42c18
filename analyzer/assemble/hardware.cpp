// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "algebra/model/hardware.h"

namespace holos::analyzer::assemble {

namespace {

/// In the order of the dimensions.
using HardwarePosition = std::array<std::uint64_t, 4>;
constexpr std::array kDimensionNames = {"core", "unit", "socket", "node"};
constexpr std::size_t kCoreDimension = 0;

/// How many of each the largest node has, by what the nodes say.
HardwarePosition largestNode(const algebra::SystemTree& system) {
    HardwarePosition sizes{1, 1, 1, 1};
    for (const algebra::SystemNodeId id : system.nodes.ids()) {
        const auto& attributes = system.nodes[id].attributes;
        const auto grow = [&attributes](std::uint64_t& size, std::string_view key) {
            size = std::max<std::uint64_t>(size, algebra::numberOf(attributes, key).value_or(0));
        };
        grow(sizes[kCoreDimension], algebra::kCoresAttribute);
        grow(sizes[1], algebra::kUnitsAttribute);
        grow(sizes[2], algebra::kSocketsAttribute);
    }
    return sizes;
}

std::vector<std::pair<algebra::LocationId, HardwarePosition>> placesIn(const algebra::SystemTree& system) {
    std::vector<std::pair<algebra::LocationId, HardwarePosition>> places;
    std::map<algebra::SystemNodeId, std::uint64_t> nodes;  // numbered as they come
    for (std::size_t at = 0; at < system.locations.size(); ++at) {
        const auto place = algebra::placeOf(system.locations[at]);
        if (!place) continue;
        const algebra::SystemNodeId node = system[system.locations[at].process].node;
        const auto number = nodes.try_emplace(node, nodes.size()).first->second;
        places.push_back({algebra::LocationId(at), {place->core, place->unit, place->socket, number}});
    }
    return places;
}

}  // namespace

std::optional<algebra::Topology> hardwareTopology(const algebra::SystemTree& system) {
    const auto places = placesIn(system);
    if (places.empty()) return std::nullopt;
    HardwarePosition sizes = largestNode(system);
    for (const auto& [location, position] : places)
        for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], position[i] + 1);
    const auto isShown = [&sizes](std::size_t dimension) {
        return dimension == kCoreDimension || sizes[dimension] > 1;
    };
    algebra::Topology topology{"Hardware", {}, {}};
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (isShown(i)) topology.dimensions.push_back({kDimensionNames[i], sizes[i], false});
    for (const auto& [location, position] : places) {
        algebra::Topology::Coordinate coordinate{location, {}};
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (isShown(i)) coordinate.position.push_back(position[i]);
        topology.coordinates.push_back(std::move(coordinate));
    }
    return topology;
}

void addHardware(algebra::Experiment& experiment, const trace::Definitions& definitions) {
    algebra::SystemTree& system = experiment.system;
    for (std::size_t at = 0; at < definitions.systemNodes.size(); ++at)
        system.nodes[algebra::SystemNodeId(at)].attributes = definitions.systemNodes[at].properties;
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        system.locations[at].attributes = definitions.locations[at].properties;
    if (auto topology = hardwareTopology(system)) experiment.topologies.push_back(std::move(*topology));
}

}  // namespace holos::analyzer::assemble
