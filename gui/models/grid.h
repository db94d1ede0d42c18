// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::gui {

/// A topology as it is drawn: planes of columns × rows, one plane for each place in the third and further
/// dimensions.
struct Grid {
    struct Cell {
        std::vector<algebra::LocationId> locations;  ///< whose values the cell adds up; none: an empty place
    };
    struct Plane {
        QString title;  ///< `z = 2`; empty when there is one plane only
        std::vector<Cell> cells;
    };
    QString name;
    QString columnName, rowName;
    QString planeName;  ///< of the further dimensions; empty: there are none
    std::size_t columns = 0, rows = 0;
    std::vector<Plane> planes;

    /// The plane's cell in this column and row.
    const Cell& at(const Plane& plane, std::size_t column, std::size_t row) const {
        return plane.cells[row * columns + column];
    }
};

/// Processes × threads, and the topologies of the experiment; those that are too large to be drawn are left
/// out.
std::vector<Grid> gridsOf(const algebra::Experiment& experiment);

/// The grid seen from another side: rows become columns, planes rows, and columns planes; of two dimensions
/// alone the rows and columns are exchanged.
Grid turned(const Grid& grid);

}  // namespace holos::gui
