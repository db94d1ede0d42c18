// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/topology/topology_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace holos::gui {

namespace {

constexpr double kSmallestCell = 3.0;
constexpr double kLargestSide = 48.0;
constexpr double kLargestStackCell = 80.0;
constexpr double kComfortable = 12.0;  ///< pixels of a cell: smaller ones are a reason to break a long plane
constexpr double kPlaneGap = 12.0;
constexpr double kCloseCell = 1.0;  ///< of planes with more cells than labels could tell apart
constexpr double kCloseGap = 1.0;
constexpr double kStackPart = 0.45;       ///< of the height, that the lowest plane of a stack may take
constexpr double kLargestDistance = 1.1;  ///< between planes, in heights of a plane

/// A number of pieces of one size, in rows of `perRow`.
struct Pieces {
    std::size_t count = 1;
    std::size_t columns = 1, rows = 1;
    std::size_t perRow = 1;
    QSizeF around;  ///< what each needs beside its cells
    std::size_t lines() const { return (count + perRow - 1) / perRow; }
};

double cellThatFits(const Pieces& pieces, QSizeF room) {
    const auto perRow = static_cast<double>(pieces.perRow);
    const auto lines = static_cast<double>(pieces.lines());
    const double width = (room.width() - perRow * pieces.around.width() - kPlaneGap) / perRow;
    const double height = (room.height() - lines * pieces.around.height() - kPlaneGap) / lines;
    return std::min(width / static_cast<double>(pieces.columns), height / static_cast<double>(pieces.rows));
}

/// Beside each other as that makes the cells largest.
Pieces arranged(Pieces pieces, QSizeF room) {
    Pieces best = pieces;
    for (pieces.perRow = 2; pieces.perRow <= pieces.count; ++pieces.perRow)
        if (cellThatFits(pieces, room) > cellThatFits(best, room)) best = pieces;
    return best;
}

std::size_t parts(std::size_t whole, std::size_t of) {
    return (whole + of - 1) / of;
}

/// The plane in strips of rows beside each other, or of columns below each other.
Pieces broken(const Pieces& whole, QSizeF room, double smallest) {
    if (cellThatFits(whole, room) >= kComfortable) return whole;
    const bool tall = whole.rows > whole.columns;
    const std::size_t longer = std::max(whole.rows, whole.columns);
    const double side = tall ? room.width() : room.height();
    const double least = smallest * static_cast<double>(std::min(whole.rows, whole.columns)) +
                         (tall ? whole.around.width() : whole.around.height());
    const auto most = static_cast<std::size_t>(std::max(1.0, side / least));
    Pieces best = whole;
    for (std::size_t count = 2; count <= std::min(most, longer); ++count) {
        Pieces pieces = whole;
        (tall ? pieces.rows : pieces.columns) = parts(longer, count);
        pieces.count = parts(longer, parts(longer, count));
        pieces.perRow = tall ? pieces.count : 1;
        if (cellThatFits(pieces, room) > cellThatFits(best, room)) best = pieces;
    }
    return best;
}

}  // namespace

TopologyLayout flatLayout(const GridPlanes& planes, const TopologyRoom& room) {
    Pieces pieces;
    pieces.count = planes.planes.size();
    pieces.columns = planes.columns;
    pieces.rows = planes.rows;
    const bool single = pieces.count == 1;
    pieces.around = {kPlaneGap + (single ? room.rowLabel : 0.0), kPlaneGap + room.line};
    TopologyLayout layout;
    double smallest = kSmallestCell;
    if (single) {
        Pieces close = pieces;
        close.around = {kCloseGap, kCloseGap};
        pieces = broken(pieces, room.size, smallest);
        // Where so many do not fit, cells need the room of the labels.
        layout.labelled = cellThatFits(pieces, room.size) >= smallest;
        if (!layout.labelled) pieces = broken(close, room.size, smallest = kCloseCell);
    } else {
        pieces = arranged(pieces, room.size);
    }
    const double left = kPlaneGap + (single && layout.labelled ? room.rowLabel : 0.0);
    const double top = kPlaneGap + (layout.labelled ? room.line : 0.0);
    // Whole pixels, so that all cells are equal.
    layout.cell = std::floor(room.zoom *
                             std::floor(std::clamp(cellThatFits(pieces, room.size), smallest, kLargestSide)));
    const QSizeF cells(layout.cell * static_cast<double>(pieces.columns),
                       layout.cell * static_cast<double>(pieces.rows));
    const QSizeF step(std::max(cells.width(), single ? 0.0 : room.planeLabel) + pieces.around.width(),
                      cells.height() + pieces.around.height());
    for (std::size_t piece = 0; piece < pieces.count; ++piece) {
        const auto across = static_cast<double>(piece % pieces.perRow);
        const auto down = static_cast<double>(piece / pieces.perRow);
        const QPointF corner(left + across * step.width(), top + down * step.height());
        const std::size_t column = single && pieces.columns < planes.columns ? piece * pieces.columns : 0;
        const std::size_t row = single && pieces.rows < planes.rows ? piece * pieces.rows : 0;
        const QRect part(static_cast<int>(column), static_cast<int>(row),
                         static_cast<int>(std::min(pieces.columns, planes.columns - column)),
                         static_cast<int>(std::min(pieces.rows, planes.rows - row)));
        const QTransform place = QTransform::fromTranslate(corner.x(), corner.y())
                                     .scale(layout.cell, layout.cell)
                                     .translate(-part.left(), -part.top());
        layout.tiles.push_back({single ? 0 : piece, part, place});
    }
    layout.size = {kPlaneGap + step.width() * static_cast<double>(std::min(pieces.perRow, pieces.count)),
                   kPlaneGap + step.height() * static_cast<double>(pieces.lines())};
    return layout;
}

TopologyLayout stackedLayout(const GridPlanes& planes, const GridView& view, const TopologyRoom& room) {
    const double turn = view.turned * std::numbers::pi / 180.0;
    const double tilt = view.tilted * std::numbers::pi / 180.0;
    const auto columns = static_cast<double>(planes.columns);
    const auto rows = static_cast<double>(planes.rows);
    const auto above = static_cast<double>(planes.depth - 1);
    const std::size_t groups = planes.planes.size() / planes.depth;
    // Of a plane with cells of length 1.
    const double width = columns * std::abs(std::cos(turn)) + rows * std::abs(std::sin(turn));
    const double height =
        (columns * std::abs(std::sin(turn)) + rows * std::abs(std::cos(turn))) * std::sin(tilt);

    Pieces stacks;
    stacks.count = groups;
    // Titles stand on the right, names of edges around the lowest plane.
    const QSizeF edge(1.5 * room.planeLabel + 2.0 * room.line + kPlaneGap, 3.0 * room.line + kPlaneGap);
    const QPointF shift(-0.25 * room.planeLabel, -0.5 * room.line);
    TopologyLayout best;
    QSizeF bestStack;
    for (stacks.perRow = 1; stacks.perRow <= groups; ++stacks.perRow) {
        const QSizeF stack(room.size.width() / static_cast<double>(stacks.perRow) - edge.width(),
                           room.size.height() / static_cast<double>(stacks.lines()) - edge.height());
        const double tall = stack.height() * (above > 0.0 ? kStackPart : 1.0);
        const double cell =
            std::clamp(std::min(stack.width() / width, tall / height), 1.0, kLargestStackCell);
        if (cell <= best.cell) continue;
        best.cell = cell;
        best.distance = above > 0.0 ? std::clamp((stack.height() - cell * height) / above, 1.0,
                                                 kLargestDistance * cell * height + room.line)
                                    : 0.0;
        bestStack = QSizeF(room.size.width() / static_cast<double>(stacks.perRow),
                           room.size.height() / static_cast<double>(stacks.lines()));
    }
    const auto perRow = static_cast<std::size_t>(std::lround(room.size.width() / bestStack.width()));
    best.cell *= room.zoom;
    best.distance *= room.zoom;
    const QSizeF needed(best.cell * width + edge.width(),
                        best.cell * height + above * best.distance + edge.height());
    const QSizeF step = bestStack.expandedTo(needed);
    for (std::size_t plane = 0; plane < planes.planes.size(); ++plane) {
        const std::size_t group = plane / planes.depth;
        const auto level = static_cast<double>(plane % planes.depth);
        const QPointF middle = shift + QPointF((static_cast<double>(group % perRow) + 0.5) * step.width(),
                                               (static_cast<double>(group / perRow) + 0.5) * step.height());
        const double scale = best.cell;
        const QTransform place(scale * std::cos(turn), scale * std::sin(turn) * std::sin(tilt),
                               -scale * std::sin(turn), scale * std::cos(turn) * std::sin(tilt), middle.x(),
                               middle.y() + (above / 2.0 - level) * best.distance);
        best.tiles.push_back({plane,
                              QRect(0, 0, static_cast<int>(planes.columns), static_cast<int>(planes.rows)),
                              QTransform::fromTranslate(-columns / 2.0, -rows / 2.0) * place});
    }
    best.size = {step.width() * static_cast<double>(std::min(perRow, groups)),
                 step.height() * static_cast<double>((groups + perRow - 1) / perRow)};
    return best;
}

}  // namespace holos::gui
