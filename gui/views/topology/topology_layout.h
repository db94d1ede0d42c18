// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QRect>
#include <QTransform>
#include <vector>

#include "gui/models/grid_view.h"

namespace holos::gui {

/// A plane, or a part of one, as it lies in the picture.
struct Tile {
    std::size_t plane = 0;
    QRect cells;       ///< columns and rows of the plane
    QTransform place;  ///< from columns and rows to the picture
};

/// Where the planes of a grid are drawn, in pixels from the corner of the picture. Later tiles cover earlier
/// ones.
struct TopologyLayout {
    std::vector<Tile> tiles;
    QSizeF size;
    bool labelled = true;   ///< there is room for the places along the edges of a single plane
    double cell = 0.0;      ///< the length of a cell's edge
    double distance = 0.0;  ///< between planes of a stack; 0: there is no stack
};

/// What a layout has to make room for.
struct TopologyRoom {
    QSizeF size;
    double zoom = 1.0;
    double line = 0.0;        ///< height of a line of text
    double rowLabel = 0.0;    ///< width of what stands left of a row
    double planeLabel = 0.0;  ///< width of a plane's title
};

/// Planes beside each other, with cells as large as fit. A single long plane is broken like lines of a text.
/// Cells of more than there is room for are 3 pixels large, those of a single plane 1, and the picture larger
/// than the room.
TopologyLayout flatLayout(const GridPlanes& planes, const TopologyRoom& room);

/// Groups of planes that lie above each other, the first one lowest, seen from a side in parallel projection.
TopologyLayout stackedLayout(const GridPlanes& planes, const GridView& view, const TopologyRoom& room);

}  // namespace holos::gui
