// SPDX-License-Identifier: BSD-3-Clause
// What the views of the system show beside the tree.
#include "gui/models/system_model.h"
#include "gui/views/distribution_view.h"
#include "gui/views/parts/colors.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

/// Time in solve: 4, 1, 7 and 2 of 14 s.
class SystemInSolve : public Models {
  protected:
    void SetUp() override {
        Models::SetUp();
        show("time");
    }
    void show(const char* metric) {
        system.setContext(chosen(metric), {{calls.pathAt(named(calls, "solve")), Extent::Inclusive}});
    }
    QString third() const { return system.locationWriting().text(system.locationValues()[2]); }
};

}  // namespace

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

TEST(SystemOfASampledRun, places_of_samples_are_in_no_mean) {
    Experiment experiment = sampleExperiment();
    experiment.system.locations[1].type = experiment.system.locations[3].type = Location::Type::Metric;
    ValueCache cache(shared(std::move(experiment)));
    SystemModel system(cache);
    system.setContext({*cache.experiment().findMetric("time"), Extent::Inclusive}, holos::kAll);
    LocationModel table(cache, system);
    table.update();  // 7, (1), 10, (2): mean 8.5
    EXPECT_EQ(table.index(2, LocationModel::DeviationColumn).data(), "17.65 %");
    EXPECT_EQ(table.index(1, LocationModel::DeviationColumn).data(), QString(kUndefined));
    EXPECT_EQ(table.index(1, LocationModel::ValueColumn).data(), "1.000 s");
    EXPECT_EQ(system.namesOf({LocationId(0), LocationId(1), LocationId(2)}), "2 threads");
    system.setAllExpanded(true);
    system.setMode(ValueMode::PeerRange);
    EXPECT_EQ(text(system, "Master thread"), "0");  // the smaller of 7 and 10
    system.setMode(ValueMode::Absolute);
    EXPECT_TRUE(system.indexOfLocation(LocationId(1)).data(Qt::ToolTipRole).toString().contains("no thread"));
    const Colors colors;
    DistributionView view(system, colors);
    view.update(std::nullopt);
    EXPECT_TRUE(view.accessibleDescription().startsWith("2 locations, "))
        << view.accessibleDescription().toStdString();
}

TEST_F(SystemInSolve, table_has_the_mode_of_the_panes) {
    LocationModel table(cache, system);
    const auto column = [&table](int at) {
        table.update();
        QStringList texts;
        for (int row = 0; row < table.rowCount(); ++row) texts << table.index(row, at).data().toString();
        return texts;
    };
    system.setMode(ValueMode::Percent);
    EXPECT_EQ(column(LocationModel::ValueColumn), (QStringList{"28.57 %", "7.14 %", "50.00 %", "14.29 %"}));
    EXPECT_EQ(column(LocationModel::DeviationColumn).at(2), "100.00 %");  // 7 of a mean of 3.5, as ever
    system.setMode(ValueMode::OfRoot);
    EXPECT_EQ(column(LocationModel::ValueColumn), (QStringList{"20.00 %", "5.00 %", "35.00 %", "10.00 %"}));
}

TEST_F(SystemInSolve, value_of_a_location_relates_to_what_the_tree_relates_to) {
    EXPECT_EQ(third(), "7.0000 s");
    system.setMode(ValueMode::OfMetric);
    EXPECT_EQ(third(), "35.00 %");  // 7 of 20
    system.setMode(ValueMode::OfPeers);
    EXPECT_EQ(third(), "100.00 %");
    EXPECT_EQ(system.locationWriting().text(system.locationValues()[0]), "57.14 %");  // 4 of 7
    system.setMode(ValueMode::OfSelection);
    system.setSelected(named(system, "MPI Rank 1"));
    EXPECT_EQ(third(), "77.78 %");  // 7 of 9
    system.setMode(ValueMode::External);
    EXPECT_EQ(third(), QString(kUndefined));  // there is no other experiment
}

TEST_F(SystemInSolve, ratios_of_locations_stay_absolute_and_are_evaluated_for_groups) {
    show("mpi_share");
    system.setMode(ValueMode::Percent);
    EXPECT_EQ(third(), "0.429");  // 3 of 7
    const auto values = system.valuesOf({{LocationId(2), LocationId(3)}, {LocationId(2)}});
    EXPECT_DOUBLE_EQ(values[0], 3.0 / 9.0);  // of both threads, no sum of their ratios
    EXPECT_DOUBLE_EQ(values[1], 3.0 / 7.0);
}

TEST_F(SystemInSolve, whole_numbers_have_decimals_only_in_averages) {
    show("STALLS");
    EXPECT_EQ(third(), "100 occ");
    EXPECT_EQ(system.locationWriting(true).text(2.5), "2.50 occ");
}
