// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::gui {

/// A topology: places in one or more named dimensions, and who stands there.
struct Grid {
    struct Dimension {
        QString name;
        std::size_t size = 0;
    };
    struct Cell {
        std::vector<algebra::LocationId> locations;  ///< whose values the cell adds up; none: an empty place
    };
    QString name;
    std::vector<Dimension> dimensions;
    std::vector<Cell> cells;  ///< the first dimension's place changes from one to the next

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

}  // namespace holos::gui
