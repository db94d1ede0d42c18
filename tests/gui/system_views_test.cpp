// SPDX-License-Identifier: BSD-3-Clause
// What the table of the system shows.
#include "gui/models/location_model.h"

#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::test;

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
