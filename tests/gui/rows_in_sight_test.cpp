// SPDX-License-Identifier: BSD-3-Clause
// Decimals, units and the room for bars follow the rows that somebody sees.
#include <QHeaderView>

#include "gui/models/call_model.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

/// `main` calls `large`, which takes 40,000 s, and two that take 2.25 s and 2.5 s.
ExperimentPtr unequal() {
    holos::testing::SmallExperiment build(1, 1);
    Metric time;
    time.uniqueName = "time";
    time.displayName = "Time";
    time.unit = "sec";
    build.metric(time, "", {{"main/large", {40000}}, {"main/small", {2.25}}, {"main/other", {2.5}}});
    return std::make_shared<const Experiment>(build.take());
}

struct UnequalCalls {
    ValueCache cache{unequal()};
    CallModel calls{cache};
    UnequalCalls() {
        calls.setContext({}, holos::kAll);
        calls.setExpanded(calls.index(0, 0), true);
    }
    QString text(int row) const {
        return calls.index(row, TreeModel::ValueColumn, calls.index(0, 0)).data().toString();
    }
    NodeId node(int row) const { return calls.nodeOf(calls.index(row, 0, calls.index(0, 0))); }
};

}  // namespace

TEST(RowsInSight, large_value_that_is_seen_leaves_few_decimals) {
    const UnequalCalls unequal;
    EXPECT_EQ(unequal.text(1), "2");
}

TEST(RowsInSight, large_value_out_of_sight_takes_no_decimals) {
    UnequalCalls unequal;
    EXPECT_TRUE(unequal.calls.setInSight({unequal.node(1), unequal.node(2)}));
    EXPECT_EQ(unequal.text(1), "2.2500");
    EXPECT_EQ(unequal.text(2), "2.5000");
    EXPECT_FALSE(unequal.calls.setInSight({unequal.node(1), unequal.node(2)}));
    EXPECT_TRUE(unequal.calls.setInSight(holos::kAll));
    EXPECT_EQ(unequal.text(1), "2");
}

TEST(RowsInSight, small_percentages_have_more_decimals) {
    UnequalCalls unequal;
    unequal.calls.setMode(ValueMode::Percent);
    EXPECT_EQ(unequal.text(2), "0.01");
    unequal.calls.setInSight({unequal.node(1), unequal.node(2)});
    EXPECT_EQ(unequal.text(1), "0.00562");
    EXPECT_EQ(unequal.text(2), "0.00625");
}

TEST(RowsInSight, colours_are_those_of_all_rows) {
    UnequalCalls unequal;
    const auto before = unequal.calls.scale().rangeOf(NodeId(0));
    unequal.calls.setInSight({unequal.node(1), unequal.node(2)});
    EXPECT_EQ(unequal.calls.scale().rangeOf(NodeId(0)).to, before.to);
    EXPECT_EQ(unequal.calls.scale().rangeOf(NodeId(0)).format.text(before.to), before.format.text(before.to));
}

TEST_F(Window, decimals_follow_the_rows_that_scrolling_brings_into_sight) {
    window.show("unequal.cubex", unequal());
    TreePane* calls = browser().callPane();
    calls->expandAll();
    QApplication::processEvents();
    EXPECT_EQ(shown(calls, "small"), "2");
    const int row = calls->tree()->visualRect(named(calls, "main")).height();
    calls->tree()->setFixedHeight(2 * row);
    for (int settled = 0; settled < 3; ++settled)
        QApplication::processEvents();  // the selected row stays in sight
    calls->tree()->scrollToBottom();
    QApplication::processEvents();
    EXPECT_EQ(shown(calls, "small"), "2.2500");
}

TEST_F(Window, bars_of_a_wide_pane_take_what_names_leave) {
    TreePane* calls = browser().callPane();
    const auto width = [&] { return calls->tree()->header()->sectionSize(TreeModel::ValueColumn); };
    window.resize(1000, 600);
    QApplication::processEvents();
    const int narrow = width();
    window.resize(3000, 600);
    QApplication::processEvents();
    EXPECT_GT(width(), 2 * narrow);
    EXPECT_LT(width(), calls->width() / 2);
}
