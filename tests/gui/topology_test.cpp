// SPDX-License-Identifier: BSD-3-Clause
// The topology in the window, driven by mouse and keys.
#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include "base/error.h"
#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/pictures.h"
#include "gui/views/system_views.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/topology/topology_view.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/topology_samples.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

class TopologyWindow : public ::testing::Test {
  protected:
    void open(Experiment experiment) {
        window.resize(1200, 700);
        window.show("torus.cubex", std::make_shared<const Experiment>(std::move(experiment)));
        window.show();
        QApplication::processEvents();
        QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
        page().setGrid(1);
        QApplication::processEvents();
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }
    TopologyPage& page() { return *browser().systemViews()->topology(); }
    TopologyView& view() { return *page().view(); }
    void click(std::size_t location) {
        const auto place = view().placeOf(LocationId(location));
        ASSERT_TRUE(place);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, *place);
    }
    QString selected() { return browser().views().state().system; }

    MainWindow window;
};

}  // namespace

TEST_F(TopologyWindow, click_selects_in_every_view_and_says_where_that_is) {
    open(torus());
    click(3);
    EXPECT_EQ(browser().systemPane()->current().data(), "OMP thread 1");
    QApplication::processEvents();
    EXPECT_EQ(view().selectedText(), "x = 1, y = 0, z = 1: MPI Rank 1, OMP thread 1, 2.000 s");
    page().toggleStacked();
    QApplication::processEvents();
    EXPECT_FALSE(drawWindow(window).isNull());
    click(0);
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 0");
    EXPECT_EQ(view().textAt(*view().placeOf(LocationId(2))),
              "x = 0, y = 0, z = 2: MPI Rank 1, Master thread, 10.000 s");
}

TEST_F(TopologyWindow, cell_of_a_process_selects_the_process) {
    Experiment experiment = standing({{"x", 2, false}}, {});
    experiment.topologies[0].coordinates = {{ProcessId(0), {1}}, {ProcessId(1), {0}}};
    open(std::move(experiment));
    click(2);
    EXPECT_EQ(browser().systemPane()->current().data(), "MPI Rank 1");
    QApplication::processEvents();
    EXPECT_EQ(view().selectedText(), "x = 0: MPI Rank 1, 12.000 s");
}

TEST_F(TopologyWindow, tool_tip_tells_where_a_thread_ran_and_that_nobody_is_there) {
    Experiment experiment = torus();
    experiment.system.locations[3].attributes = {{"may use", "0-3"}, {"migrations", "2"}};
    open(std::move(experiment));
    EXPECT_EQ(view().toolTipAt(*view().placeOf(LocationId(3))),
              "x = 1, y = 0, z = 1: MPI Rank 1, OMP thread 1, 2.000 s\nmay use: 0-3\nmigrations: 2");
    const QPoint empty =
        *view().placeOf(LocationId(3)) - (*view().placeOf(LocationId(1)) - *view().placeOf(LocationId(0)));
    EXPECT_EQ(view().toolTipAt(empty), "x = 0, y = 0, z = 1: nobody");
    const QModelIndex row = browser().systemViews()->tree()->model()->indexOf(NodeId(0));
    EXPECT_FALSE(row.data(Qt::ToolTipRole).toString().contains("migrations"));
    browser().systemViews()->reveal(LocationId(3));
    EXPECT_TRUE(
        browser().systemPane()->current().data(Qt::ToolTipRole).toString().contains("\nmigrations: 2\n"));
}

TEST_F(TopologyWindow, cells_and_scale_have_the_mode_of_the_panes) {
    open(torus());  // 7, 1, 10 and 2 of 20 s
    click(3);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QApplication::processEvents();
    EXPECT_EQ(view().selectedText(), "x = 1, y = 0, z = 1: MPI Rank 1, OMP thread 1, 10.00 %");
    ASSERT_TRUE(view().range());
    EXPECT_EQ(view().range()->format.text(view().range()->from), "5.00 %");
    EXPECT_EQ(view().range()->format.text(view().range()->to), "50.00 %");
    QTest::keyClick(&window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QApplication::processEvents();
    EXPECT_EQ(view().range()->format.text(view().range()->to), "10.000 s");
}

TEST_F(TopologyWindow, arrow_keys_go_to_the_next_place_where_somebody_is) {
    open(torus());
    click(0);  // (0, 0, 0)
    QApplication::processEvents();
    QTest::keyClick(&view(), Qt::Key_Right);
    EXPECT_EQ(browser().systemPane()->current().data(), "OMP thread 1");  // (1, 0, 0)
    QApplication::processEvents();
    QTest::keyClick(&view(), Qt::Key_PageUp);
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");  // (1, 0, 1)
    QApplication::processEvents();
    QTest::keyClick(&view(), Qt::Key_Down);  // y has one place only
    QTest::keyClick(&view(), Qt::Key_PageUp);
    EXPECT_EQ(view().selectedText(), "x = 1, y = 0, z = 1: MPI Rank 1, OMP thread 1, 2.000 s");
}

TEST_F(TopologyWindow, keys_turn_exchange_and_stack) {
    open(torus());
    QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(toText(view().view()), "1.2.0");
    QTest::keyClick(&window, Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(toText(view().view()), "2.1.0");
    QTest::keyClick(&window, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(view().view().stacked);
    const int turned = view().view().turned;
    QTest::keyClick(&view(), Qt::Key_Left, Qt::ShiftModifier);
    QTest::keyClick(&view(), Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(view().view().turned, turned + 15);
    EXPECT_EQ(view().view().tilted, 15);
    QTest::keyClick(&view(), Qt::Key_Home);
    EXPECT_EQ(view().view().turned, turned);
}

TEST_F(TopologyWindow, dragging_turns_a_stack_and_selects_nothing) {
    open(torus());
    page().toggleStacked();
    QApplication::processEvents();
    const QString before = selected();
    const int turned = view().view().turned;
    const QPoint place = *view().placeOf(LocationId(3));
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, place);
    QTest::mouseMove(view().viewport(), place + QPoint(40, 20));
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, place + QPoint(40, 20));
    EXPECT_EQ(view().view().turned, turned - 20);
    EXPECT_EQ(view().view().tilted, 40);
    EXPECT_EQ(selected(), before);
}

TEST_F(TopologyWindow, menus_of_the_axes_choose_dimensions_and_directions) {
    open(torus());
    const auto choose = [this](int axis, const QString& text) {
        auto* button = page().findChild<QToolButton*>(u"axis %1"_qs.arg(axis));
        ASSERT_NE(button, nullptr);
        for (QAction* action : button->menu()->actions())
            if (action->text() == text) action->trigger();
        QApplication::processEvents();
    };
    choose(0, "z (3)");
    EXPECT_EQ(toText(view().view()), "2.1.0");
    choose(2, "Mirrored");
    EXPECT_EQ(toText(view().view()), "2.1.0r");
    EXPECT_EQ(page().findChild<QToolButton*>("axis 0")->text(), u"→ z"_qs);
    EXPECT_EQ(page().findChild<QToolButton*>("axis 2")->text(), u"↙ x"_qs);
}

TEST_F(TopologyWindow, slices_show_one_place_of_a_dimension) {
    open(torus());
    page().findChild<QSpinBox*>("slice 2")->setValue(2);
    EXPECT_EQ(view().planes().planes.size(), 1U);
    EXPECT_FALSE(view().placeOf(LocationId(0)));
    EXPECT_TRUE(view().placeOf(LocationId(2)));
    QTest::keyClick(&view(), Qt::Key_PageUp, Qt::ControlModifier);  // behind the last one: all
    EXPECT_EQ(view().planes().planes.size(), 3U);
    QTest::keyClick(&view(), Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(page().findChild<QSpinBox*>("slice 2")->value(), 0);
}

TEST_F(TopologyWindow, zoom_makes_cells_larger_around_the_pointer) {
    open(torus());
    const QPoint before = *view().placeOf(LocationId(0));
    view().zoom(16.0, before);
    const QPoint after = *view().placeOf(LocationId(0));
    EXPECT_LT((after - before).manhattanLength(), 40);
    const int most = view().verticalScrollBar()->maximum();
    QTest::keyClick(&view(), Qt::Key_Plus);
    EXPECT_GT(view().verticalScrollBar()->maximum(), most);
    QTest::keyClick(&view(), Qt::Key_Home);
    EXPECT_EQ(*view().placeOf(LocationId(0)), before);
}

TEST_F(TopologyWindow, state_brings_the_side_back) {
    open(torus());
    page().turn();
    page().toggleStacked();
    const ViewState state = browser().views().state();
    EXPECT_EQ(state.topology, "1/1.2.0/-30.30");
    page().restore({});
    EXPECT_TRUE(browser().views().state().topology.isEmpty());
    browser().views().restore(viewStateFrom(toText(state)));
    EXPECT_EQ(browser().views().state(), state);
    page().restore(viewStateFrom("topology=1").topology);  // the usual side
    EXPECT_EQ(browser().views().state().topology, "1/0.1.2");
    page().restore("7/0.1");  // of another experiment
    EXPECT_TRUE(browser().views().state().topology.isEmpty());
    EXPECT_THROW(viewStateFrom("topology=x"), holos::Error);
}

TEST_F(TopologyWindow, selected_machine_part_is_framed_as_a_whole) {
    open(torus());
    browser().systemPane()->reveal(browser().systemPane()->model()->index(0, 0));
    QApplication::processEvents();
    EXPECT_TRUE(view().selectedText().isEmpty());
    EXPECT_FALSE(drawWindow(window).isNull());
}
