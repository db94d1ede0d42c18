// SPDX-License-Identifier: BSD-3-Clause
// Who calls a region, and what it calls.
#include "gui/models/path_set_model.h"

#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

constexpr RegionId kInitRegion(1);
constexpr RegionId kSolveRegion(2);
constexpr RegionId kRecvRegion(3);

/// `init` calls MPI_Recv, too (2 s), and itself (5 s), from where MPI_Recv is called again (1 s).
ExperimentPtr recursive() {
    Experiment experiment = sampleExperiment();
    const auto add = [&](RegionId region, CallPathId caller) {
        CallPath path;
        path.region = region;
        return experiment.callTree.add(path, caller);
    };
    const CallPathId receive = add(kRecvRegion, CallPathId(1));
    const CallPathId again = add(kInitRegion, CallPathId(1));
    const CallPathId deep = add(kRecvRegion, again);
    SeverityTable times = experiment.newTable();
    const double values[] = {2.0, 4.0, 10.0, 4.0, 2.0, 5.0, 1.0};
    for (std::size_t at = 0; at < std::size(values); ++at)
        times.add(CallPathId(at), LocationId(0), values[at]);
    EXPECT_EQ(receive, CallPathId(4));
    EXPECT_EQ(deep, CallPathId(6));
    experiment.severities.set(*experiment.findMetric("time"), times);
    return std::make_shared<const Experiment>(std::move(experiment));
}

double ownOf(const QModelIndex& row) {
    return row.siblingAtColumn(TreeModel::ExclusiveColumn).data(TreeModel::ValueRole).toDouble();
}

class CallersModelTest : public ::testing::Test {
  protected:
    ValueCache cache{recursive()};
};

}  // namespace

TEST_F(CallersModelTest, models_keep_the_rules_of_item_models) {
    CallersModel callers(cache, kRecvRegion);
    CalleesModel callees(cache, kInitRegion);
    for (ProgramModel* model : std::initializer_list<ProgramModel*>{&callers, &callees}) {
        QAbstractItemModelTester tester(model, kFatal);
        model->setContext({}, holos::kAll);
        model->setAllExpanded(true);
        model->setMode(ValueMode::Percent);
        model->reroot(NodeId(1));
        model->reroot(std::nullopt);
        EXPECT_EQ(model->rowCount(), 1);
    }
}

TEST_F(CallersModelTest, caller_has_what_the_region_has_in_its_calls) {
    CallersModel callers(cache, kRecvRegion);
    callers.setContext({}, holos::kAll);
    const QModelIndex receive = callers.index(0, 0);
    EXPECT_EQ(receive.data(), "MPI_Recv");
    EXPECT_DOUBLE_EQ(receive.data(TreeModel::ValueRole).toDouble(), 7.0);  // 4 + 2 + 1
    ASSERT_EQ(callers.rowCount(receive), 2);
    EXPECT_DOUBLE_EQ(named(callers, "solve").data(TreeModel::ValueRole).toDouble(), 4.0);
    EXPECT_DOUBLE_EQ(named(callers, "init").data(TreeModel::ValueRole).toDouble(), 3.0);
    // init is called by main (2 s of MPI_Recv) and by itself (1 s).
    const QModelIndex init = named(callers, "init");
    ASSERT_EQ(callers.rowCount(init), 2);
    EXPECT_DOUBLE_EQ(named(callers, "main", init).data(TreeModel::ValueRole).toDouble(), 2.0);
    EXPECT_DOUBLE_EQ(named(callers, "init", init).data(TreeModel::ValueRole).toDouble(), 1.0);
}

/// What is not below an expanded caller is nothing in most cases, which reads as if it were never called.
TEST_F(CallersModelTest, expanded_caller_keeps_its_value_and_has_the_own_one_beside_it) {
    CallersModel callers(cache, kSolveRegion);
    callers.setContext({}, holos::kAll);
    callers.setAllExpanded(true);
    const QModelIndex main = named(callers, "main");
    for (const QModelIndex& row : {callers.index(0, 0), main}) {
        EXPECT_DOUBLE_EQ(row.data(TreeModel::ValueRole).toDouble(), 14.0);
        EXPECT_DOUBLE_EQ(ownOf(row), 10.0) << "4 of its 14 are MPI_Recv's";
    }
    EXPECT_EQ(callers.headerData(TreeModel::ValueColumn, Qt::Horizontal, Qt::DisplayRole), "Inclusive");
    EXPECT_EQ(callers.headerData(TreeModel::ExclusiveColumn, Qt::Horizontal, Qt::DisplayRole), "Exclusive");
    EXPECT_EQ(callers.choices(callers.index(0, 0)).size(), 1U);
}

TEST_F(CallersModelTest, own_value_of_a_region_that_calls_itself_is_that_of_all_its_calls) {
    CallersModel callers(cache, kInitRegion);
    callers.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(callers.index(0, 0).data(TreeModel::ValueRole).toDouble(), 12.0);
    EXPECT_DOUBLE_EQ(ownOf(callers.index(0, 0)), 9.0);  // 4 + 5
}

TEST_F(CallersModelTest, region_that_calls_itself_is_counted_once) {
    EXPECT_EQ(outermostCalls(cache.experiment(), kInitRegion), std::vector{CallPathId(1)});
    CalleesModel callees(cache, kInitRegion);
    callees.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(callees.index(0, 0).data(TreeModel::ValueRole).toDouble(), 12.0);  // 4 + 2 + 5 + 1
    callees.setExpanded(callees.index(0, 0), true);
    EXPECT_DOUBLE_EQ(callees.index(0, 0).data(TreeModel::ValueRole).toDouble(), 12.0);
    EXPECT_DOUBLE_EQ(ownOf(callees.index(0, 0)), 4.0);
    EXPECT_DOUBLE_EQ(ownOf(named(callees, "init", callees.index(0, 0))), 5.0);
    EXPECT_DOUBLE_EQ(named(callees, "MPI_Recv").data(TreeModel::ValueRole).toDouble(), 2.0);
    EXPECT_DOUBLE_EQ(named(callees, "init", callees.index(0, 0)).data(TreeModel::ValueRole).toDouble(), 6.0);
}

TEST_F(CallersModelTest, callees_of_all_calls_of_a_region_are_one_row) {
    CalleesModel callees(cache, kRecvRegion);
    callees.setContext({}, holos::kAll);
    ASSERT_EQ(callees.rowCount(), 1);
    EXPECT_EQ(callees.choices(callees.index(0, 0)).size(), 3U);
    EXPECT_EQ(callees.regionOf(callees.index(0, 0)), kRecvRegion);
}

TEST_F(CallersModelTest, row_chooses_the_calls_of_the_region_that_came_that_way) {
    CallersModel callers(cache, kRecvRegion);
    callers.setContext({}, holos::kAll);
    const auto choices = callers.choices(named(callers, "solve"));
    ASSERT_EQ(choices.size(), 1U);
    EXPECT_EQ(choices[0].path, CallPathId(3));
    EXPECT_EQ(callers.regionOf(named(callers, "solve")), kSolveRegion);
}
