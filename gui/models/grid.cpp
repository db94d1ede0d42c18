// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/grid.h"

#include <QStringList>
#include <algorithm>
#include <optional>

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::uint64_t kMostCells = 4'000'000;

/// Ranks from the top to the bottom, threads from left to right.
Grid ranksByThreads(const SystemTree& system) {
    Grid grid{u"Processes × threads"_qs, u"thread"_qs, u"process"_qs, {}, 1, system.processes.size(), {}};
    std::vector<std::size_t> columns;
    std::vector<std::size_t> used(system.processes.size(), 0);
    for (const Location& location : system.locations) columns.push_back(used[location.process.index()]++);
    for (const std::size_t count : used) grid.columns = std::max(grid.columns, count);
    Grid::Plane plane;
    plane.cells.resize(grid.columns * grid.rows);
    for (std::size_t at = 0; at < columns.size(); ++at)
        plane.cells[system.locations[at].process.index() * grid.columns + columns[at]].locations.emplace_back(
            at);
    grid.planes.push_back(std::move(plane));
    return grid;
}

QString dimensionName(const Topology& topology, std::size_t at) {
    const QString name = QString::fromStdString(topology.dimensions[at].name);
    return name.isEmpty() ? u"dimension %1"_qs.arg(at) : name;
}

/// The place in the third and further dimensions, as a number and as a text.
QString planeTitle(const Topology& topology, std::size_t plane) {
    QStringList parts;
    for (std::size_t at = 2; at < topology.dimensions.size(); ++at) {
        const std::size_t size = topology.dimensions[at].size;
        parts << u"%1 = %2"_qs.arg(dimensionName(topology, at)).arg(plane % size);
        plane /= size;
    }
    return parts.join(u", "_qs);
}

std::optional<Grid> gridOf(const Topology& topology, const SystemTree& system) {
    if (topology.dimensions.empty()) return std::nullopt;
    std::uint64_t cells = 1;
    for (const Topology::Dimension& dimension : topology.dimensions) {
        if (dimension.size == 0 || dimension.size > kMostCells) return std::nullopt;
        cells *= dimension.size;
        if (cells > kMostCells) return std::nullopt;
    }
    Grid grid;
    grid.name = topology.name.empty() ? u"Topology"_qs : QString::fromStdString(topology.name);
    grid.columns = topology.dimensions[0].size;
    grid.rows = topology.dimensions.size() > 1 ? topology.dimensions[1].size : 1;
    grid.columnName = dimensionName(topology, 0);
    if (topology.dimensions.size() > 1) grid.rowName = dimensionName(topology, 1);
    QStringList further;
    for (std::size_t at = 2; at < topology.dimensions.size(); ++at) further << dimensionName(topology, at);
    grid.planeName = further.join(u" × "_qs);
    grid.planes.resize(cells / (grid.columns * grid.rows));
    for (std::size_t at = 0; at < grid.planes.size(); ++at) {
        grid.planes[at].title = planeTitle(topology, at);
        grid.planes[at].cells.resize(grid.columns * grid.rows);
    }
    std::vector<std::vector<LocationId>> threads(system.processes.size());
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        threads[system.locations[at].process.index()].emplace_back(at);
    for (const auto& [resource, position] : topology.coordinates) {
        std::size_t cell = 0;
        for (std::size_t at = topology.dimensions.size(); at-- > 0;)
            cell = cell * topology.dimensions[at].size + position[at];
        auto& found = grid.planes[cell / (grid.columns * grid.rows)].cells[cell % (grid.columns * grid.rows)];
        if (const auto* location = std::get_if<LocationId>(&resource))
            found.locations.push_back(*location);
        else
            for (const LocationId thread : threads[std::get<ProcessId>(resource).index()])
                found.locations.push_back(thread);
    }
    return grid;
}

}  // namespace

std::vector<Grid> gridsOf(const Experiment& experiment) {
    std::vector<Grid> grids;
    if (experiment.system.locations.empty()) return grids;
    grids.push_back(ranksByThreads(experiment.system));
    for (const Topology& topology : experiment.topologies)
        if (auto grid = gridOf(topology, experiment.system)) grids.push_back(std::move(*grid));
    return grids;
}

Grid turned(const Grid& grid) {
    const bool flat = grid.planeName.isEmpty();
    Grid made;
    made.name = grid.name;
    made.columnName = grid.rowName;
    made.rowName = flat ? grid.columnName : grid.planeName;
    made.columns = grid.rows;
    made.rows = flat ? grid.columns : grid.planes.size();
    made.planes.resize(flat ? 1 : grid.columns);
    if (!flat) made.planeName = grid.columnName;
    for (std::size_t at = 0; at < made.planes.size(); ++at) {
        if (!flat) made.planes[at].title = u"%1 = %2"_qs.arg(grid.columnName).arg(at);
        made.planes[at].cells.resize(made.columns * made.rows);
    }
    for (std::size_t plane = 0; plane < grid.planes.size(); ++plane)
        for (std::size_t row = 0; row < grid.rows; ++row)
            for (std::size_t column = 0; column < grid.columns; ++column)
                made.planes[flat ? 0 : column].cells[(flat ? column : plane) * made.columns + row] =
                    grid.at(grid.planes[plane], column, row);
    return made;
}

}  // namespace holos::gui
