// SPDX-License-Identifier: BSD-3-Clause
// What models say of changes: views paint no more than they are told of.
#include <QSignalSpy>
#include <set>

#include "tests/gui/model_fixture.h"
#include "tests/support/large_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

/// Of a model, since this began to listen.
class Told {
  public:
    explicit Told(const TreeModel& model) : model_(model), spy_(&model, &QAbstractItemModel::dataChanged) {}

    qsizetype signalsSent() const { return spy_.size(); }
    std::set<NodeId> nodes() const {
        std::set<NodeId> told;
        for (const auto& arguments : spy_) {
            const auto first = arguments[0].toModelIndex();
            const auto last = arguments[1].toModelIndex();
            EXPECT_EQ(first.parent(), last.parent());
            EXPECT_EQ(last.column(), TreeModel::kColumns - 1);
            for (int row = first.row(); row <= last.row(); ++row)
                told.insert(model_.nodeOf(model_.index(row, 0, first.parent())));
        }
        return told;
    }
    std::set<NodeId> seen() const {
        const std::vector<NodeId> visible = model_.rows().visible();
        return {visible.begin(), visible.end()};
    }

  private:
    const TreeModel& model_;
    QSignalSpy spy_;
};

}  // namespace

TEST_F(Models, sorted_rows_keep_the_rules_of_item_models_and_their_keys) {
    for (TreeModel* model : {static_cast<TreeModel*>(&metrics), static_cast<TreeModel*>(&calls),
                             static_cast<TreeModel*>(&system)}) {
        QAbstractItemModelTester tester(model, kFatal);
        model->setAllExpanded(true);
        std::vector<QPersistentModelIndex> kept;
        for (const NodeId node : model->rows().ids()) kept.emplace_back(model->indexOf(node));
        model->setLargestFirst(true);
        model->setMode(ValueMode::Percent);
        for (const NodeId node : model->rows().ids()) {
            EXPECT_EQ(model->nodeOf(kept[node.index()]), node);
            EXPECT_EQ(kept[node.index()], model->indexOf(node));
            EXPECT_EQ(model->rows().withKey(model->rows().keyOf(node)), node);
        }
        model->setLargestFirst(false);
        EXPECT_TRUE(std::is_sorted(model->rows().roots().begin(), model->rows().roots().end()));
    }
}

TEST_F(Models, changed_values_are_told_of_every_row_that_is_seen) {
    for (TreeModel* model : {static_cast<TreeModel*>(&metrics), static_cast<TreeModel*>(&calls),
                             static_cast<TreeModel*>(&system)}) {
        model->setAllExpanded(true);
        const Told told(*model);
        model->setMode(ValueMode::Percent);
        EXPECT_EQ(told.nodes(), told.seen());
        EXPECT_EQ(told.nodes().size(), model->rows().size());
    }
}

TEST_F(Models, found_names_are_told_of_every_row_that_is_seen) {
    calls.setAllExpanded(true);
    const Told told(calls);
    calls.find("init");
    EXPECT_EQ(told.nodes(), told.seen());
}

TEST_F(Models, rows_below_a_collapsed_node_are_not_told) {
    expand(calls, "main");
    const Told told(calls);
    calls.setContext(chosen("mpi"), holos::kAll);
    EXPECT_EQ(told.nodes(), told.seen());
    EXPECT_LT(told.nodes().size(), calls.rows().size());
}

TEST_F(Models, models_that_share_a_scale_tell_each_row_once) {
    CallModel other(cache);
    other.setContext({}, holos::kAll);
    other.setAllExpanded(true);
    calls.setAllExpanded(true);
    other.shareScaleWith(&calls);
    calls.shareScaleWith(&other);
    const Told told(other);
    calls.setMode(ValueMode::Percent);
    EXPECT_EQ(told.nodes(), told.seen());
    EXPECT_EQ(told.signalsSent(), 3);  // the root, its children, those of `solve`
}

TEST(LargeModel, change_of_65536_locations_is_told_once_for_each_node_that_is_expanded) {
    holos::testing::LargeExperimentShape shape;
    shape.metrics = 1;
    shape.callPaths = 2;
    shape.ranks = 65536;
    shape.threads = 1;
    ValueCache cache(std::make_shared<const Experiment>(holos::testing::largeExperiment(shape)));
    SystemModel system(cache);
    system.setContext({}, holos::kAll);
    system.setAllExpanded(true);
    qsizetype parents = 1;
    for (const NodeId node : system.rows().ids()) parents += system.rows().childrenOf(node).empty() ? 0 : 1;
    const Told told(system);
    system.setMode(ValueMode::Percent);
    EXPECT_EQ(told.signalsSent(), parents);
    EXPECT_EQ(told.nodes().size(), system.rows().size());
}

/// 0.3 less 0.1 + 0.2 is not 0 for a computer.
TEST_F(Models, what_rounding_leaves_of_a_difference_is_shown_as_nothing) {
    Experiment rounded = sampleExperiment();
    for (const auto& [name, value] : {std::pair("time", 0.3), std::pair("mpi", 0.1 + 0.2)}) {
        SeverityTable table = rounded.newTable();
        for (const CallPathId path : rounded.callTree.ids()) table.add(path, LocationId(0), value);
        rounded.severities.set(*rounded.findMetric(name), std::move(table));
    }
    ValueCache values(std::make_shared<const Experiment>(std::move(rounded)));
    CallModel paths(values);
    paths.setContext({*values.experiment().findMetric("time"), Extent::Exclusive}, holos::kAll);
    paths.setAllExpanded(true);
    EXPECT_EQ(text(paths, "main"), "0");
    EXPECT_EQ(text(paths, "init"), "0");
    EXPECT_FALSE(values.isSigned());
}
