// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/grid_view.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "algebra/model/processors.h"
#include "algebra/model/queries.h"
#include "algebra/model/statistics.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::uint64_t kMostCells = 4'000'000;
/// What the analysis calls the machine's grid, and the dimension of its nodes.
constexpr std::string_view kHardwareTopology = "Hardware";
constexpr std::string_view kNodeDimension = "node";

/// Of the processes that have threads. What is no thread has no place.
std::optional<Grid> threadsByProcesses(const SystemTree& system) {
    LocationGroups threads = locationsByProcess(system);
    for (auto& each : threads)
        std::erase_if(each, [&](LocationId location) { return !isThread(system[location]); });
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
    const LocationGroups threads = locationsByProcess(system);
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

namespace {

constexpr std::size_t kMostPlanes = 1000;
constexpr int kUsualTurn = -30;
constexpr int kUsualTilt = 30;
constexpr int kLeastTilt = 8;
constexpr int kRightAngle = 90;
constexpr int kHalfTurn = 180;

/// The places along an axis in the order in which they are shown.
std::vector<std::size_t> placesAlong(const Grid& grid, const GridView::Axis& axis) {
    if (axis.slice) return {*axis.slice};
    std::vector<std::size_t> places(grid.dimensions[axis.dimension].size);
    for (std::size_t at = 0; at < places.size(); ++at)
        places[at] = axis.mirrored ? places.size() - 1 - at : at;
    return places;
}

/// Where the third or further axes are.
struct Corner {
    std::size_t cell = 0;  ///< of the first two dimensions' places 0
    QString text;
};

/// The corners along these axes, the first of them changing from one to the next; those behind the first
/// `most` are left out.
std::vector<Corner> cornersAlong(const Grid& grid, const GridView& view, std::size_t first, std::size_t last,
                                 std::size_t most) {
    std::vector<Corner> corners(1);
    for (std::size_t at = std::min(last, view.axes.size()); at-- > first;) {
        const GridView::Axis& axis = view.axes[at];
        const std::size_t stride = grid.strideOf(axis.dimension);
        const std::vector<std::size_t> places = placesAlong(grid, axis);
        std::vector<Corner> finer;
        for (const Corner& corner : corners) {
            for (const std::size_t place : places) {
                if (finer.size() == most) break;
                const QString here = u"%1 = %2"_qs.arg(grid.dimensions[axis.dimension].name).arg(place);
                finer.push_back({corner.cell + place * stride,
                                 corner.text.isEmpty() ? here : here + u", "_qs + corner.text});
            }
        }
        corners = std::move(finer);
    }
    return corners;
}

std::size_t planesIn(const Grid& grid, const GridView& view) {
    std::size_t planes = 1;
    for (std::size_t at = 2; at < view.axes.size(); ++at)
        if (!view.axes[at].slice) planes *= grid.dimensions[view.axes[at].dimension].size;
    return planes;
}

std::optional<GridView::Axis> axisFrom(const QString& text) {
    static const QRegularExpression form(u"^(\\d{1,4})(r?)(?:@(\\d{1,9}))?$"_qs);
    const auto match = form.match(text);
    if (!match.hasMatch()) return std::nullopt;
    GridView::Axis axis;
    axis.dimension = match.captured(1).toULongLong();
    axis.mirrored = !match.captured(2).isEmpty();
    if (match.hasCaptured(3)) axis.slice = match.captured(3).toULongLong();
    return axis;
}

/// Each dimension once, and slices inside.
bool isOf(const GridView& view, const Grid& grid) {
    std::vector<bool> seen(grid.dimensions.size(), false);
    if (view.axes.size() != seen.size()) return false;
    for (std::size_t at = 0; at < view.axes.size(); ++at) {
        const GridView::Axis& axis = view.axes[at];
        if (axis.dimension >= seen.size() || seen[axis.dimension]) return false;
        if (axis.slice && (at < 2 || *axis.slice >= grid.dimensions[axis.dimension].size)) return false;
        seen[axis.dimension] = true;
    }
    return true;
}

}  // namespace

GridView GridView::of(const Grid& grid) {
    GridView view;
    for (std::size_t at = 0; at < grid.dimensions.size(); ++at) view.axes.push_back({at, false, {}});
    view.straighten();
    return view;
}

void GridView::turn() {
    if (axes.empty()) return;
    std::rotate(axes.begin(), axes.begin() + 1, axes.end());
    for (std::size_t at = 0; at < std::min<std::size_t>(axes.size(), 2); ++at) axes[at].slice.reset();
}

void GridView::put(std::size_t dimension, std::size_t axis) {
    std::swap(axes[axisOf(dimension)], axes[axis]);
    for (std::size_t at = 0; at < std::min<std::size_t>(axes.size(), 2); ++at) axes[at].slice.reset();
}

std::size_t GridView::axisOf(std::size_t dimension) const {
    return static_cast<std::size_t>(std::ranges::find(axes, dimension, &Axis::dimension) - axes.begin());
}

void GridView::rotate(int turn, int tilt) {
    turned = (turned + turn) % (2 * kHalfTurn);
    tilted = std::clamp(tilted + tilt, kLeastTilt, kRightAngle);
}

void GridView::straighten() {
    turned = kUsualTurn;
    tilted = kUsualTilt;
    for (Axis& axis : axes) axis = {axis.dimension, false, {}};
}

QString toText(const GridView& view) {
    QStringList axes;
    for (const GridView::Axis& axis : view.axes)
        axes << QString::number(axis.dimension) + (axis.mirrored ? u"r"_qs : QString()) +
                    (axis.slice ? u'@' + QString::number(*axis.slice) : QString());
    const QString flat = axes.join(u'.');
    return view.stacked ? u"%1/%2.%3"_qs.arg(flat).arg(view.turned).arg(view.tilted) : flat;
}

std::optional<GridView> gridViewFrom(const QString& text, const Grid& grid) {
    static const QRegularExpression stack(u"^(-?\\d{1,3})\\.(\\d{1,3})$"_qs);
    const QStringList parts = text.split(u'/');
    GridView view = GridView::of(grid);
    view.axes.clear();
    for (const QString& part : parts[0].split(u'.')) {
        const auto axis = axisFrom(part);
        if (!axis) return std::nullopt;
        view.axes.push_back(*axis);
    }
    if (!isOf(view, grid) || parts.size() > 2) return std::nullopt;
    if (parts.size() < 2) return view;
    const auto match = stack.match(parts[1]);
    if (!match.hasMatch()) return std::nullopt;
    view.stacked = true;
    view.turned = view.tilted = 0;
    view.rotate(match.captured(1).toInt(), match.captured(2).toInt());
    return view;
}

GridPlanes planesOf(const Grid& grid, const GridView& view) {
    GridPlanes made;
    const GridView::Axis across = view.axes[0];
    const std::vector<std::size_t> columns = placesAlong(grid, across);
    const std::vector<std::size_t> rows =
        view.axes.size() > 1 ? placesAlong(grid, view.axes[1]) : std::vector<std::size_t>{0};
    const std::size_t columnStride = grid.strideOf(across.dimension);
    const std::size_t rowStride = view.axes.size() > 1 ? grid.strideOf(view.axes[1].dimension) : 0;
    made.columns = columns.size();
    made.rows = rows.size();
    const auto depth = cornersAlong(grid, view, 2, 3, kMostPlanes);
    made.depth = depth.size();
    const auto groups = cornersAlong(grid, view, 3, view.axes.size(), kMostPlanes / made.depth);
    made.leftOut = planesIn(grid, view) - depth.size() * groups.size();
    for (const Corner& group : groups) {
        for (const Corner& corner : depth) {
            GridPlanes::Plane plane{corner.text, group.text, {}};
            plane.cells.reserve(made.columns * made.rows);
            for (const std::size_t row : rows)
                for (const std::size_t column : columns)
                    plane.cells.push_back(group.cell + corner.cell + row * rowStride + column * columnStride);
            made.planes.push_back(std::move(plane));
        }
    }
    return made;
}

std::optional<GridPlanes::Place> placeIn(const GridPlanes& planes, const Grid& grid, const GridView& view,
                                         std::size_t cell) {
    const auto position = grid.positionOf(cell);
    std::vector<std::size_t> places(std::max<std::size_t>(view.axes.size(), 3), 0);
    std::size_t group = 0;
    for (std::size_t at = view.axes.size(); at-- > 0;) {
        const GridView::Axis& axis = view.axes[at];
        const std::size_t size = grid.dimensions[axis.dimension].size;
        const std::size_t here = position[axis.dimension];
        if (axis.slice && *axis.slice != here) return std::nullopt;
        places[at] = axis.slice ? 0 : axis.mirrored ? size - 1 - here : here;
        if (at > 2) group = group * (axis.slice ? 1 : size) + places[at];
    }
    const std::size_t plane = group * planes.depth + places[2];
    if (places[2] >= planes.depth || plane >= planes.planes.size()) return std::nullopt;
    return GridPlanes::Place{plane, places[0], places[1]};
}

}  // namespace holos::gui
