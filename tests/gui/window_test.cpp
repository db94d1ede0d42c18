// SPDX-License-Identifier: BSD-3-Clause
// What is selected and expanded with mouse and keys, and what follows from it.
#include <QLineEdit>

#include "gui/views/view_keeper.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST_F(Window, opens_with_the_first_metric_and_the_root_call_path) {
    EXPECT_EQ(browser().metricPane()->current().data(), "Time");
    EXPECT_EQ(browser().callPane()->current().data(), "main");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "20.000");
}

TEST_F(Window, expanding_a_metric_by_its_arrow_changes_its_value_to_exclusive) {
    TreePane* metrics = browser().metricPane();
    EXPECT_EQ(shown(metrics, "Time"), "20.000");
    clickArrow(metrics, "Time");
    EXPECT_EQ(shown(metrics, "Time"), "16.000");
    EXPECT_EQ(shown(browser().callPane(), "main"), "16.000");  // Time is selected, and now exclusive
    clickArrow(metrics, "Time");
    EXPECT_EQ(shown(metrics, "Time"), "20.000");
    EXPECT_EQ(shown(browser().callPane(), "main"), "20.000");
}

TEST_F(Window, arrow_keys_expand_and_collapse) {
    TreePane* calls = browser().callPane();
    click(calls, "main");
    QTest::keyClick(calls->tree(), Qt::Key_Right);
    EXPECT_EQ(shown(calls, "main"), "2.000");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "2.0000");
    QTest::keyClick(calls->tree(), Qt::Key_Left);
    EXPECT_EQ(shown(calls, "main"), "20.000");
}

TEST_F(Window, selected_metric_drives_call_paths_and_system) {
    clickArrow(browser().metricPane(), "Time");
    click(browser().metricPane(), "MPI");
    EXPECT_EQ(shown(browser().callPane(), "main"), "4.0000");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "4.0000");
}

TEST_F(Window, selected_call_path_drives_the_system_only) {
    clickArrow(browser().callPane(), "main");
    click(browser().callPane(), "solve");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "14.000");
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
}

TEST_F(Window, several_call_paths_add_up) {
    clickArrow(browser().callPane(), "main");
    click(browser().callPane(), "init");
    click(browser().callPane(), "solve", Qt::ControlModifier);
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "18.000");
}

TEST_F(Window, collapsing_over_the_selection_selects_the_collapsed_node) {
    TreePane* calls = browser().callPane();
    clickArrow(calls, "main");
    click(calls, "init");
    click(calls, "solve", Qt::ControlModifier);
    clickArrow(calls, "main");
    ASSERT_EQ(calls->chosen().size(), 1);
    EXPECT_EQ(calls->current().data(), "main");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "20.000");
}

TEST_F(Window, keys_switch_between_absolute_and_percent) {
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "100.00");
    EXPECT_EQ(shown(browser().callPane(), "main"), "100.00");
    QTest::keyClick(&window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
}

TEST_F(Window, zeros_are_hidden_at_first_and_shown_on_request) {
    TreePane* calls = browser().callPane();
    QTreeView* tree = calls->tree();
    ASSERT_TRUE(browser().selectMetric("mpi"));  // all of it in MPI_Recv
    calls->expandAll();
    QApplication::processEvents();
    EXPECT_TRUE(tree->isRowHidden(0, named(calls, "main")));   // init
    EXPECT_FALSE(tree->isRowHidden(1, named(calls, "main")));  // solve, for MPI_Recv
    ASSERT_TRUE(browser().selectMetric("time"));
    QApplication::processEvents();
    EXPECT_FALSE(tree->isRowHidden(0, named(calls, "main")));
    ASSERT_TRUE(browser().selectMetric("mpi"));
    calls->reveal(named(calls, "init"));  // what is selected stays
    QApplication::processEvents();
    EXPECT_FALSE(tree->isRowHidden(0, named(calls, "main")));
    calls->reveal(named(calls, "main"));
    QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
    QApplication::processEvents();
    EXPECT_FALSE(tree->isRowHidden(0, named(calls, "main")));
}

TEST_F(Window, hottest_path_opens_the_trees_to_the_place) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier);
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
    EXPECT_EQ(browser().systemPane()->current().data(), "Master thread");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    EXPECT_EQ(browser().systemPane()->current().siblingAtColumn(1).data(), "2.0000");
}

TEST_F(Window, expand_and_collapse_all_change_extents) {
    browser().callPane()->tree()->setFocus();
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(shown(browser().callPane(), "solve"), "10.000");
    QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(shown(browser().callPane(), "main"), "20.000");
    EXPECT_EQ(browser().callPane()->chosen().size(), 1);
}

TEST_F(Window, search_goes_to_the_matches_in_turn) {
    TreePane* calls = browser().callPane();
    QTest::keyClicks(calls->searchBox(), "recv");
    QTest::keyClick(calls->searchBox(), Qt::Key_Return);
    EXPECT_EQ(calls->current().data(), "MPI_Recv");
}

TEST_F(Window, next_and_previous_hot_spots_go_through_the_call_paths_by_their_own_values) {
    TreePane* calls = browser().callPane();
    click(calls, "main");
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);  // main is the last of four: the first again
    EXPECT_EQ(calls->current().data(), "solve");
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    EXPECT_EQ(calls->current().data(), "init");
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(calls->current().data(), "solve");
}

TEST_F(Window, match_is_found_in_every_pane) {
    browser().search().find("^MPI");
    QStringList found;
    for (int match = 0; match < 4; ++match) {
        browser().search().next();
        for (TreePane* pane : {browser().metricPane(), browser().callPane(), browser().systemPane()})
            if (pane->current().data().toString().startsWith("MPI") &&
                !found.contains(pane->current().data().toString()))
                found << pane->current().data().toString();
    }
    EXPECT_TRUE(found.contains("MPI"));
    EXPECT_TRUE(found.contains("MPI_Recv"));
}

TEST_F(Window, undo_and_redo_go_through_what_was_selected) {
    TreePane* calls = browser().callPane();
    QApplication::processEvents();
    clickArrow(calls, "main");
    QApplication::processEvents();
    click(calls, "init");
    QApplication::processEvents();
    click(calls, "solve");
    QApplication::processEvents();
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(calls->current().data(), "init");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "4.0000");
    browser().views().undo();
    browser().views().undo();
    EXPECT_EQ(calls->current().data(), "main");
    EXPECT_EQ(shown(calls, "main"), "20.000");
    browser().views().undo();  // nothing before
    browser().views().redo();
    browser().views().redo();
    browser().views().redo();
    EXPECT_EQ(calls->current().data(), "solve");
}
