// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/grid_view.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace holos::gui {

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
