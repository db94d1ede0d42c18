// SPDX-License-Identifier: BSD-3-Clause
// One experiment in other orders, from other sides, and brought back.
#include <QDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>

#include "gui/app/options.h"
#include "gui/views/details/metric_texts.h"
#include "gui/views/distribution_view.h"
#include "gui/views/pictures.h"
#include "gui/views/system_views.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/topology/topology_view.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST_F(Window, flat_regions_replace_the_call_tree_and_drive_the_system) {
    QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
    TreePane* program = browser().callPane();
    click(program, "solve");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "10.000");
    QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
    EXPECT_EQ(program->current().data(), "solve");  // stays selected
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "14.000");
}

TEST_F(Window, program_is_shown_in_every_order) {
    for (const ProgramViewText& text : programViews()) {
        browser().setProgramView(text.value);
        EXPECT_EQ(browser().programView(), text.value);
        browser().callPane()->expandAll();
        browser().callPane()->reveal(named(browser().callPane(), "solve"));
        EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "10.000") << text.name;
        const ViewState state = browser().views().state();
        browser().setProgramView(ProgramView::CallTree);
        browser().views().restore(viewStateFrom(toText(state)));
        EXPECT_EQ(browser().views().state(), state) << toText(state).toStdString();
    }
}

/// Time of the sample is 20 s, its table 7, 1, 10 and 2 s.
TEST_F(Window, chosen_digits_are_those_of_every_pane_and_come_back) {
    const auto trigger = [this](const QString& digits) {
        for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
            if (menu->title() != "Digits") continue;
            Q_EMIT menu->aboutToShow();
            for (QAction* action : menu->actions())
                if (action->text() == digits) action->trigger();
        }
        QApplication::processEvents();
    };
    trigger("7");
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.00000");
    EXPECT_EQ(shown(browser().callPane(), "main"), "20.00000");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "20.00000");
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QApplication::processEvents();
    const QAbstractItemModel* table = browser().systemViews()->table()->model();
    EXPECT_EQ(table->index(0, LocationModel::ValueColumn).data(), "10.00000 s");
    EXPECT_EQ(table->index(0, LocationModel::DeviationColumn).data(), "100.0000 %");
    browser().setProgramView(ProgramView::Regions);  // made only now
    EXPECT_EQ(shown(browser().callPane(), "solve"), "10.00000");
    const ViewState state = browser().views().state();
    EXPECT_EQ(state.digits, 7);
    trigger("Automatic");
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
    browser().views().restore(viewStateFrom(toText(state)));
    EXPECT_EQ(browser().views().state(), state);
}

TEST_F(Window, bookmark_brings_its_view_back) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    const ViewState kept = browser().views().state();
    QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(browser().selectMetric("time"));
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() != "&Bookmarks") continue;
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == u"MPI – MPI_Recv"_qs) action->trigger();
        EXPECT_EQ(menu->actions().size(), 5);  // add, it, remove, and two lines
    }
    EXPECT_EQ(browser().views().state(), kept);
}

TEST_F(Window, note_at_a_call_path_has_a_flag_and_is_listed_and_found_by_the_menu) {
    browser().setNotes({{"main/solve", "twice as long\nas before"}, {"main/gone", "of another version"}});
    TreePane* calls = browser().callPane();
    clickArrow(calls, "main");
    const QModelIndex solve = named(calls, "solve");
    EXPECT_EQ(solve.data(TreeModel::ShownNameRole), "solve ⚑");
    EXPECT_TRUE(solve.data(Qt::ToolTipRole).toString().contains("as before"));
    EXPECT_EQ(named(calls, "init").data(TreeModel::ShownNameRole), "init");
    click(calls, "init");
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() != "&Bookmarks") continue;
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == u"solve: twice as long as before"_qs) action->trigger();
    }
    EXPECT_EQ(calls->current(), solve);
    EXPECT_EQ(browser().notes().size(), 2U) << "what this experiment does not have is kept";
}

TEST_F(Window, note_is_written_changed_and_removed_by_its_dialog) {
    TreePane* calls = browser().callPane();
    clickArrow(calls, "main");
    click(calls, "solve");
    QSignalSpy changed(&browser(), &Browser::notesChanged);
    const auto answer = [&](const QString& text) {
        QTimer::singleShot(0, &window, [text] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            dialog->setTextValue(text);
            dialog->accept();
        });
        browser().editNote();
    };
    answer("slow");
    EXPECT_EQ(browser().notes(), PathNotes({{"main/solve", "slow"}}));
    answer("slower");
    EXPECT_EQ(browser().notes(), PathNotes({{"main/solve", "slower"}}));
    answer("");
    EXPECT_TRUE(browser().notes().empty());
    EXPECT_EQ(changed.count(), 3);
}

TEST_F(Window, exchanged_panes_show_the_program_of_the_selected_part_of_the_system) {
    QTest::keyClick(&window, Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    TreePane* system = browser().systemPane();
    system->expandAll();
    system->reveal(named(system, "MPI Rank 1"));
    EXPECT_EQ(shown(browser().callPane(), "main"), "12.000");
    clickArrow(browser().callPane(), "main");
    click(browser().callPane(), "init");
    EXPECT_EQ(shown(system, "MPI Rank 0"), "0");  // expanded; of the whole program, not of init
    EXPECT_EQ(named(system, "MPI Rank 1").data(TreeModel::ValueRole).toDouble(), 0.0);
    QTest::keyClick(&window, Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(named(browser().callPane(), "init").data(TreeModel::ValueRole).toDouble(), 4.0);
}

TEST_F(Window, rerooting_shows_the_selected_call_path_alone_and_then_everything) {
    TreePane* calls = browser().callPane();
    calls->tree()->setFocus();
    clickArrow(calls, "main");
    click(calls, "solve");
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    EXPECT_EQ(calls->model()->index(0, 0).data(), "solve");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "14.000");
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    EXPECT_EQ(calls->model()->index(0, 0).data(), "main");
    EXPECT_EQ(calls->current().data(), "solve");
}

TEST_F(Window, cell_of_the_topology_selects_in_the_tree_and_in_the_table) {
    SystemViews* views = browser().systemViews();
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    QApplication::processEvents();
    TopologyView* grid = views->topology()->view();
    const auto place = grid->placeOf(LocationId(3));
    ASSERT_TRUE(place);
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, *place);
    EXPECT_EQ(browser().systemPane()->current().data(), "OMP thread 1");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QApplication::processEvents();
    EXPECT_EQ(views->table()->currentIndex().row(), 2);  // 10, 7, 2, 1
    views->table()->selectRow(0);
    EXPECT_EQ(browser().systemPane()->current().data(), "Master thread");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, bars_of_the_distribution_choose_and_arrow_keys_go_by_value) {
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QApplication::processEvents();
    DistributionView* view = browser().systemViews()->distribution();
    ASSERT_EQ(view->bins(), 4U);  // of 7, 1, 10, 2: two in the first
    QTest::mouseClick(view, Qt::LeftButton, {}, view->barRect(3).center().toPoint());
    EXPECT_EQ(browser().systemPane()->current().siblingAtColumn(1).data(), "10.000");
    QApplication::processEvents();
    QTest::keyClick(view, Qt::Key_Left);
    EXPECT_EQ(browser().systemPane()->current().siblingAtColumn(1).data(), "7.000");
    const auto first = [&] {
        QApplication::processEvents();
        QTest::mouseClick(view, Qt::LeftButton, {}, view->barRect(0).center().toPoint());
        return browser().systemPane()->current().siblingAtColumn(1).data().toString();
    };
    EXPECT_EQ(first(), "1.000");
    EXPECT_EQ(first(), "2.000");
    EXPECT_EQ(first(), "1.000");
}

TEST_F(Window, keys_are_listed_in_a_window_beside) {
    QTest::keyClick(&window, Qt::Key_F1);
    auto* keys = window.findChild<QDialog*>("Keys");
    ASSERT_NE(keys, nullptr);
    EXPECT_FALSE(keys->isModal());
    const auto* table = keys->findChild<QTableWidget*>();
    ASSERT_NE(table, nullptr);
    EXPECT_GT(table->rowCount(), 40);
    EXPECT_EQ(table->findItems("Hottest path", Qt::MatchStartsWith).size(), 1);
    QTest::keyClick(keys, Qt::Key_Escape);
}

TEST_F(Window, state_brings_the_view_back_in_another_window) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    const ViewState state = browser().views().state();
    MainWindow other;
    other.show("sample.cubex", std::make_shared<const Experiment>(sampleExperiment()));
    Options options;
    options.state = viewStateFrom(toText(state));
    options.mode = state.mode;
    applyOptions(other, options);
    EXPECT_EQ(other.browser()->views().state(), state);
    EXPECT_EQ(other.browser()->callPane()->current().data(), "MPI_Recv");
}

/// `mpi` is 4 of 4 s in main/solve/MPI_Recv and none elsewhere.
TEST_F(Window, findings_lead_to_their_call_paths) {
    EXPECT_EQ(browser().findingsPane(), nullptr);
    Experiment experiment = sampleExperiment();
    experiment.files[kSpecificationFile] =
        "finding WAITS = mpi > 0.5 * time\ndescribe WAITS \"Mostly MPI\" \"Send less.\"\n"
        "finding OTHER = tlb > 1\ndescribe OTHER \"Other\"\n";
    window.show("findings.cubex", std::make_shared<const Experiment>(std::move(experiment)));
    FindingsPane* pane = browser().findingsPane();
    ASSERT_NE(pane, nullptr);
    auto* tabs = qobject_cast<QTabWidget*>(pane->parentWidget()->parentWidget());
    ASSERT_NE(tabs, nullptr);
    tabs->setCurrentWidget(pane);
    QApplication::processEvents();
    pane->wait();
    QApplication::processEvents();
    const QString text = pane->toPlainText();
    EXPECT_TRUE(text.contains(u"Mostly MPI, in 20.0 % of the time"_qs)) << text.toStdString();
    EXPECT_TRUE(text.contains(u"main/solve/MPI_Recv"_qs)) << text.toStdString();
    EXPECT_TRUE(text.contains(u"Not known: Other: without tlb"_qs)) << text.toStdString();
    Q_EMIT pane->anchorClicked(QUrl(u"callpath:3"_qs));
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
}
