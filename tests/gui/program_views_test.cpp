// SPDX-License-Identifier: BSD-3-Clause
// The flame graph, and callers and callees, beside the tree: one selection.
#include "gui/views/program_views.h"

#include <QComboBox>
#include <QLineEdit>

#include "base/error.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/trees/butterfly_page.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using holos::algebra::CallPathId;

namespace {

class ProgramViewsTest : public Window {
  protected:
    void show(ProgramViews::Tab tab) {
        browser().programs()->setCurrentIndex(tab);
        settle();
    }
    /// Views follow with the next events.
    static void settle() {
        for (int times = 0; times < 3; ++times) QApplication::processEvents();
    }
    FlamePage& page() { return *browser().programs()->flame(); }
    FlameView& view() { return *page().view(); }
    void clickBox(CallPathId path) {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, view().boxRect(path).center());
        settle();
    }
    void press(Qt::Key key) {
        QTest::keyClick(&view(), key);
        settle();
    }
    QString selected() { return browser().callPane()->current().data().toString(); }
};

constexpr CallPathId kMainPath(0);
constexpr CallPathId kInitPath(1);
constexpr CallPathId kSolvePath(2);
constexpr CallPathId kRecvPath(3);

}  // namespace

TEST_F(ProgramViewsTest, click_on_a_box_selects_the_call_path_everywhere) {
    show(ProgramViews::FlameTab);
    clickBox(kRecvPath);
    EXPECT_EQ(selected(), "MPI_Recv");
    EXPECT_EQ(shown(browser().systemPane(), "MPI Rank 0"), "1.0000");
    EXPECT_TRUE(view().accessibleDescription().startsWith("main / solve / MPI_Recv"));
}

TEST_F(ProgramViewsTest, arrow_keys_go_from_box_to_box) {
    show(ProgramViews::FlameTab);
    clickBox(kMainPath);
    press(Qt::Key_Down);
    EXPECT_EQ(selected(), "solve");  // the widest
    press(Qt::Key_Left);
    EXPECT_EQ(selected(), "init");
    press(Qt::Key_Left);
    EXPECT_EQ(selected(), "init");
    press(Qt::Key_Up);
    EXPECT_EQ(selected(), "main");
}

TEST_F(ProgramViewsTest, double_click_and_keys_zoom) {
    show(ProgramViews::FlameTab);
    const int narrow = view().boxRect(kSolvePath).width();
    QTest::mouseDClick(&view(), Qt::LeftButton, {}, view().boxRect(kSolvePath).center());
    settle();
    EXPECT_GT(view().boxRect(kSolvePath).width(), narrow);
    EXPECT_TRUE(view().boxRect(kInitPath).isEmpty());
    press(Qt::Key_Home);
    EXPECT_EQ(view().boxRect(kSolvePath).width(), narrow);
    clickBox(kRecvPath);
    press(Qt::Key_Return);
    EXPECT_EQ(view().boxRect(kRecvPath).width(), view().width());
    press(Qt::Key_Minus);  // to solve
    EXPECT_EQ(view().boxRect(kSolvePath).width(), view().width());
    EXPECT_LT(view().boxRect(kRecvPath).width(), view().width());
}

TEST_F(ProgramViewsTest, flame_graph_is_of_the_selected_metric_and_part_of_the_system) {
    show(ProgramViews::FlameTab);
    page().findChildren<QComboBox*>()[1]->setCurrentIndex(1);
    browser().systemPane()->reveal(named(browser().systemPane(), "MPI Rank 0"));
    settle();
    EXPECT_NEAR(view().boxRect(kInitPath).width(), view().width() * 2 / 8, 1);  // 2 of 8 s
    browser().selectMetric("mpi");
    settle();
    EXPECT_EQ(view().boxRect(kRecvPath).width(), view().width());
    EXPECT_TRUE(view().boxRect(kInitPath).isEmpty());
}

TEST_F(ProgramViewsTest, metric_that_is_no_sum_says_why_there_is_no_graph) {
    show(ProgramViews::FlameTab);
    browser().selectMetric("mpi_share");
    settle();
    EXPECT_TRUE(view().accessibleDescription().contains("cannot be added up"));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
}

TEST_F(ProgramViewsTest, colours_can_mean_the_difference_to_another_open_experiment) {
    show(ProgramViews::FlameTab);
    auto* colors = page().findChildren<QComboBox*>().front();
    EXPECT_EQ(colors->count(), 2);
    window.show("signed.cubex", std::make_shared<const holos::algebra::Experiment>(signedExperiment()));
    window.experiments().activate(std::size_t{0});
    EXPECT_EQ(colors->itemText(2), "Difference to signed.cubex");
    colors->setCurrentIndex(2);
    settle();
    clickBox(kInitPath);  // 4 s here, −4 s there
    EXPECT_TRUE(view().accessibleDescription().contains("8.000 s more than in signed.cubex"))
        << view().accessibleDescription().toStdString();
    window.experiments().close(1);
    EXPECT_EQ(colors->count(), 2);
    EXPECT_EQ(colors->currentIndex(), 0);
}

TEST_F(ProgramViewsTest, search_marks_boxes_and_says_how_much_they_have) {
    show(ProgramViews::FlameTab);
    page().searchBox()->setText("init");
    settle();
    EXPECT_TRUE(browser().programs()->calls().rows().isFound(NodeId(1)));
    page().searchBox()->clear();
    EXPECT_FALSE(browser().programs()->calls().rows().isFound(NodeId(1)));
}

TEST_F(ProgramViewsTest, callers_and_callees_are_those_of_the_selected_region) {
    browser().revealCallPath(kRecvPath);
    show(ProgramViews::CallersTab);
    const TreePane* callers = browser().programs()->butterfly()->callers();
    EXPECT_EQ(callers->model()->index(0, 0).data(), "MPI_Recv");
    EXPECT_TRUE(named(browser().programs()->butterfly()->callers(), "solve").isValid());
    browser().revealCallPath(kSolvePath);
    settle();
    EXPECT_EQ(callers->model()->index(0, 0).data(), "solve");
    EXPECT_TRUE(named(browser().programs()->butterfly()->callees(), "MPI_Recv").isValid());
}

TEST_F(ProgramViewsTest, chosen_callee_is_selected_and_the_region_stays_in_the_middle) {
    browser().revealCallPath(kSolvePath);
    show(ProgramViews::CallersTab);
    TreePane* callees = browser().programs()->butterfly()->callees();
    callees->reveal(named(callees, "MPI_Recv"));
    settle();
    EXPECT_EQ(selected(), "MPI_Recv");
    EXPECT_EQ(callees->model()->index(0, 0).data(), "solve");
    Q_EMIT callees->tree()->activated(named(callees, "MPI_Recv"));
    settle();
    EXPECT_EQ(callees->model()->index(0, 0).data(), "MPI_Recv");
}

TEST_F(ProgramViewsTest, tree_of_callees_that_gets_the_keyboard_selects_nothing) {
    browser().revealCallPath(kRecvPath);
    show(ProgramViews::CallersTab);
    const ViewState before = browser().views().state();
    QFocusEvent comes(QEvent::FocusIn, Qt::TabFocusReason);
    QApplication::sendEvent(browser().programs()->butterfly()->callees()->tree(), &comes);
    settle();
    EXPECT_EQ(browser().views().state(), before) << toText(browser().views().state()).toStdString();
}

TEST_F(ProgramViewsTest, marked_caller_has_what_the_other_panes_show) {
    browser().revealCallPath(kRecvPath);
    show(ProgramViews::CallersTab);
    const TreePane* callers = browser().programs()->butterfly()->callers();
    const TreePane* callees = browser().programs()->butterfly()->callees();
    ASSERT_EQ(callers->chosen().size(), 1);
    EXPECT_EQ(callers->current().data(TreeModel::ValueRole).toDouble(), 4.0);
    EXPECT_TRUE(callees->chosen().isEmpty());
    EXPECT_EQ(browser().systemPane()->model()->index(0, 0).data(TreeModel::ValueRole),
              callers->current().data(TreeModel::ValueRole));
}

TEST_F(ProgramViewsTest, region_put_in_the_middle_is_selected_with_all_its_calls) {
    browser().revealCallPath(kRecvPath);
    show(ProgramViews::CallersTab);
    TreePane* callers = browser().programs()->butterfly()->callers();
    const QModelIndex solve = named(callers, "solve");
    callers->reveal(solve);
    Q_EMIT callers->tree()->activated(solve);
    settle();
    EXPECT_EQ(callers->current().data(), "solve");
    EXPECT_EQ(selected(), "solve");
    callers->tree()->collapseAll();
    settle();
    EXPECT_EQ(browser().systemPane()->model()->index(0, 0).data(TreeModel::ValueRole),
              callers->model()->index(0, 0).data(TreeModel::ValueRole));
}

TEST_F(ProgramViewsTest, callees_of_another_region_are_sorted_as_those_before) {
    browser().revealCallPath(kSolvePath);
    show(ProgramViews::CallersTab);
    browser().setLargestFirst({Pane::Program});
    browser().revealCallPath(kMainPath);
    settle();
    const TreeModel* callees = browser().programs()->butterfly()->callees()->model();
    EXPECT_EQ(callees->index(0, 0, callees->index(0, 0)).data(), "solve");
}

TEST_F(ProgramViewsTest, callers_follow_the_metric_where_no_call_path_is_selected) {
    browser().revealCallPath(kRecvPath);
    show(ProgramViews::CallersTab);
    browser().callPane()->tree()->selectionModel()->clearSelection();
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    settle();
    TreePane* callers = browser().programs()->butterfly()->callers();
    callers->tree()->collapseAll();
    EXPECT_EQ(callers->model()->index(0, 0).data(TreeModel::ValueRole).toDouble(), 2.5);
}

TEST_F(ProgramViewsTest, callers_say_nothing_of_a_row_after_a_callee_is_chosen) {
    browser().revealCallPath(kSolvePath);
    show(ProgramViews::CallersTab);
    const TreePane* callers = browser().programs()->butterfly()->callers();
    const auto* foot = callers->findChild<QWidget*>("Exact value");
    EXPECT_NE(foot->accessibleName(), "");
    callers->tree()->selectionModel()->clearSelection();  // as a click with Ctrl does
    settle();
    TreePane* callees = browser().programs()->butterfly()->callees();
    callees->reveal(named(callees, "MPI_Recv"));
    settle();
    EXPECT_EQ(foot->accessibleName(), "");
}

TEST_F(ProgramViewsTest, tab_is_part_of_what_is_seen) {
    show(ProgramViews::FlameTab);
    const ViewState state = browser().views().state();
    EXPECT_TRUE(toText(state).contains("tab=flame"));
    show(ProgramViews::TreeTab);
    browser().views().restore(viewStateFrom(toText(state)));
    EXPECT_EQ(browser().programs()->currentIndex(), ProgramViews::FlameTab);
    EXPECT_THROW(viewStateFrom("tab=elsewhere"), holos::Error);
}

TEST_F(ProgramViewsTest, flame_graph_from_a_row_is_zoomed_to_it) {
    browser().revealCallPath(kSolvePath);
    for (QAction* action : browser().callPane()->tree()->actions())
        if (action->text() == "Flame graph from here") action->trigger();
    settle();
    EXPECT_EQ(browser().programs()->currentIndex(), ProgramViews::FlameTab);
    EXPECT_EQ(view().boxRect(kSolvePath).width(), view().width());
}
