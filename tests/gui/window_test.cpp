// SPDX-License-Identifier: BSD-3-Clause
// The real window, driven by mouse and keys.
#include <gtest/gtest.h>

#include <QDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTreeView>

#include "gui/app/main_window.h"
#include "gui/app/options.h"
#include "gui/app/screenshot.h"
#include "gui/views/browser.h"
#include "gui/views/distribution_view.h"
#include "gui/views/findings_pane.h"
#include "gui/views/system_views.h"
#include "gui/views/topology_page.h"
#include "gui/views/topology_view.h"
#include "gui/views/tree_pane.h"
#include "metric-specs/error.h"
#include "tests/gui/sample_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

namespace {

class Window : public testing::Test {
  protected:
    void SetUp() override {
        window.resize(1000, 600);
        window.show("sample.cubex", std::make_shared<const Experiment>(test::sampleExperiment()));
        window.show();
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }

    static QModelIndex named(TreePane* pane, const QString& name) {
        const auto found = pane->model()->match(pane->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                                Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? QModelIndex() : found.front();
    }
    static void click(TreePane* pane, const QString& name, Qt::KeyboardModifiers keys = {}) {
        const QModelIndex at = named(pane, name);
        ASSERT_TRUE(at.isValid()) << name.toStdString();
        const QPoint place = pane->tree()->visualRect(at).center();
        QTest::mouseClick(pane->tree()->viewport(), Qt::LeftButton, keys, place);
    }
    /// The arrow in front of a name.
    static void clickArrow(TreePane* pane, const QString& name) {
        const QRect row = pane->tree()->visualRect(named(pane, name));
        const QPoint place(row.left() - pane->tree()->indentation() / 2, row.center().y());
        QTest::mouseClick(pane->tree()->viewport(), Qt::LeftButton, {}, place);
    }
    static QString shown(TreePane* pane, const QString& name) {
        return named(pane, name).siblingAtColumn(TreeModel::ValueColumn).data().toString();
    }

    MainWindow window;
};

}  // namespace

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
    QTest::keyClick(&window, Qt::Key_P);
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "100.00");
    EXPECT_EQ(shown(browser().callPane(), "main"), "100.00");
    QTest::keyClick(&window, Qt::Key_A);
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
}

TEST_F(Window, zeros_are_hidden_and_shown_again) {
    TreePane* calls = browser().callPane();
    QTreeView* tree = calls->tree();
    ASSERT_TRUE(browser().selectMetric("mpi"));  // all of it in MPI_Recv
    calls->expandAll();
    QTest::keyClick(&window, Qt::Key_Z);
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
    QTest::keyClick(&window, Qt::Key_Z);
    QApplication::processEvents();
    EXPECT_FALSE(tree->isRowHidden(0, named(calls, "main")));
}

TEST_F(Window, hottest_path_opens_the_trees_to_the_place) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    QTest::keyClick(&window, Qt::Key_H);
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
    EXPECT_EQ(browser().systemPane()->current().data(), "Master thread");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    EXPECT_EQ(browser().systemPane()->current().siblingAtColumn(1).data(), "2.0000");
}

TEST_F(Window, expand_and_collapse_all_change_extents) {
    browser().callPane()->tree()->setFocus();
    QTest::keyClick(&window, Qt::Key_E);
    EXPECT_EQ(shown(browser().callPane(), "solve"), "10.000");
    QTest::keyClick(&window, Qt::Key_C);
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
    QTest::keyClick(&window, Qt::Key_N);  // main is the last of four: the first again
    EXPECT_EQ(calls->current().data(), "solve");
    QTest::keyClick(&window, Qt::Key_N);
    EXPECT_EQ(calls->current().data(), "init");
    QTest::keyClick(&window, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(calls->current().data(), "solve");
}

TEST_F(Window, flat_regions_replace_the_call_tree_and_drive_the_system) {
    QTest::keyClick(&window, Qt::Key_F);
    TreePane* program = browser().callPane();
    click(program, "solve");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "10.000");
    QTest::keyClick(&window, Qt::Key_F);
    EXPECT_EQ(program->current().data(), "solve");  // stays selected
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "14.000");
}

TEST_F(Window, program_is_shown_in_every_order) {
    for (const ProgramViewText& text : programViews()) {
        browser().setProgramView(text.view);
        EXPECT_EQ(browser().programView(), text.view);
        browser().callPane()->expandAll();
        browser().callPane()->reveal(named(browser().callPane(), "solve"));
        EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "10.000") << text.name;
        const ViewState state = browser().state();
        browser().setProgramView(ProgramView::CallTree);
        browser().restore(viewStateFrom(toText(state)));
        EXPECT_EQ(browser().state(), state) << toText(state).toStdString();
    }
}

TEST_F(Window, bookmark_brings_its_view_back) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    QTest::keyClick(&window, Qt::Key_H);
    QTest::keyClick(&window, Qt::Key_P);
    const ViewState kept = browser().state();
    QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_A);
    ASSERT_TRUE(browser().selectMetric("time"));
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() != "&Bookmarks") continue;
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == u"MPI – MPI_Recv"_qs) action->trigger();
        EXPECT_EQ(menu->actions().size(), 5);  // add, it, remove, and two lines
    }
    EXPECT_EQ(browser().state(), kept);
}

TEST_F(Window, exchanged_panes_show_the_program_of_the_selected_part_of_the_system) {
    QTest::keyClick(&window, Qt::Key_X);
    TreePane* system = browser().systemPane();
    system->expandAll();
    system->reveal(named(system, "MPI Rank 1"));
    EXPECT_EQ(shown(browser().callPane(), "main"), "12.000");
    clickArrow(browser().callPane(), "main");
    click(browser().callPane(), "init");
    EXPECT_EQ(shown(system, "MPI Rank 0"), "0");  // expanded; of the whole program, not of init
    EXPECT_EQ(named(system, "MPI Rank 1").data(TreeModel::ValueRole).toDouble(), 0.0);
    QTest::keyClick(&window, Qt::Key_X);
    EXPECT_EQ(named(browser().callPane(), "init").data(TreeModel::ValueRole).toDouble(), 4.0);
}

TEST_F(Window, rerooting_shows_the_selected_call_path_alone_and_then_everything) {
    TreePane* calls = browser().callPane();
    calls->tree()->setFocus();
    clickArrow(calls, "main");
    click(calls, "solve");
    QTest::keyClick(&window, Qt::Key_R);
    EXPECT_EQ(calls->model()->index(0, 0).data(), "solve");
    EXPECT_EQ(shown(browser().systemPane(), "machine Sample"), "14.000");
    QTest::keyClick(&window, Qt::Key_R);
    EXPECT_EQ(calls->model()->index(0, 0).data(), "main");
    EXPECT_EQ(calls->current().data(), "solve");
}

TEST_F(Window, cell_of_the_topology_selects_in_the_tree_and_in_the_table) {
    SystemViews* views = browser().systemViews();
    QTest::keyClick(&window, Qt::Key_4);
    QApplication::processEvents();
    TopologyView* grid = views->topology()->view();
    const auto place = grid->placeOf(LocationId(3));
    ASSERT_TRUE(place);
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, *place);
    EXPECT_EQ(browser().systemPane()->current().data(), "OMP thread 1");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    QTest::keyClick(&window, Qt::Key_3);
    QApplication::processEvents();
    EXPECT_EQ(views->table()->currentIndex().row(), 2);  // 10, 7, 2, 1
    views->table()->selectRow(0);
    EXPECT_EQ(browser().systemPane()->current().data(), "Master thread");
    EXPECT_EQ(browser().systemPane()->current().parent().data(), "MPI Rank 1");
    QTest::keyClick(&window, Qt::Key_2);
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, bars_of_the_distribution_choose_and_arrow_keys_go_by_value) {
    QTest::keyClick(&window, Qt::Key_2);
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

TEST_F(Window, match_is_found_in_every_pane) {
    browser().findEverywhere("^MPI");
    QStringList found;
    for (int match = 0; match < 4; ++match) {
        browser().nextMatchAnywhere();
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
    browser().undo();
    browser().undo();
    EXPECT_EQ(calls->current().data(), "main");
    EXPECT_EQ(shown(calls, "main"), "20.000");
    browser().undo();  // nothing before
    browser().redo();
    browser().redo();
    browser().redo();
    EXPECT_EQ(calls->current().data(), "solve");
}

TEST_F(Window, state_brings_the_view_back_in_another_window) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    QTest::keyClick(&window, Qt::Key_H);
    QTest::keyClick(&window, Qt::Key_P);
    QTest::keyClick(&window, Qt::Key_4);
    const ViewState state = browser().state();
    MainWindow other;
    other.show("sample.cubex", std::make_shared<const Experiment>(test::sampleExperiment()));
    Options options;
    options.state = viewStateFrom(toText(state));
    options.mode = state.mode;
    applyOptions(other, options);
    EXPECT_EQ(other.browser()->state(), state);
    EXPECT_EQ(other.browser()->callPane()->current().data(), "MPI_Recv");
}

TEST_F(Window, cancelled_loading_keeps_the_open_experiment) {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.load("slow", []() -> ExperimentPtr {
        QThread::msleep(50);
        return std::make_shared<const Experiment>(test::signedExperiment());
    });
    QTest::mouseClick(window.findChild<QPushButton*>("Cancel"), Qt::LeftButton);
    ASSERT_EQ(opened.size(), 1);
    EXPECT_FALSE(opened.front().front().toBool());
    QTest::qWait(150);
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
    EXPECT_EQ(opened.size(), 1);
}

TEST_F(Window, view_is_written_as_pdf) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.pdf");
    writeView(window, path);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().startsWith("%PDF"));
}

TEST_F(Window, view_is_written_as_svg_or_says_why_not) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.svg");
    try {
        writeView(window, path);
    } catch (const holos::Error& error) {
        EXPECT_NE(std::string(error.what()).find("Qt Svg"), std::string::npos);
        EXPECT_FALSE(QFile::exists(path));
        return;
    }
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("<svg"));
    EXPECT_TRUE(text.contains(">MPI_Recv<") || text.contains("Late Sender") || text.contains("main"));
}

TEST_F(Window, dropped_file_is_opened) {
    QSignalSpy opened(&window, &MainWindow::opened);
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile("/nowhere/dropped.cubex")});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
    ASSERT_TRUE(opened.wait(5000));
    EXPECT_TRUE(window.message().contains("dropped.cubex"));
}

TEST_F(Window, bad_file_is_told_in_the_window_and_the_open_experiment_stays) {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open("/nowhere/missing.cubex");
    ASSERT_TRUE(opened.wait(5000));
    EXPECT_FALSE(opened.front().front().toBool());
    EXPECT_TRUE(window.message().contains("/nowhere/missing.cubex")) << window.message().toStdString();
    EXPECT_NE(window.browser(), nullptr);
}

TEST_F(Window, unknown_metric_is_an_error) {
    Options options;
    options.files << "sample.cubex";
    options.metric = "nothing";
    EXPECT_THROW(applyOptions(window, options), holos::Error);
}

TEST_F(Window, screenshot_has_the_size_and_many_colours) {
    window.resize(900, 500);
    const QImage picture = drawWindow(window);
    EXPECT_EQ(picture.size(), QSize(900, 500));
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
    EXPECT_GT(colours.size(), 100);
}

TEST_F(Window, picture_that_cannot_be_written_leaves_nothing) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("picture.nothing");
    EXPECT_THROW(writePicture(drawWindow(window), path), holos::Error);
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_TRUE(QDir(folder.path()).isEmpty());
}

TEST_F(Window, another_experiment_replaces_the_first) {
    window.show("signed.cubex", std::make_shared<const Experiment>(test::signedExperiment()));
    QApplication::processEvents();
    EXPECT_EQ(shown(browser().metricPane(), "Time"), u"\u22121.0000"_qs);
}

TEST_F(Window, experiment_without_metrics_shows_empty_panes) {
    Experiment empty = test::signedExperiment();
    empty.metrics = {};
    empty.severities = {};
    window.show("empty.cubex", std::make_shared<const Experiment>(std::move(empty)));
    for (const Qt::Key key : {Qt::Key_H, Qt::Key_E, Qt::Key_C, Qt::Key_P}) QTest::keyClick(&window, key);
    EXPECT_EQ(browser().metricPane()->model(), nullptr);
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, experiment_without_call_paths_and_locations_is_shown) {
    Experiment bare;
    Metric metric;
    metric.uniqueName = "time";
    bare.metrics.add(metric);
    window.show("bare.cubex", std::make_shared<const Experiment>(std::move(bare)));
    for (const Qt::Key key : {Qt::Key_H, Qt::Key_E, Qt::Key_C, Qt::Key_P}) QTest::keyClick(&window, key);
    EXPECT_EQ(browser().metricPane()->current().data(), "time");
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, values_that_cannot_be_read_are_told_in_the_window) {
    Experiment damaged = test::signedExperiment();
    damaged.severities = {};
    damaged.severities.setLoader(MetricId(0),
                                 []() -> SeverityTable { throw holos::Error("damaged values"); });
    window.show("damaged.cubex", std::make_shared<const Experiment>(std::move(damaged)));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.message() == "damaged values"; }, 5000));
    EXPECT_EQ(shown(browser().metricPane(), "Time"), QString(kUndefined));
    QTest::keyClick(&window, Qt::Key_H);
    EXPECT_EQ(browser().callPane()->current().data(), "main");
}

/// `mpi` is 4 of 4 s in main/solve/MPI_Recv and none elsewhere.
TEST_F(Window, findings_lead_to_their_call_paths) {
    EXPECT_EQ(browser().findingsPane(), nullptr);
    Experiment experiment = test::sampleExperiment();
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
