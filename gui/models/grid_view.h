// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "algebra/model/queries.h"

namespace holos::gui {

/// A topology: places in one or more named dimensions, and who stands there.
struct Grid {
    struct Dimension {
        QString name;
        std::size_t size = 0;
    };
    QString name;
    std::vector<Dimension> dimensions;
    /// Who stands there, and whose values belong together; the first dimension's place changes from one cell
    /// to the next.
    algebra::LocationGroups cells;
    /// By cell: there is such a place, even if nobody stands there. Empty: only where somebody does.
    std::vector<bool> places;

    bool isPlace(std::size_t cell) const { return !cells[cell].empty() || (!places.empty() && places[cell]); }

    /// The places of a cell, one by dimension, and back.
    std::vector<std::size_t> positionOf(std::size_t cell) const;
    std::size_t cellAt(const std::vector<std::size_t>& position) const;
    /// How many cells lie between neighbours in a dimension.
    std::size_t strideOf(std::size_t dimension) const;
    /// `x = 3, y = 0`
    QString placeText(std::size_t cell) const;
};

/// Threads × processes, and the topologies of the experiment; those that are too large to be drawn are left
/// out.
std::vector<Grid> gridsOf(const algebra::Experiment& experiment);

/// How a grid of any number of dimensions is looked at: the first dimension in order goes across, the second
/// down, the third makes planes, further ones groups of planes.
struct GridView {
    struct Axis {
        std::size_t dimension = 0;
        bool mirrored = false;             ///< runs to the left, up, or to the front
        std::optional<std::size_t> slice;  ///< of the third and further: the only place that is shown
        friend bool operator==(const Axis&, const Axis&) = default;
    };
    std::vector<Axis> axes;
    bool stacked = false;  ///< planes lie above each other, seen from a side, instead of beside each other
    int turned = 0;        ///< degrees around the axis of the stack
    int tilted = 0;        ///< degrees: 0 from the side, 90 from above

    /// As the dimensions come.
    static GridView of(const Grid& grid);
    /// Each axis takes the dimension of the next one: another side of the grid.
    void turn();
    /// Puts a dimension on an axis; the axis that had it takes the other one.
    void put(std::size_t dimension, std::size_t axis);
    /// The axis of a dimension.
    std::size_t axisOf(std::size_t dimension) const;
    /// Turns and tilts the stack by so many degrees.
    void rotate(int turn, int tilt);
    /// Shows everything as it comes from `of`, but for the choice of dimensions.
    void straighten();

    friend bool operator==(const GridView&, const GridView&) = default;
};

/// `1.0r.2@5` for dimension 1 across, 0 down and mirrored, 2 cut at place 5; `/30.25` behind it for a stack
/// turned by 30 and tilted by 25 degrees.
QString toText(const GridView& view);
/// Nothing where it is not the view of such a grid.
std::optional<GridView> gridViewFrom(const QString& text, const Grid& grid);

/// The cells of a grid in the planes that a view shows, up to a thousand of them.
struct GridPlanes {
    struct Plane {
        QString title;  ///< where it is in the third dimension: `z = 2`; empty: there is none
        QString group;  ///< where it is in the further ones
        std::vector<std::size_t> cells;  ///< row after row: numbers of the grid's cells
    };
    std::size_t columns = 0, rows = 0;
    std::size_t depth = 1;    ///< so many planes after each other make a group
    std::size_t leftOut = 0;  ///< planes that are too many to be seen; slices show them
    std::vector<Plane> planes;

    struct Place {
        std::size_t plane = 0, column = 0, row = 0;
    };
    std::size_t cellAt(const Place& place) const {
        return planes[place.plane].cells[place.row * columns + place.column];
    }
};

GridPlanes planesOf(const Grid& grid, const GridView& view);
/// Where a cell of the grid is in its planes; nothing where a slice leaves it out.
std::optional<GridPlanes::Place> placeIn(const GridPlanes& planes, const Grid& grid, const GridView& view,
                                         std::size_t cell);

}  // namespace holos::gui
