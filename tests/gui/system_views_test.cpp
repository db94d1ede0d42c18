// SPDX-License-Identifier: BSD-3-Clause
// What the views of the system show: table, grids.
#include "gui/models/grid.h"

#include <array>

#include "gui/models/location_model.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::test;
using namespace holos::algebra;

TEST_F(Models, table_of_locations_keeps_the_rules_and_sorts_by_numbers) {
    LocationModel table(cache, system);
    QAbstractItemModelTester tester(&table, kFatal);
    table.update();
    ASSERT_EQ(table.rowCount(), 4);  // 7, 1, 10, 2: mean 5
    EXPECT_EQ(table.index(2, LocationModel::ProcessColumn).data(), "MPI Rank 1");
    EXPECT_EQ(table.index(2, LocationModel::ValueColumn).data(), "10.000 s");
    EXPECT_EQ(table.index(2, LocationModel::DeviationColumn).data(), "100.00 %");
    EXPECT_EQ(table.index(3, LocationModel::DeviationColumn).data(), u"\u221260.00 %"_qs);
    EXPECT_DOUBLE_EQ(table.index(2, LocationModel::ValueColumn).data(LocationModel::kSortRole).toDouble(),
                     10.0);
    EXPECT_EQ(table.index(3, LocationModel::ThreadColumn).data(LocationModel::kSortRole).toInt(), 1);
}

TEST(Grids, ranks_by_threads_has_a_row_per_process) {
    const auto grids = gridsOf(sampleExperiment());
    ASSERT_EQ(grids.size(), 1U);
    EXPECT_EQ(grids[0].columns, 2U);
    EXPECT_EQ(grids[0].rows, 2U);
    EXPECT_EQ(grids[0].at(grids[0].planes[0], 1, 0).locations, std::vector{LocationId(1)});
    EXPECT_EQ(grids[0].at(grids[0].planes[0], 0, 1).locations, std::vector{LocationId(2)});
}

TEST(Grids, third_dimension_becomes_planes_and_processes_stand_for_their_threads) {
    Experiment experiment = sampleExperiment();
    Topology topology;
    topology.name = "cube";
    topology.dimensions = {{"x", 2, false}, {"y", 1, false}, {"z", 2, false}};
    topology.coordinates = {{ProcessId(0), {0, 0, 0}}, {ProcessId(1), {1, 0, 1}}};
    experiment.topologies.push_back(topology);
    const auto grids = gridsOf(experiment);
    ASSERT_EQ(grids.size(), 2U);
    const Grid& cube = grids[1];
    EXPECT_EQ(cube.name, "cube");
    ASSERT_EQ(cube.planes.size(), 2U);
    EXPECT_EQ(cube.planes[1].title, "z = 1");
    EXPECT_EQ(cube.at(cube.planes[1], 1, 0).locations, (std::vector{LocationId(2), LocationId(3)}));
    EXPECT_TRUE(cube.at(cube.planes[0], 1, 0).locations.empty());
}

TEST(Grids, what_is_too_large_to_draw_is_left_out) {
    Experiment experiment = sampleExperiment();
    Topology topology;
    topology.dimensions = {{"x", 1U << 20, false}, {"y", 1U << 20, false}};
    experiment.topologies.push_back(topology);
    topology.dimensions = {{"x", 0, false}};
    experiment.topologies.push_back(topology);
    EXPECT_EQ(gridsOf(experiment).size(), 1U);
    EXPECT_TRUE(gridsOf(Experiment()).empty());
}

/// Two columns (x), one row (y) and three planes (z): the locations 0 to 3 stand at (0, 0, 0), (1, 0, 0), (0,
/// 0, 2) and (1, 0, 1).
TEST(TurnedGrid, shows_each_dimension_as_columns_and_comes_back) {
    Experiment experiment = sampleExperiment();
    Topology topology;
    topology.name = "torus";
    topology.dimensions = {{"x", 2, false}, {"y", 1, false}, {"z", 3, false}};
    const std::array<std::array<std::uint64_t, 3>, 4> places{{{0, 0, 0}, {1, 0, 0}, {0, 0, 2}, {1, 0, 1}}};
    for (std::size_t at = 0; at < places.size(); ++at)
        topology.coordinates.push_back({LocationId(at), {places[at].begin(), places[at].end()}});
    experiment.topologies.push_back(topology);
    const Grid grid = gridsOf(experiment).at(1);
    ASSERT_EQ(grid.planes.size(), 3U);
    EXPECT_EQ(grid.planes[2].title, "z = 2");
    const Grid once = turned(grid);  // columns y, rows z, planes x
    EXPECT_EQ(once.columnName, "y");
    EXPECT_EQ(once.rowName, "z");
    ASSERT_EQ(once.planes.size(), 2U);
    EXPECT_EQ(once.at(once.planes[1], 0, 1).locations, std::vector{LocationId(3)});
    EXPECT_EQ(once.planes[1].title, "x = 1");
    const Grid thrice = turned(turned(once));
    EXPECT_EQ(thrice.columns, 2U);
    EXPECT_EQ(thrice.at(thrice.planes[2], 0, 0).locations, std::vector{LocationId(2)});
    const Grid flat = gridsOf(experiment).front();  // threads × processes
    EXPECT_EQ(turned(flat).at(turned(flat).planes[0], 1, 0).locations, std::vector{LocationId(2)});
}
