// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "base/error.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST_F(Models, columns_say_more_of_a_row) {
    expand(calls, "main");
    const auto in = [this](const char* name, TreeModel::Column column) {
        return named(calls, name).siblingAtColumn(column).data().toString();
    };
    EXPECT_EQ(text(calls, "main"), "2.000");
    EXPECT_EQ(in("main", TreeModel::InclusiveColumn), "20.000 s");
    EXPECT_EQ(in("main", TreeModel::ExclusiveColumn), "2.000 s");
    EXPECT_EQ(in("solve", TreeModel::InclusiveColumn), "14.000 s");
    EXPECT_EQ(in("solve", TreeModel::ExclusiveColumn), "10.000 s");
    EXPECT_EQ(in("solve", TreeModel::ShareColumn), "70.00 %");
    EXPECT_EQ(in("solve", TreeModel::VisitsColumn), "");  // they were not counted
    EXPECT_EQ(calls.headerData(TreeModel::ShareColumn, Qt::Horizontal), "Share");
}

TEST(VisitsColumn, counts_calls_of_the_row_and_not_those_within_it) {
    Experiment experiment = sampleExperiment();
    Metric visits;
    visits.uniqueName = "visits";
    visits.unit = "occ";
    visits.valueType = ValueType::UInt64;
    const MetricId id = experiment.metrics.add(visits);
    SeverityTable counts = experiment.newTable();
    for (std::size_t path = 0; path < 4; ++path)
        counts.add(CallPathId(path), LocationId(0), 10.0 * (path + 1));
    experiment.severities.set(id, counts);
    ValueCache cache(std::make_shared<const Experiment>(std::move(experiment)));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    EXPECT_EQ(named(calls, "main").siblingAtColumn(TreeModel::VisitsColumn).data(), "10");
    EXPECT_EQ(named(calls, "solve").siblingAtColumn(TreeModel::VisitsColumn).data(), "30");
}

TEST_F(Models, every_model_keeps_the_rules_of_item_models) {
    for (TreeModel* model : {static_cast<TreeModel*>(&metrics), static_cast<TreeModel*>(&calls),
                             static_cast<TreeModel*>(&system)}) {
        QAbstractItemModelTester tester(model, kFatal);
        model->setExpanded(model->index(0, 0), true);
        model->setMode(ValueMode::Percent);
        model->find(u"a"_qs);
        model->setAllExpanded(true);
        EXPECT_GT(model->rowCount(), 0);
    }
}

TEST_F(Models, metric_is_inclusive_collapsed_and_exclusive_expanded) {
    EXPECT_DOUBLE_EQ(value(metrics, "Time"), 20.0);
    expand(metrics, "Time");
    EXPECT_DOUBLE_EQ(value(metrics, "Time"), 16.0);
    EXPECT_DOUBLE_EQ(value(metrics, "MPI"), 4.0);
    expand(metrics, "MPI");
    EXPECT_DOUBLE_EQ(value(metrics, "MPI"), 1.5);
    EXPECT_DOUBLE_EQ(value(metrics, "Late Sender"), 2.5);
    EXPECT_DOUBLE_EQ(value(metrics, "Time"), 16.0);
}

TEST_F(Models, metric_percent_is_of_the_root_of_its_hierarchy) {
    metrics.setMode(ValueMode::Percent);
    EXPECT_EQ(text(metrics, "Time"), "100.00");
    metrics.setAllExpanded(true);
    EXPECT_EQ(text(metrics, "Time"), "80.00");
    EXPECT_EQ(text(metrics, "MPI"), "7.50");
    EXPECT_EQ(text(metrics, "Late Sender"), "12.50");
    EXPECT_EQ(text(metrics, "~stalls"), "100.00");
}

TEST_F(Models, expanded_leaf_keeps_its_inclusive_value) {
    expand(metrics, "Late Sender");
    EXPECT_DOUBLE_EQ(value(metrics, "Late Sender"), 2.5);
    EXPECT_EQ(metrics.choice(named(metrics, "Late Sender")).extent, Extent::Inclusive);
}

TEST_F(Models, call_path_says_where_it_is_called) {
    Experiment called = sampleExperiment();
    called.callTree[CallPathId(3)].module = "/src/app/solve.c";
    called.callTree[CallPathId(3)].line = 20;
    ValueCache values(std::make_shared<const Experiment>(std::move(called)));
    CallModel model(values);
    const QModelIndex index = model.indexOfPath(CallPathId(3));
    EXPECT_EQ(index.data().toString(), "MPI_Recv @solve.c:20");
    EXPECT_TRUE(index.data(Qt::ToolTipRole).toString().contains(u"Called at /src/app/solve.c:20"_qs));
    EXPECT_EQ(model.find(u"solve.c:20"_qs).size(), 1U);
    EXPECT_EQ(model.find(u"MPI_Recv"_qs).size(), 1U);
}

TEST_F(Models, void_metric_shows_no_value) {
    EXPECT_EQ(text(metrics, "Group"), "");
    EXPECT_DOUBLE_EQ(value(metrics, "Inside"), 7.0);
}

TEST_F(Models, incomplete_metric_is_marked) {
    EXPECT_TRUE(named(metrics, "~stalls").data(TreeModel::IncompleteRole).toBool());
    EXPECT_FALSE(named(metrics, "Time").data(TreeModel::IncompleteRole).toBool());
}

TEST_F(Models, metric_is_found_by_unique_and_by_display_name) {
    EXPECT_EQ(metrics.findMetric("mpi_latesender"), named(metrics, "Late Sender"));
    EXPECT_EQ(metrics.findMetric("late sender"), named(metrics, "Late Sender"));
    EXPECT_EQ(metrics.findMetric("stalls"), named(metrics, "~stalls"));
    EXPECT_FALSE(metrics.findMetric("nothing").isValid());
}

TEST_F(Models, call_path_is_inclusive_collapsed_and_exclusive_expanded) {
    EXPECT_DOUBLE_EQ(value(calls, "main"), 20.0);
    expand(calls, "main");
    EXPECT_DOUBLE_EQ(value(calls, "main"), 2.0);
    EXPECT_DOUBLE_EQ(value(calls, "init"), 4.0);
    EXPECT_DOUBLE_EQ(value(calls, "solve"), 14.0);
    expand(calls, "solve");
    EXPECT_DOUBLE_EQ(value(calls, "solve"), 10.0);
    EXPECT_DOUBLE_EQ(value(calls, "MPI_Recv"), 4.0);
}

TEST_F(Models, call_path_percent_is_of_the_selected_metric) {
    calls.setMode(ValueMode::Percent);
    calls.setContext(chosen("time", Extent::Exclusive), holos::kAll);  // 16: without MPI
    expand(calls, "main");
    EXPECT_EQ(text(calls, "main"), "12.50");
    EXPECT_EQ(text(calls, "init"), "25.00");
    EXPECT_EQ(text(calls, "solve"), "62.50");
    calls.setContext(chosen("mpi"), holos::kAll);  // 4, all in solve
    EXPECT_EQ(text(calls, "main"), "0");
    EXPECT_EQ(text(calls, "solve"), "100.00");
}

TEST_F(Models, system_shows_the_selected_call_paths) {
    const CallPathId solve = calls.pathAt(named(calls, "solve"));
    system.setContext(chosen("time"), {{solve, Extent::Inclusive}});
    EXPECT_DOUBLE_EQ(value(system, "machine Sample"), 14.0);
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 0"), 5.0);
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 1"), 9.0);
    system.setContext(chosen("time"), {{solve, Extent::Exclusive}});
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 0"), 4.0);
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 1"), 6.0);
}

TEST_F(Models, system_of_several_call_paths_is_their_sum) {
    system.setContext(chosen("time"), {{calls.pathAt(named(calls, "init")), Extent::Inclusive},
                                       {calls.pathAt(named(calls, "solve")), Extent::Inclusive}});
    EXPECT_DOUBLE_EQ(value(system, "machine Sample"), 18.0);
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 1"), 11.0);
}

TEST_F(Models, system_percent_is_of_the_selected_call_path) {
    system.setMode(ValueMode::Percent);
    system.setContext(chosen("time"), {{calls.pathAt(named(calls, "solve")), Extent::Inclusive}});
    EXPECT_EQ(text(system, "machine Sample"), "100.00");
    EXPECT_EQ(text(system, "MPI Rank 0"), "35.71");
    EXPECT_EQ(text(system, "MPI Rank 1"), "64.29");
}

TEST_F(Models, expanded_process_has_no_value_of_its_own) {
    expand(system, "MPI Rank 1");
    EXPECT_DOUBLE_EQ(value(system, "MPI Rank 1"), 0.0);
    EXPECT_DOUBLE_EQ(value(system, "machine Sample"), 20.0);
}

TEST_F(Models, ratio_is_evaluated_on_aggregates_and_never_summed) {
    const MetricChoice share = chosen("mpi_share");
    metrics.setMode(ValueMode::Percent);
    EXPECT_EQ(text(metrics, "MPI share"), "0.200");  // 4 / 20, not a percentage of anything
    calls.setContext(share, holos::kAll);
    expand(calls, "main");
    EXPECT_EQ(text(calls, "solve"), "0.286");  // 4 / 14
    system.setContext(share, {{calls.pathAt(named(calls, "solve")), Extent::Inclusive}});
    EXPECT_EQ(text(system, "MPI Rank 1"), "0.333");  // 3 / 9
    expand(system, "MPI Rank 1");
    EXPECT_EQ(text(system, "MPI Rank 1"), QString(kUndefined));
}

TEST_F(Models, share_is_relative_to_the_largest_visible_value_of_the_hierarchy) {
    metrics.setAllExpanded(true);  // Time 16, MPI 1.5, Late Sender 2.5
    EXPECT_DOUBLE_EQ(named(metrics, "Time").data(TreeModel::ShareRole).toDouble(), 1.0);
    EXPECT_DOUBLE_EQ(named(metrics, "Late Sender").data(TreeModel::ShareRole).toDouble(), 2.5 / 16.0);
    EXPECT_DOUBLE_EQ(named(metrics, "~stalls").data(TreeModel::ShareRole).toDouble(), 1.0);
}

TEST_F(Models, collapsed_root_is_coloured_by_its_share_of_the_runs_time) {
    Experiment other = sampleExperiment();
    Metric costs;
    costs.uniqueName = "delay";
    costs.displayName = "Delay costs";
    costs.unit = "sec";
    const MetricId root = other.metrics.add(costs);
    costs.uniqueName = costs.displayName = "direct";
    const MetricId part = other.metrics.add(costs, root);
    for (const MetricId id : {root, part}) {
        other.severities.set(id, other.newTable());
        other.severities.edit(id) = other.severities.table(*other.findMetric("mpi"));
    }
    ValueCache known(std::make_shared<const Experiment>(std::move(other)));
    MetricModel model(known);
    const double sum = value(model, "Delay costs");
    EXPECT_DOUBLE_EQ(named(model, "Delay costs").data(TreeModel::ShareRole).toDouble(), sum / 20.0);
    // The scale below the tree says the same.
    EXPECT_DOUBLE_EQ(model.scale().rangeOf(model.nodeOf(named(model, "Delay costs"))).to, 20.0);
    expand(model, "Delay costs");
    EXPECT_DOUBLE_EQ(named(model, "direct").data(TreeModel::ShareRole).toDouble(), 1.0);
    model.setExpanded(named(model, "Delay costs"), false);
    model.setMode(ValueMode::Percent);
    EXPECT_DOUBLE_EQ(named(model, "Delay costs").data(TreeModel::ShareRole).toDouble(), 1.0);
}

TEST_F(Models, description_has_all_digits_and_the_percentage) {
    expand(metrics, "Time");
    const QString described = metrics.values().describe(metrics.nodeOf(named(metrics, "MPI")));
    EXPECT_EQ(described, u"4 sec  ·  20.00 % of 20 sec"_qs);
}

TEST_F(Models, find_marks_the_matching_names_in_tree_order) {
    const std::vector<NodeId> found = calls.find(u"I"_qs);
    ASSERT_EQ(found.size(), 3U);  // main, init, MPI_Recv
    EXPECT_TRUE(named(calls, "init").data(TreeModel::FoundRole).toBool());
    EXPECT_FALSE(named(calls, "solve").data(TreeModel::FoundRole).toBool());
    EXPECT_TRUE(calls.find({}).empty());
    EXPECT_FALSE(named(calls, "init").data(TreeModel::FoundRole).toBool());
}

TEST_F(Models, largest_location_belongs_to_the_selected_call_path) {
    system.setContext(chosen("time"), holos::kAll);
    EXPECT_EQ(system.largestLocation().parent().data(), "MPI Rank 1");
    EXPECT_EQ(system.largestLocation().data(), "Master thread");
}

TEST(ModelsOfSignedValues, colours_diverge_and_percent_keeps_the_sign) {
    ValueCache cache(std::make_shared<const Experiment>(signedExperiment()));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    expand(calls, "main");
    EXPECT_TRUE(named(calls, "main").data(TreeModel::SignedRole).toBool());
    EXPECT_DOUBLE_EQ(named(calls, "init").data(TreeModel::ShareRole).toDouble(), -1.0);
    EXPECT_DOUBLE_EQ(named(calls, "solve").data(TreeModel::ShareRole).toDouble(), 0.5);
    calls.setMode(ValueMode::Percent);
    EXPECT_EQ(text(calls, "init"), "400.00");  // −4 of −1
    EXPECT_EQ(text(calls, "solve"), u"\u2212200.00"_qs);
}

TEST(ModelsOfUnreadableValues, show_undefined_and_report_once) {
    Experiment damaged = signedExperiment();
    damaged.severities = {};
    damaged.severities.setRows(MetricId(0), []() -> RowsPtr { throw holos::Error("damaged values"); });
    ValueCache cache(std::make_shared<const Experiment>(std::move(damaged)));
    std::vector<QString> failures;
    QObject::connect(&cache, &ValueCache::failed, [&](const QString& text) { failures.push_back(text); });
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    EXPECT_EQ(text(calls, "main"), QString(kUndefined));
    expand(calls, "main");
    EXPECT_EQ(text(calls, "main"), QString(kUndefined));
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures.front(), "damaged values");
}

TEST(ModelsOfAnEmptyExperiment, have_no_rows) {
    ValueCache cache(std::make_shared<const Experiment>());
    MetricModel metrics(cache);
    CallModel calls(cache);
    SystemModel system(cache);
    for (TreeModel* model : {static_cast<TreeModel*>(&metrics), static_cast<TreeModel*>(&calls),
                             static_cast<TreeModel*>(&system)}) {
        QAbstractItemModelTester tester(model, kFatal);
        EXPECT_EQ(model->rowCount(), 0);
    }
    EXPECT_FALSE(system.largestLocation().isValid());
}
