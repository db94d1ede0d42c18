// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/grid.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "algebra/model/compared.h"
#include "algebra/model/hardware.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::uint64_t kMostCells = 4'000'000;
/// What the analysis calls the machine's grid, and the dimension of its nodes.
constexpr std::string_view kHardwareTopology = "Hardware";
constexpr std::string_view kNodeDimension = "node";

/// Of the processes that have threads. What is no thread has no place.
std::optional<Grid> threadsByProcesses(const SystemTree& system) {
    std::vector<std::vector<LocationId>> threads(system.processes.size());
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        if (isThread(system.locations[at])) threads[system.locations[at].process.index()].emplace_back(at);
    std::erase_if(threads, [](const auto& each) { return each.empty(); });
    if (threads.empty()) return std::nullopt;
    std::size_t most = 0;
    for (const auto& each : threads) most = std::max(most, each.size());
    Grid grid{u"Processes × threads"_qs, {{u"thread"_qs, most}, {u"process"_qs, threads.size()}}, {}, {}};
    grid.cells.resize(most * threads.size());
    for (std::size_t process = 0; process < threads.size(); ++process)
        for (std::size_t at = 0; at < threads[process].size(); ++at)
            grid.cells[process * most + at].push_back(threads[process][at]);
    return grid;
}

/// Places that no experiment of this topology could fill are not drawn.
std::optional<std::size_t> cellsOf(const Topology& topology) {
    std::uint64_t cells = topology.dimensions.empty() ? 0 : 1;
    for (const Topology::Dimension& dimension : topology.dimensions) {
        if (dimension.size > kMostCells) return std::nullopt;
        cells *= dimension.size;
        if (cells > kMostCells) return std::nullopt;
    }
    return cells == 0 ? std::nullopt : std::optional<std::size_t>(cells);
}

/// MPI's dimensions have no names.
QString dimensionName(const Topology& topology, std::size_t at) {
    constexpr const char* kLetters = "xyz";
    if (!topology.dimensions[at].name.empty()) return QString::fromStdString(topology.dimensions[at].name);
    return topology.dimensions.size() > 3 ? u"d%1"_qs.arg(at) : QString(QLatin1Char(kLetters[at]));
}

/// The node of the system tree of which a place in the dimension `node` is a part, by who stands there.
std::map<std::size_t, SystemNodeId> nodesOf(const Topology& topology, std::size_t dimension,
                                            const SystemTree& system) {
    std::map<std::size_t, SystemNodeId> nodes;
    for (const auto& [resource, position] : topology.coordinates) {
        const auto* location = std::get_if<LocationId>(&resource);
        const ProcessId process = location ? system[*location].process : std::get<ProcessId>(resource);
        nodes.try_emplace(dimension < position.size() ? position[dimension] : 0, system[process].node);
    }
    return nodes;
}

/// What of the hardware there is, as far as nodes say how many sockets, cores and units they have. All places
/// of other topologies are there.
std::vector<bool> placesOf(const Grid& grid, const Topology& topology, const SystemTree& system) {
    if (topology.name != kHardwareTopology) return std::vector<bool>(grid.cells.size(), true);
    const auto dimensionCalled = [&topology](std::string_view name) {
        return static_cast<std::size_t>(
            std::ranges::find(topology.dimensions, name, &Topology::Dimension::name) -
            topology.dimensions.begin());
    };
    const std::size_t nodeDimension = dimensionCalled(kNodeDimension);
    const std::array limits{std::pair{dimensionCalled(kCoreAttribute), kCoresAttribute},
                            std::pair{dimensionCalled(kUnitAttribute), kUnitsAttribute},
                            std::pair{dimensionCalled(kSocketAttribute), kSocketsAttribute}};
    const auto nodes = nodesOf(topology, nodeDimension, system);
    std::vector<bool> places(grid.cells.size(), false);
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
        const auto position = grid.positionOf(cell);
        const auto node = nodes.find(nodeDimension < position.size() ? position[nodeDimension] : 0);
        if (node == nodes.end()) continue;
        places[cell] = std::ranges::all_of(limits, [&](const auto& limit) {
            const auto& [dimension, attribute] = limit;
            const auto size = numberOf(system.nodes[node->second].attributes, attribute);
            return dimension >= position.size() ? true : size && position[dimension] < *size;
        });
    }
    return places;
}

std::optional<Grid> gridOf(const Topology& topology, const SystemTree& system) {
    const auto cells = cellsOf(topology);
    if (!cells) return std::nullopt;
    Grid grid;
    grid.name = topology.name.empty() ? u"Topology"_qs : QString::fromStdString(topology.name);
    for (std::size_t at = 0; at < topology.dimensions.size(); ++at)
        grid.dimensions.push_back({dimensionName(topology, at), topology.dimensions[at].size});
    grid.cells.resize(*cells);
    std::vector<std::vector<LocationId>> threads(system.processes.size());
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        threads[system.locations[at].process.index()].emplace_back(at);
    for (const auto& [resource, position] : topology.coordinates) {
        auto& found = grid.cells[grid.cellAt({position.begin(), position.end()})];
        if (const auto* location = std::get_if<LocationId>(&resource))
            found.push_back(*location);
        else
            for (const LocationId thread : threads[std::get<ProcessId>(resource).index()])
                found.push_back(thread);
    }
    grid.places = placesOf(grid, topology, system);
    return grid;
}

}  // namespace

std::size_t Grid::strideOf(std::size_t dimension) const {
    std::size_t stride = 1;
    for (std::size_t at = 0; at < dimension; ++at) stride *= dimensions[at].size;
    return stride;
}

std::vector<std::size_t> Grid::positionOf(std::size_t cell) const {
    std::vector<std::size_t> position;
    for (const Dimension& dimension : dimensions) {
        position.push_back(cell % dimension.size);
        cell /= dimension.size;
    }
    return position;
}

std::size_t Grid::cellAt(const std::vector<std::size_t>& position) const {
    std::size_t cell = 0;
    for (std::size_t at = dimensions.size(); at-- > 0;) cell = cell * dimensions[at].size + position[at];
    return cell;
}

QString Grid::placeText(std::size_t cell) const {
    QStringList parts;
    const auto position = positionOf(cell);
    for (std::size_t at = 0; at < position.size(); ++at)
        parts << u"%1 = %2"_qs.arg(dimensions[at].name).arg(position[at]);
    return parts.join(u", "_qs);
}

std::vector<Grid> gridsOf(const Experiment& experiment) {
    std::vector<Grid> grids;
    if (experiment.system.locations.empty()) return grids;
    if (auto grid = threadsByProcesses(experiment.system)) grids.push_back(std::move(*grid));
    for (const Topology& topology : experiment.topologies)
        if (auto grid = gridOf(topology, experiment.system)) grids.push_back(std::move(*grid));
    return grids;
}

}  // namespace holos::gui
