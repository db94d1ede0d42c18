// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
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

}  // namespace holos::gui
