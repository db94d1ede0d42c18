// SPDX-License-Identifier: BSD-3-Clause
// Topologies of any number of dimensions as planes of cells: who stands where, from every side, and where
// that is drawn.
#include <gtest/gtest.h>

#include "gui/models/grid_view.h"
#include "gui/views/topology/topology_layout.h"
#include "tests/gui/topology_samples.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

Grid gridOf(const Experiment& experiment) {
    return gridsOf(experiment).at(1);
}

/// Who stands at a place of the planes.
std::vector<LocationId> at(const Grid& grid, const GridView& view, std::size_t plane, std::size_t column,
                           std::size_t row) {
    return grid.cells[planesOf(grid, view).cellAt({plane, column, row})];
}

}  // namespace

TEST(Grids, threads_by_processes_has_a_row_per_process) {
    const auto grids = gridsOf(sampleExperiment());
    ASSERT_EQ(grids.size(), 1U);
    const GridView view = GridView::of(grids[0]);
    const GridPlanes planes = planesOf(grids[0], view);
    EXPECT_EQ(planes.columns, 2U);
    EXPECT_EQ(planes.rows, 2U);
    EXPECT_EQ(at(grids[0], view, 0, 1, 0), std::vector{LocationId(1)});
    EXPECT_EQ(at(grids[0], view, 0, 0, 1), std::vector{LocationId(2)});
}

TEST(Grids, what_is_no_thread_has_no_place) {
    Experiment experiment = sampleExperiment();
    experiment.system.locations[1].type = experiment.system.locations[3].type = Location::Type::Metric;
    const auto grids = gridsOf(experiment);
    ASSERT_EQ(grids.size(), 1U);
    EXPECT_EQ(grids[0].cells, (std::vector<std::vector<LocationId>>{{LocationId(0)}, {LocationId(2)}}));
    for (Location& each : experiment.system.locations) each.type = Location::Type::Metric;
    EXPECT_TRUE(gridsOf(experiment).empty());
}

TEST(Grids, processes_stand_for_their_threads_and_dimensions_have_names) {
    Experiment experiment = standing({{"", 2, false}, {"y", 1, false}}, {});
    experiment.topologies[0].coordinates = {{ProcessId(0), {0, 0}}, {ProcessId(1), {1, 0}}};
    const Grid grid = gridOf(experiment);
    EXPECT_EQ(grid.cells[1], (std::vector{LocationId(2), LocationId(3)}));
    EXPECT_EQ(grid.placeText(1), "x = 1, y = 0");
}

TEST(Grids, what_is_too_large_to_draw_is_left_out) {
    Experiment experiment = standing({{"x", 1U << 20, false}, {"y", 1U << 20, false}}, {});
    Topology topology;
    topology.dimensions = {{"x", 0, false}};
    experiment.topologies.push_back(topology);
    experiment.topologies.push_back({});
    EXPECT_EQ(gridsOf(experiment).size(), 1U);
    EXPECT_TRUE(gridsOf(Experiment()).empty());
}

/// Node a has 4 cores, of which 2 are used; b, which also has 2 used, has no others.
TEST(Grids, of_hardware_have_the_cores_that_nobody_uses) {
    Experiment experiment =
        standing({{"core", 4, false}, {"node", 2, false}}, {{0, 0}, {2, 0}, {0, 1}, {1, 1}});
    experiment.topologies[0].name = "Hardware";
    SystemTree& system = experiment.system;
    system.nodes[SystemNodeId(1)].attributes = {{"cores of a socket", "4"}};
    system.processes[1].node =
        system.nodes.add({"node b", "node", "", {{"cores of a socket", "2"}}}, SystemNodeId(0));
    const Grid grid = gridOf(experiment);
    const auto isPlace = [&grid](std::size_t core, std::size_t node) {
        return grid.isPlace(grid.cellAt({core, node}));
    };
    EXPECT_TRUE(isPlace(0, 0));
    EXPECT_TRUE(isPlace(1, 0));
    EXPECT_TRUE(isPlace(3, 0));
    EXPECT_TRUE(isPlace(1, 1));
    EXPECT_FALSE(isPlace(2, 1));
    system.nodes[SystemNodeId(1)].attributes.clear();  // its size is not known: what is used
    const Grid used = gridOf(experiment);
    EXPECT_TRUE(used.isPlace(used.cellAt({2, 0})));
    EXPECT_FALSE(used.isPlace(used.cellAt({3, 0})));
}

TEST(Grids, of_processes_have_places_where_nobody_is) {
    const Grid grid = gridOf(torus());
    EXPECT_TRUE(grid.isPlace(grid.cellAt({1, 0, 2})));
    Experiment experiment = sampleExperiment();
    experiment.system.locations.pop_back();  // rank 1 has one thread
    EXPECT_FALSE(gridsOf(experiment)[0].isPlace(3));
}

TEST(GridViews, of_one_dimension_is_a_row) {
    const Grid grid = gridOf(standing({{"x", 4, true}}, {{0}, {1}, {2}, {3}}));
    GridView view = GridView::of(grid);
    EXPECT_EQ(planesOf(grid, view).rows, 1U);
    EXPECT_EQ(at(grid, view, 0, 2, 0), std::vector{LocationId(2)});
    view.axes[0].mirrored = true;
    EXPECT_EQ(at(grid, view, 0, 0, 0), std::vector{LocationId(3)});
    view.turn();
    EXPECT_EQ(planesOf(grid, view).columns, 4U);
}

TEST(GridViews, turning_puts_each_dimension_across_and_comes_back) {
    const Grid grid = gridOf(torus());
    GridView view = GridView::of(grid);
    ASSERT_EQ(planesOf(grid, view).planes.size(), 3U);
    EXPECT_EQ(planesOf(grid, view).planes[2].title, "z = 2");
    view.turn();  // y across, z down, planes of x
    const GridPlanes planes = planesOf(grid, view);
    EXPECT_EQ(planes.columns, 1U);
    EXPECT_EQ(planes.rows, 3U);
    EXPECT_EQ(planes.planes[1].title, "x = 1");
    EXPECT_EQ(at(grid, view, 1, 0, 1), std::vector{LocationId(3)});
    view.turn();
    view.turn();
    EXPECT_EQ(view, GridView::of(grid));
}

TEST(GridViews, dimension_that_is_put_on_an_axis_changes_places_with_the_one_there) {
    const Grid grid = gridOf(torus());
    GridView view = GridView::of(grid);
    view.put(2, 0);  // z across, y down, planes of x
    EXPECT_EQ(view.axisOf(0), 2U);
    EXPECT_EQ(at(grid, view, 0, 2, 0), std::vector{LocationId(2)});
    view.axes[0].mirrored = true;
    EXPECT_EQ(at(grid, view, 0, 0, 0), std::vector{LocationId(2)});
    EXPECT_EQ(at(grid, view, 1, 1, 0), std::vector{LocationId(3)});
}

/// A fifth dimension makes groups of planes; a slice leaves the others out.
TEST(GridViews, further_dimensions_make_groups_that_slices_choose_from) {
    const Grid grid =
        gridOf(standing({{"a", 2, false}, {"b", 1, false}, {"c", 2, false}, {"d", 3, false}, {"e", 2, false}},
                        {{0, 0, 0, 0, 0}, {1, 0, 1, 2, 0}, {0, 0, 0, 1, 1}, {1, 0, 1, 1, 1}}));
    GridView view = GridView::of(grid);
    const GridPlanes all = planesOf(grid, view);
    ASSERT_EQ(all.planes.size(), 12U);
    EXPECT_EQ(all.depth, 2U);
    EXPECT_EQ(all.planes[9].title, "c = 1");
    EXPECT_EQ(all.planes[9].group, "d = 1, e = 1");
    EXPECT_EQ(at(grid, view, 9, 1, 0), std::vector{LocationId(3)});
    view.axes[4].slice = 1;
    view.axes[3].slice = 1;
    ASSERT_EQ(planesOf(grid, view).planes.size(), 2U);
    EXPECT_EQ(at(grid, view, 1, 1, 0), std::vector{LocationId(3)});
    const std::size_t sliced = grid.cellAt({1, 0, 1, 2, 0});
    EXPECT_FALSE(placeIn(planesOf(grid, view), grid, view, sliced));
    view.put(4, 0);  // what goes across is not cut
    EXPECT_FALSE(view.axes[0].slice);
}

TEST(GridViews, every_cell_is_found_where_it_is_drawn) {
    const Grid grid =
        gridOf(standing({{"a", 3, false}, {"b", 2, false}, {"c", 2, false}, {"d", 3, false}}, {}));
    GridView view = GridView::of(grid);
    view.put(3, 1);
    view.axes[0].mirrored = view.axes[2].mirrored = view.axes[3].mirrored = true;
    const GridPlanes planes = planesOf(grid, view);
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
        const auto place = placeIn(planes, grid, view, cell);
        ASSERT_TRUE(place);
        EXPECT_EQ(planes.cellAt(*place), cell);
        EXPECT_EQ(grid.cellAt(grid.positionOf(cell)), cell);
    }
}

TEST(GridViews, too_many_planes_are_left_out_and_counted) {
    const Grid grid = gridOf(standing({{"x", 1, false}, {"y", 1, false}, {"z", 5000, false}}, {}));
    GridView view = GridView::of(grid);
    EXPECT_EQ(planesOf(grid, view).planes.size(), 1000U);
    EXPECT_EQ(planesOf(grid, view).leftOut, 4000U);
    view.axes[2].slice = 4999;
    EXPECT_EQ(planesOf(grid, view).leftOut, 0U);
}

TEST(GridViews, text_brings_a_view_back_and_what_does_not_fit_is_none) {
    const Grid grid = gridOf(torus());
    GridView view = GridView::of(grid);
    view.put(2, 0);
    view.axes[1].mirrored = true;
    view.axes[2].slice = 1;
    EXPECT_EQ(toText(view), "2.1r.0@1");
    EXPECT_EQ(gridViewFrom(toText(view), grid), view);
    view.stacked = true;
    view.rotate(70, 20);
    EXPECT_EQ(toText(view), "2.1r.0@1/40.50");
    EXPECT_EQ(gridViewFrom(toText(view), grid), view);
    for (const char* text :
         {"", "0.1", "0.1.1", "0.1.3", "0@0.1.2", "0.1.2@3", "0.1.2/1", "0.1.2/1.2/3", "x"})
        EXPECT_FALSE(gridViewFrom(QString::fromLatin1(text), grid)) << text;
}

/// 10 columns and rows in 300 × 200 pixels: a line of 20 pixels above, a gap of 12 around.
TEST(TopologyLayouts, cells_of_a_plane_are_as_large_as_fits) {
    const Grid grid = gridOf(standing({{"x", 10, false}, {"y", 10, false}}, {}));
    const GridPlanes planes = planesOf(grid, GridView::of(grid));
    const TopologyLayout layout = flatLayout(planes, {{300, 200}, 1.0, 20, 16, 0});
    ASSERT_EQ(layout.tiles.size(), 1U);
    EXPECT_EQ(layout.cell, 15.0);  // (200 − 12 − 12 − 20) / 10
    EXPECT_EQ(layout.tiles[0].place.map(QPointF(1, 1)), QPointF(12 + 16 + 15, 12 + 20 + 15));
    EXPECT_LE(layout.size.height(), 200);
    EXPECT_EQ(flatLayout(planes, {{300, 200}, 2.0, 20, 16, 0}).cell, 30.0);
}

/// 4000 processes with a thread each would be a line of a pixel each.
TEST(TopologyLayouts, long_plane_is_broken_so_that_it_fits) {
    const Grid grid = gridOf(standing({{"thread", 1, false}, {"process", 4000, false}}, {}));
    const TopologyLayout layout =
        flatLayout(planesOf(grid, GridView::of(grid)), {{400, 300}, 1.0, 15, 30, 0});
    EXPECT_GT(layout.tiles.size(), 3U);
    int rows = 0;
    for (const Tile& tile : layout.tiles) {
        EXPECT_EQ(tile.cells.top(), rows);
        rows += tile.cells.height();
    }
    EXPECT_EQ(rows, 4000);
}

TEST(TopologyLayouts, cells_of_65536_processes_fit_without_labels) {
    const Grid grid = gridOf(standing({{"thread", 1, false}, {"process", 65536, false}}, {}));
    const TopologyLayout layout =
        flatLayout(planesOf(grid, GridView::of(grid)), {{345, 480}, 1.0, 15, 46, 0});
    EXPECT_FALSE(layout.labelled);
    EXPECT_LE(layout.size.width(), 345);
    EXPECT_LE(layout.size.height(), 480);
}

TEST(TopologyLayouts, stack_from_above_shows_cells_as_squares_and_fits_from_every_side) {
    const Grid grid = gridOf(standing({{"x", 8, false}, {"y", 4, false}, {"z", 6, false}}, {}));
    GridView view = GridView::of(grid);
    const GridPlanes planes = planesOf(grid, view);
    const TopologyRoom room{{600, 500}, 1.0, 15, 0, 40};
    for (int turned = 0; turned < 360; turned += 45) {
        view.turned = turned;
        for (view.tilted = 10; view.tilted <= 90; view.tilted += 20) {
            const TopologyLayout layout = stackedLayout(planes, view, room);
            ASSERT_EQ(layout.tiles.size(), 6U);
            for (const Tile& tile : layout.tiles)
                EXPECT_TRUE(QRectF(0, 0, 600, 500).contains(tile.place.mapRect(QRectF(tile.cells))));
        }
    }
    view.turned = 0;
    view.tilted = 90;
    const TopologyLayout above = stackedLayout(planes, view, room);
    const QRectF cell = above.tiles[0].place.mapRect(QRectF(0, 0, 1, 1));
    EXPECT_NEAR(cell.width(), cell.height(), 1e-9);
    EXPECT_GT(above.tiles[0].place.map(QPointF()).y(), above.tiles[5].place.map(QPointF()).y());
}
