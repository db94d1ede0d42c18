// SPDX-License-Identifier: BSD-3-Clause
// What is seen on a display equals a complete repaint, whatever was done.
#include <QLineEdit>
#include <QPushButton>

#include "gui/experiments/open_experiments.h"
#include "gui/views/detail_views.h"
#include "gui/views/filter_bar.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/display/shown_window.h"

using namespace holos::gui;
using namespace holos::gui::testing;

class Screen : public ShownWindow {
  protected:
    /// Rows deep in the trees are seen in all panes.
    void openTrees() {
        for (TreePane* pane : {browser().metricPane(), browser().callPane(), browser().systemPane()}) {
            clickRow(pane, pane->model()->index(0, 0));
            seat().press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        }
        check(u"expanding everything"_qs);
    }
};

TEST_F(Screen, chosen_metric_is_shown_in_all_rows) {
    openTrees();
    clickRow(browser().metricPane(), browser().metricPane()->model()->index(0, 0));
    for (int row = 0; row < 5; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing metric %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_call_path_is_shown_in_all_rows) {
    openTrees();
    clickRow(browser().callPane(), browser().callPane()->model()->index(0, 0));
    for (int row = 0; row < 4; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing call path %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_location_is_shown_in_all_rows) {
    openTrees();
    seat().press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    check(u"exchanging panes"_qs);
    clickRow(browser().systemPane(), browser().systemPane()->model()->index(0, 0));
    for (int row = 0; row < 4; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing location %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_way_to_write_values_is_shown_in_all_rows) {
    openTrees();
    const Qt::KeyboardModifiers both = Qt::ControlModifier | Qt::ShiftModifier;
    for (const auto& [key, held] :
         std::initializer_list<std::pair<Qt::Key, Qt::KeyboardModifiers>>{{Qt::Key_P, both},
                                                                          {Qt::Key_A, both},
                                                                          {Qt::Key_0, Qt::ControlModifier},
                                                                          {Qt::Key_0, Qt::ControlModifier}}) {
        seat().press(key, held);
        check(u"the key %1"_qs.arg(QKeySequence(key).toString()));
    }
    for (const ValueModeText& mode : valueModes()) {
        if (mode.value == ValueMode::External) continue;
        window().setMode(mode.value);
        check(QString::fromUtf8(mode.title));
    }
}

TEST_F(Screen, letters_typed_into_a_tree_go_to_the_row_of_that_name) {
    openTrees();
    const TreePane* pane = browser().metricPane();
    clickRow(pane, pane->model()->index(0, 0));
    const QString before = toText(browser().views().state());
    seat().type(u"mpi"_qs);
    EXPECT_EQ(pane->current().data(), u"MPI"_qs);
    check(u"typing a name"_qs);
    clickRow(pane, pane->model()->index(0, 0));
    EXPECT_EQ(toText(browser().views().state()), before);
}

TEST_F(Screen, pane_with_the_keyboard_is_marked) {
    const auto isMarked = [](const QWidget* pane) {
        return pane->findChild<QWidget*>(u"Focus mark"_qs, Qt::FindDirectChildrenOnly)->isVisible();
    };
    clickRow(browser().metricPane(), browser().metricPane()->model()->index(0, 0));
    check(u"choosing a metric"_qs);
    EXPECT_TRUE(isMarked(browser().metricPane()));
    EXPECT_FALSE(isMarked(browser().programs()));
    clickRow(browser().callPane(), browser().callPane()->model()->index(0, 0));
    check(u"choosing a call path"_qs);
    EXPECT_FALSE(isMarked(browser().metricPane()));
    EXPECT_TRUE(isMarked(browser().programs()));
    seat().press(Qt::Key_Tab);
    check(u"going on with the tabulator"_qs);
}

TEST_F(Screen, flame_graph_follows_clicks_keys_and_other_panes) {
    openTrees();
    seat().press(Qt::Key_6, Qt::ControlModifier);
    check(u"opening the flame graph"_qs);
    FlameView* view = browser().programs()->flame()->view();
    for (std::size_t path = 0; path < 20; path += 3) {
        const QRect box = view->boxRect(holos::algebra::CallPathId(path));
        if (box.isEmpty()) continue;
        seat().click(view, box.center());
        check(u"clicking box %1"_qs.arg(path));
    }
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Return, Qt::Key_Down, Qt::Key_Right, Qt::Key_Plus,
                              Qt::Key_Minus, Qt::Key_Home}) {
        seat().press(key);
        check(u"the key %1 in the flame graph"_qs.arg(QKeySequence(key).toString()));
    }
    clickRow(browser().metricPane(), browser().metricPane()->model()->index(0, 0));
    for (int row = 0; row < 4; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing metric %1 beside the flame graph"_qs.arg(row));
    }
    seat().press(Qt::Key_7, Qt::ControlModifier);
    check(u"opening callers and callees"_qs);
    seat().press(Qt::Key_5, Qt::ControlModifier);
    check(u"opening the tree again"_qs);
}

TEST_F(Screen, search_filters_with_each_letter) {
    TreePane* pane = browser().callPane();
    seat().click(pane->searchBox(), pane->searchBox()->rect().center());
    check(u"going to the search box"_qs);
    for (const char* letter : {"m", "p", "i"}) {
        seat().type(QString::fromLatin1(letter));
        check(u"typing "_qs + QString::fromLatin1(letter));
    }
    for (int match = 0; match < 3; ++match) {
        seat().press(Qt::Key_Return);
        check(u"going to match %1"_qs.arg(match));
    }
    for (int letter = 0; letter < 3; ++letter) {
        seat().press(Qt::Key_Backspace);
        check(u"taking letter %1 back"_qs.arg(letter));
    }
}

TEST_F(Screen, rows_are_sorted_and_hidden_and_have_more_columns) {
    openTrees();
    for (TreePane* pane : {browser().callPane(), browser().systemPane()}) {
        clickRow(pane, pane->model()->index(0, 0));
        for (const Qt::Key key : {Qt::Key_L, Qt::Key_L}) {
            seat().press(key, Qt::ControlModifier | Qt::ShiftModifier);
            check(u"sorting "_qs + pane->objectName());
        }
    }
    seat().press(Qt::Key_0, Qt::ControlModifier);
    check(u"showing zeros"_qs);
    for (const int column : {TreeModel::InclusiveColumn, TreeModel::VisitsColumn, TreeModel::InclusiveColumn,
                             TreeModel::VisitsColumn}) {
        browser().toggleColumn(Pane::Program, column);
        seat().settle();
        check(u"toggling column %1"_qs.arg(column));
        seat().press(Qt::Key_Down);
        check(u"another row after column %1"_qs.arg(column));
    }
}

TEST_F(Screen, experiment_that_is_replaced_is_shown_completely) {
    openTrees();
    const OpenExperiment now = *window().experiments().active();
    for (int times = 0; times < 3; ++times) {
        window().experiments().replace(now.path, now.experiment);
        seat().settle();
        check(u"replacing the experiment, time %1"_qs.arg(times));
        seat().press(Qt::Key_Down);
        check(u"the next row after time %1"_qs.arg(times));
    }
}

TEST_F(Screen, palette_lists_and_goes) {
    seat().press(Qt::Key_P, Qt::ControlModifier);
    check(u"opening the palette"_qs);
    seat().type(u"mpi"_qs);
    check(u"typing into it"_qs);
    seat().press(Qt::Key_Down);
    check(u"the next entry"_qs);
    seat().press(Qt::Key_Return);
    check(u"going there"_qs);
}

TEST_F(Screen, decimals_and_bars_follow_the_rows_in_sight) {
    openTrees();
    TreePane* pane = browser().systemPane();
    resizeTo({1000, 420});
    for (int steps = 0; steps < 4; ++steps) {
        seat().wheel(pane->tree()->viewport(), pane->tree()->viewport()->rect().center(), -2);
        check(u"scrolling"_qs);
    }
}

/// Where the pointer and the keyboard go: a range is dragged, shown alone, and left by a click on its name.
TEST_F(Screen, range_of_time_is_named_above_all_views_and_leaves_the_selection_as_it_is) {
    openTrees();
    clickRow(browser().systemPane(), browser().systemPane()->model()->index(0, 0));
    for (int row = 0; row < 3; ++row) seat().press(Qt::Key_Down);
    const QString system = browser().views().state().system;
    const auto isIdle = [this] { return !browser().details()->isBusy(); };
    seat().press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(QTest::qWaitFor(isIdle, 60000));
    const TimelinePane* pane = browser().details()->timeline();
    const int row = pane->view()->viewport()->height() / 2;
    const int left = pane->view()->labelWidth();
    seat().click(pane->view()->viewport(), {left + 100, row}, Qt::ShiftModifier);
    seat().click(pane->view()->viewport(), {left + 200, row}, Qt::ShiftModifier);
    check(u"selecting a range"_qs);
    EXPECT_EQ(browser().views().state().system, system);
    seat().click(pane->rangeBar()->only(), pane->rangeBar()->only()->rect().center());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !browser().filter().isEmpty(); }, 60000));
    ASSERT_TRUE(QTest::qWaitFor(isIdle, 60000));
    check(u"showing the range alone"_qs);
    EXPECT_EQ(browser().views().state().system, system);
    seat().press(Qt::Key_Escape);
    check(u"Escape"_qs);
    EXPECT_EQ(browser().views().state().system, system);
    const auto* part = browser().filterBar()->findChild<QPushButton*>();
    ASSERT_NE(part, nullptr);
    seat().click(part, part->rect().center());
    ASSERT_TRUE(QTest::qWaitFor([this] { return browser().filter().isEmpty(); }, 60000));
    ASSERT_TRUE(QTest::qWaitFor(isIdle, 60000));
    check(u"showing the whole run again"_qs);
    EXPECT_EQ(browser().views().state().system, system);
}
