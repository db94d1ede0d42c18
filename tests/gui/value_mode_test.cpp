// SPDX-License-Identifier: BSD-3-Clause
// What 100 percent is in each mode, and between which ends colours run.
#include "gui/models/shown_values.h"

#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

class ValueModes : public Models {
  protected:
    void setMode(ValueMode mode) {
        for (TreeModel* model : {static_cast<TreeModel*>(&metrics), static_cast<TreeModel*>(&calls),
                                 static_cast<TreeModel*>(&system)})
            model->setMode(mode);
    }
    CallPathId solve() const { return calls.pathAt(named(calls, "solve")); }
};

double share(const TreeModel& model, const QString& name) {
    return named(model, name).data(TreeModel::ShareRole).toDouble();
}

}  // namespace

TEST(ValueModeNames, are_found_again_and_nothing_else) {
    for (const ValueModeText& text : valueModes()) {
        EXPECT_EQ(menuChoiceNamed(valueModes(), text.name), text.value);
        EXPECT_EQ(nameOfMenuChoice(valueModes(), text.value), text.name);
    }
    EXPECT_EQ(menuChoiceNamed(valueModes(), "some"), std::nullopt);
}

TEST_F(ValueModes, percent_of_the_root_relates_all_panes_to_the_hierarchy) {
    setMode(ValueMode::OfRoot);
    calls.setContext(chosen("mpi"), holos::kAll);
    system.setContext(chosen("mpi"), {{solve(), Extent::Inclusive}});
    EXPECT_EQ(text(metrics, "MPI"), "20.00");  // 4 of 20
    EXPECT_EQ(text(calls, "main"), "20.00");
    EXPECT_EQ(text(system, "MPI Rank 1"), "15.00");  // 3 of 20
}

TEST_F(ValueModes, percent_of_the_metric_relates_all_panes_to_the_selected_metric) {
    setMode(ValueMode::OfMetric);
    expand(metrics, "Time");
    metrics.setSelected(named(metrics, "MPI"));
    EXPECT_EQ(text(metrics, "Time"), "400.00");  // 16 of 4
    EXPECT_EQ(text(metrics, "MPI"), "100.00");
    EXPECT_EQ(text(metrics, "~stalls"), "100.00");  // another hierarchy: of its root
    system.setContext(chosen("time"), {{solve(), Extent::Inclusive}});
    EXPECT_EQ(text(system, "machine Sample"), "70.00");  // 14 of 20
}

TEST_F(ValueModes, percent_of_the_selection_is_of_the_selected_row_as_it_is_shown) {
    setMode(ValueMode::OfSelection);
    expand(calls, "main");
    calls.setSelected(named(calls, "init"));
    EXPECT_EQ(text(calls, "init"), "100.00");
    EXPECT_EQ(text(calls, "solve"), "350.00");  // 14 of 4
    EXPECT_EQ(text(calls, "main"), "50.00");    // 2 of 4, exclusive
    calls.setSelected(named(calls, "solve"));
    EXPECT_EQ(text(calls, "init"), "28.57");
}

TEST_F(ValueModes, percent_of_peers_is_of_the_largest_on_the_level) {
    setMode(ValueMode::OfPeers);
    expand(calls, "main");
    EXPECT_EQ(text(calls, "main"), "10.00");  // 2 of 20
    EXPECT_EQ(text(calls, "init"), "28.57");  // 4 of 14
    EXPECT_EQ(text(calls, "solve"), "100.00");
    EXPECT_DOUBLE_EQ(share(calls, "solve"), 1.0);
    EXPECT_DOUBLE_EQ(share(calls, "main"), 0.1);
}

TEST_F(ValueModes, peers_are_spread_from_the_smallest_to_the_largest) {
    setMode(ValueMode::PeerRange);
    expand(calls, "main");
    EXPECT_EQ(text(calls, "main"), "10.00");  // open: its own part of the largest
    EXPECT_EQ(text(calls, "init"), "0");      // the smallest
    EXPECT_EQ(text(calls, "solve"), "100.00");
    EXPECT_DOUBLE_EQ(share(calls, "solve"), 1.0);
    EXPECT_DOUBLE_EQ(share(calls, "init"), 0.0);
    system.setContext(chosen("time"), {{solve(), Extent::Inclusive}});
    expand(system, "machine Sample");
    expand(system, "node a");
    EXPECT_EQ(text(system, "MPI Rank 0"), "0");       // 5 s
    EXPECT_EQ(text(system, "MPI Rank 1"), "100.00");  // 9 s
}

TEST_F(ValueModes, peers_that_are_equal_have_no_spread) {
    setMode(ValueMode::PeerRange);
    metrics.setContext(holos::kAll, holos::kAll);
    system.setContext(chosen("STALLS"), holos::kAll);
    expand(system, "machine Sample");
    expand(system, "node a");
    EXPECT_EQ(text(system, "MPI Rank 0"), "0");
    EXPECT_EQ(text(system, "MPI Rank 1"), "0");
}

TEST_F(ValueModes, percent_of_another_experiment_is_of_its_root_metric) {
    Experiment other = sampleExperiment();
    other.severities.edit(*other.findMetric("time")).add(CallPathId(0), LocationId(0), 20.0);  // 40 in all
    other.metrics[*other.findMetric("STALLS")].unit = "bytes";
    cache.setReference(std::make_shared<const Experiment>(std::move(other)));
    setMode(ValueMode::External);
    EXPECT_EQ(text(metrics, "Time"), "50.00");
    EXPECT_EQ(text(metrics, "MPI"), "10.00");
    EXPECT_EQ(text(metrics, "~stalls"), QString(kUndefined));  // not comparable
    calls.setContext(chosen("mpi"), holos::kAll);
    EXPECT_EQ(text(calls, "main"), "10.00");
}

TEST_F(ValueModes, without_another_experiment_its_percentages_are_undefined) {
    setMode(ValueMode::External);
    EXPECT_EQ(text(metrics, "Time"), QString(kUndefined));
}

TEST_F(ValueModes, ratio_stays_absolute_in_every_mode) {
    for (const ValueModeText& known : valueModes()) {
        setMode(known.value);
        EXPECT_EQ(text(metrics, "MPI share"), "0.200") << known.name;
    }
}

TEST_F(ValueModes, own_range_decides_the_shares) {
    expand(calls, "main");  // main 2, init 4, solve 14
    calls.setOwnRange(OwnRange{2.0, 12.0});
    EXPECT_DOUBLE_EQ(share(calls, "main"), 0.0);
    EXPECT_DOUBLE_EQ(share(calls, "init"), 0.2);
    EXPECT_DOUBLE_EQ(share(calls, "solve"), 1.0);
    calls.setMode(ValueMode::Percent);
    calls.setOwnRange(OwnRange{0.0, 0.4});  // fractions: 4 of 20 is a half of it
    EXPECT_DOUBLE_EQ(share(calls, "init"), 0.5);
    calls.setOwnRange(std::nullopt);
    EXPECT_DOUBLE_EQ(share(calls, "solve"), 1.0);
}

TEST_F(ValueModes, own_range_below_zero_diverges_evenly) {
    calls.setOwnRange(OwnRange{-40.0, 20.0});
    EXPECT_TRUE(named(calls, "main").data(TreeModel::SignedRole).toBool());
    EXPECT_DOUBLE_EQ(share(calls, "main"), 0.5);  // 20 of 40
}

TEST(OwnRange, is_two_ascending_numbers) {
    const auto range = ownRangeFrom(u"\u22122.5 … 1e3"_qs);
    ASSERT_TRUE(range);
    EXPECT_DOUBLE_EQ(range->from, -2.5);
    EXPECT_DOUBLE_EQ(range->to, 1000.0);
    for (const char* wrong : {"", "1", "2 1", "1 1", "1 2 3", "from to"})
        EXPECT_FALSE(ownRangeFrom(wrong)) << wrong;
}

TEST(SignedValues, percentages_and_legend_agree_when_the_whole_is_negative) {
    ValueCache cache(std::make_shared<const Experiment>(signedExperiment()));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    expand(calls, "main");
    calls.setMode(ValueMode::Percent);  // −4 of −1 is 400 percent, and still blue
    EXPECT_EQ(text(calls, "init"), "400.00");
    EXPECT_DOUBLE_EQ(share(calls, "init"), -1.0);
    const auto range = calls.scale().rangeOf(calls.nodeOf(named(calls, "init")));
    EXPECT_EQ(range.format.number(range.from), "400.00");
}

TEST(SignedValues, hottest_path_has_the_largest_magnitude) {
    ValueCache cache(std::make_shared<const Experiment>(signedExperiment()));
    CallModel calls(cache);
    calls.setContext({}, holos::kAll);
    EXPECT_EQ(calls.hottest(), CallPathId(1));  // init, −4
}

TEST(DerivedMetric, that_cannot_be_evaluated_says_why) {
    Experiment experiment = sampleExperiment();
    Metric broken;
    broken.uniqueName = "broken";
    broken.storage = Storage::PostDerived;
    broken.expression = "metric::time() +";
    const MetricId id = experiment.metrics.add(broken);
    ValueCache cache(std::make_shared<const Experiment>(std::move(experiment)));
    EXPECT_FALSE(cache.reasonOf(id).isEmpty());
    EXPECT_EQ(cache.reasonOf(MetricId(0)), QString());
}
