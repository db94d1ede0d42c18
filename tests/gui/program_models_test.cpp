// SPDX-License-Identifier: BSD-3-Clause
// The pane of the program: flat regions, hot spots, re-rooting, part of the system, small values.
#include "gui/models/path_set_model.h"
#include "tests/gui/model_fixture.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;
using holos::testing::SmallExperiment;

namespace {

class ProgramModels : public Models {
  protected:
    RegionModel regions{cache, RegionGroups::Modules};
    void SetUp() override {
        Models::SetUp();
        regions.setContext({}, holos::kAll);
    }
};

}  // namespace

TEST_F(ProgramModels, regions_keep_the_rules_of_item_models) {
    QAbstractItemModelTester tester(&regions, kFatal);
    regions.setAllExpanded(true);
    regions.setMode(ValueMode::Percent);
    regions.reroot(NodeId(0));
    regions.reroot(std::nullopt);
    EXPECT_EQ(regions.rowCount(), 1);
}

TEST_F(ProgramModels, region_has_what_it_has_for_itself_and_all_add_up) {
    EXPECT_DOUBLE_EQ(value(regions, "sample.c"), 20.0);
    expand(regions, "sample.c");
    EXPECT_DOUBLE_EQ(value(regions, "sample.c"), 0.0);
    EXPECT_DOUBLE_EQ(value(regions, "main"), 2.0);
    EXPECT_DOUBLE_EQ(value(regions, "solve"), 10.0);
    EXPECT_DOUBLE_EQ(value(regions, "MPI_Recv"), 4.0);
}

TEST_F(ProgramModels, region_of_several_call_paths_is_their_sum_and_chooses_all_of_them) {
    Experiment experiment = sampleExperiment();
    CallPath again;
    again.region = RegionId(3);
    experiment.callTree.add(again, CallPathId(1));  // MPI_Recv in init, too
    auto times = experiment.newTable();
    times.add(CallPathId(3), LocationId(0), 1.0);
    times.add(CallPathId(4), LocationId(2), 2.5);
    experiment.severities.set(*experiment.findMetric("time"), times);
    ValueCache other(std::make_shared<const Experiment>(std::move(experiment)));
    RegionModel flat(other, RegionGroups::Modules);
    flat.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(value(flat, "MPI_Recv"), 3.5);
    const auto choices = flat.choices(named(flat, "MPI_Recv"));
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices[1].path, CallPathId(4));
    EXPECT_EQ(choices[1].extent, Extent::Exclusive);
}

TEST_F(ProgramModels, ratio_of_a_group_is_evaluated_on_the_aggregate) {
    regions.setContext(chosen("mpi_share"), holos::kAll);
    EXPECT_EQ(text(regions, "sample.c"), "0.200");
    EXPECT_EQ(text(regions, "MPI_Recv"), "1.000");
}

TEST_F(ProgramModels, mpi_and_openmp_are_groups_of_their_own) {
    Experiment experiment = sampleExperiment();
    experiment.regions[3].paradigm = "mpi";
    ValueCache other(std::make_shared<const Experiment>(std::move(experiment)));
    RegionModel flat(other, RegionGroups::Modules);
    EXPECT_EQ(named(flat, "MPI_Recv").parent().data(), "MPI");
}

namespace {

/// `main` calls the phase `solve` twice, as iteration 0 (5 s, of which its parallel region has 2 and the
/// barrier in it 1) and 1 (3 s), and has 1 s for itself.
Experiment withLoop() {
    Experiment experiment;
    const auto region = [&](const char* name, const char* paradigm, const char* role) {
        Region made;
        made.name = name;
        made.paradigm = paradigm;
        made.role = role;
        experiment.regions.push_back(made);
    };
    region("main", "compiler", "function");
    region("solve", "user", "code");
    region("!$omp parallel @a.c:3", "openmp", "parallel");
    region("!$omp implicit barrier @a.c:9", "openmp", "implicit barrier");
    const auto add = [&](std::size_t of, std::optional<CallPathId> parent, std::optional<double> iteration) {
        CallPath path;
        path.region = RegionId(of);
        if (iteration) path.numericParameters.emplace_back("iteration", *iteration);
        return experiment.callTree.add(path, parent);
    };
    const CallPathId main = add(0, {}, {});
    const CallPathId first = add(1, main, 0.0);
    const CallPathId parallel = add(2, first, {});
    add(3, parallel, {});
    add(1, main, 1.0);
    experiment.system = sampleExperiment().system;
    Metric time;
    time.uniqueName = time.displayName = "time";
    const MetricId id = experiment.metrics.add(time);
    SeverityTable times = experiment.newTable();
    const std::array<double, 5> own{1, 2, 2, 1, 3};
    for (std::size_t path = 0; path < own.size(); ++path)
        times.add(CallPathId(path), LocationId(0), own[path]);
    experiment.severities.set(id, std::move(times));
    return experiment;
}

class LoopModels : public ::testing::Test {
  protected:
    ValueCache cache{std::make_shared<const Experiment>(withLoop())};
};

}  // namespace

TEST_F(LoopModels, iterations_are_one_row_when_loops_are_folded) {
    FoldedModel folded(cache);
    QAbstractItemModelTester tester(&folded, kFatal);
    folded.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(value(folded, "main"), 9.0);
    EXPECT_EQ(folded.rowCount(folded.index(0, 0)), 1);
    EXPECT_DOUBLE_EQ(value(folded, "solve"), 8.0);
    expand(folded, "solve");
    EXPECT_DOUBLE_EQ(value(folded, "solve"), 5.0);  // 2 and 3
    const auto choices = folded.choices(named(folded, "solve"));
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices[1].path, CallPathId(4));
    EXPECT_EQ(choices[1].extent, Extent::Exclusive);
    EXPECT_EQ(folded.indexOfPath(CallPathId(4)).data(), "solve");
}

TEST_F(LoopModels, constructs_have_what_runs_in_them) {
    RegionModel regions(cache, RegionGroups::Constructs);
    QAbstractItemModelTester tester(&regions, kFatal);
    regions.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(value(regions, "(outside of OpenMP)"), 6.0);
    EXPECT_DOUBLE_EQ(value(regions, "!$omp parallel @a.c:3"), 3.0);
    EXPECT_EQ(named(regions, "!$omp implicit barrier @a.c:9").parent().data(), "!$omp parallel @a.c:3");
}

TEST_F(LoopModels, phases_are_told_apart_by_their_iteration) {
    RegionModel regions(cache, RegionGroups::Phases);
    QAbstractItemModelTester tester(&regions, kFatal);
    regions.setContext({}, holos::kAll);
    EXPECT_DOUBLE_EQ(value(regions, "(outside of phases)"), 1.0);
    EXPECT_DOUBLE_EQ(value(regions, "solve (iteration=0)"), 5.0);
    EXPECT_DOUBLE_EQ(value(regions, "solve (iteration=1)"), 3.0);
}

TEST_F(LoopModels, expanded_group_is_chosen_with_all_of_its_regions) {
    RegionModel model(cache, RegionGroups::Phases);
    model.setContext({}, holos::kAll);
    const QModelIndex group = model.index(0, 0);
    model.setExpanded(group, true);
    EXPECT_EQ(model.choiceText({group}), group.data().toString());  // and not "exclusive"
    EXPECT_FALSE(model.choices(group).empty());
}

TEST_F(LoopModels, flat_regions_stand_once_each_without_groups) {
    RegionModel regions(cache, RegionGroups::None);
    QAbstractItemModelTester tester(&regions, kFatal);
    regions.setContext({}, holos::kAll);
    EXPECT_EQ(regions.rowCount(), 4);
    EXPECT_DOUBLE_EQ(value(regions, "solve"), 5.0);
}

TEST_F(ProgramModels, part_of_the_system_is_what_the_program_shows) {
    calls.setContext(chosen("time"), {LocationId(2), LocationId(3)});
    EXPECT_DOUBLE_EQ(value(calls, "main"), 12.0);
    calls.setMode(ValueMode::Percent);
    calls.setAllExpanded(true);
    EXPECT_EQ(text(calls, "MPI_Recv"), "25.00");  // 3 of 12
}

TEST_F(ProgramModels, hot_spots_are_sorted_by_their_own_values) {
    EXPECT_EQ(calls.hotSpots(), (std::vector{CallPathId(2), CallPathId(1), CallPathId(3), CallPathId(0)}));
    calls.setContext(chosen("mpi"), holos::kAll);
    EXPECT_EQ(calls.hotSpots(), std::vector{CallPathId(3)});
}

namespace {

/// The end of the hottest path of these times.
QString hottestOf(const SmallExperiment::Rows& times) {
    SmallExperiment made(1, 1);
    ValueCache cache(std::make_shared<const Experiment>(made.counter("time", times).take()));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    const auto end = calls.hottest();
    return end ? calls.rows().pathOf(calls.nodeOf(calls.indexOfPath(*end))) : QString();
}

}  // namespace

/// One call with much for itself does not hide that more is spent below another one: who looks for the time
/// of a program goes where most of it is, as in every other profiler.
TEST(HottestPath, follows_the_largest_sum_at_each_level_and_not_the_largest_single_call) {
    EXPECT_EQ(hottestOf({{"main", {1}},
                         {"main/split/a", {2}},
                         {"main/split/b", {2.5}},
                         {"main/split/c", {2}},
                         {"main/solo", {3}}}),
              "main / split / b");
}

TEST(HottestPath, ends_where_the_own_value_is_larger_than_that_of_any_callee) {
    EXPECT_EQ(hottestOf({{"main", {1}}, {"main/work", {4}}, {"main/work/helper", {3}}}), "main / work");
    EXPECT_EQ(hottestOf({{"main", {1}}, {"main/work", {4}}, {"main/work/helper", {5}}}),
              "main / work / helper");
}

TEST(HottestPath, of_a_program_without_values_is_none) {
    EXPECT_EQ(hottestOf({{"main", {0}}, {"main/work", {0}}}), QString());
}

TEST_F(ProgramModels, rerooted_tree_is_the_subtree_and_comes_back_whole) {
    QAbstractItemModelTester tester(&calls, kFatal);
    calls.setAllExpanded(true);
    calls.reroot(calls.nodeOf(named(calls, "solve")));
    ASSERT_EQ(calls.rowCount(), 1);
    EXPECT_EQ(calls.index(0, 0).data(), "solve");
    EXPECT_FALSE(calls.index(0, 0).parent().isValid());
    EXPECT_DOUBLE_EQ(value(calls, "solve"), 14.0);
    EXPECT_FALSE(calls.indexOfPath(CallPathId(1)).isValid());  // init is not in it
    EXPECT_TRUE(calls.indexOfPath(CallPathId(3)).isValid());
    calls.reroot(std::nullopt);
    EXPECT_EQ(calls.index(0, 0).data(), "main");
    EXPECT_EQ(named(calls, "solve").row(), 1);
    EXPECT_EQ(named(calls, "solve").parent().data(), "main");
}

TEST_F(ProgramModels, rerooted_tree_stays_at_the_top_whatever_the_order_and_comes_back_in_it) {
    QAbstractItemModelTester tester(&calls, kFatal);
    calls.setAllExpanded(true);
    calls.setLargestFirst(true);
    EXPECT_EQ(named(calls, "solve").row(), 0);
    const NodeId solve = calls.nodeOf(named(calls, "solve"));
    calls.reroot(solve);
    calls.setLargestFirst(false);
    EXPECT_EQ(calls.indexOf(solve), calls.index(0, 0));
    calls.reroot(std::nullopt);
    calls.setAllExpanded(true);
    EXPECT_EQ(named(calls, "solve").row(), 1) << "as in the experiment";
}

TEST(RerootedModel, several_at_the_top_come_back_in_the_order_that_was_chosen_since) {
    ValueCache cache(std::make_shared<const Experiment>(
        SmallExperiment(1, 1).counter("time", {{"small", {1}}, {"large", {2}}}).take()));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    calls.setLargestFirst(true);
    EXPECT_EQ(calls.index(0, 0).data(), "large");
    calls.reroot(calls.nodeOf(named(calls, "large")));
    calls.setLargestFirst(false);
    calls.reroot(std::nullopt);
    EXPECT_EQ(calls.index(0, 0).data(), "small");
}

TEST_F(ProgramModels, small_is_what_is_below_a_part_of_the_whole) {
    const NodeId init = calls.nodeOf(named(calls, "init"));  // 4 of 20
    EXPECT_FALSE(calls.values().isBelow(init, 0.2));
    EXPECT_TRUE(calls.values().isBelow(init, 0.21));
    calls.setContext(chosen("mpi"), holos::kAll);
    EXPECT_TRUE(calls.values().isBelow(init, 0.0));
}

TEST_F(ProgramModels, names_are_found_by_regular_expressions) {
    EXPECT_EQ(calls.find("^m|^init$").size(), 3U);  // main, init, MPI_Recv
    EXPECT_EQ(calls.find("MPI_(Recv|Send)").size(), 1U);
    EXPECT_TRUE(calls.find("(").empty());  // no expression: taken literally
}
