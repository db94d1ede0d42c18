// SPDX-License-Identifier: BSD-3-Clause
// Several experiments in one window: switching, side by side, the algebra, the table.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include "algebra/files/cubex.h"
#include "gui/app/main_window.h"
#include "gui/experiments/open_experiments.h"
#include "gui/models/comparison_model.h"
#include "gui/models/counterpart.h"
#include "gui/models/file_names.h"
#include "gui/models/tree_model.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/comparison_pane.h"
#include "gui/views/details/summary_pane.h"
#include "gui/views/filter_bar.h"
#include "gui/views/pane_layout.h"
#include "gui/views/parts/colors.h"
#include "gui/views/pictures.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/patience.h"
#include "tests/gui/sample_experiment.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;
using holos::gui::testing::shared;

namespace {

/// The sample without `init`'s 4 s: init is not called.
Experiment withoutInit() {
    Experiment experiment = holos::gui::testing::sampleExperiment();
    experiment.regions[1].name = "setup";
    return experiment;
}

/// A window with the sample (active) and the signed experiment, of which time is −1 s altogether.
class Experiments : public ::testing::Test {
  protected:
    void SetUp() override {
        window.resize(1300, 700);
        window.show("signed.cubex", shared(holos::gui::testing::signedExperiment()));
        window.show("sample.cubex", shared(holos::gui::testing::sampleExperiment()));
        window.show();
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }
    static QString shownTime(Browser& browser) {
        return browser.metricPane()->model()->index(0, TreeModel::ValueColumn).data().toString();
    }
    /// The entry of a menu below Experiments, as a user opens it.
    QAction* entry(const QString& menu, const QString& text) {
        for (QMenu* below : window.menuBar()->findChildren<QMenu*>()) {
            if (below->title() != menu) continue;
            Q_EMIT below->aboutToShow();
            for (QAction* action : below->actions())
                if (action->text() == text) return action;
        }
        return nullptr;
    }

    MainWindow window;
};

}  // namespace

TEST_F(Experiments, equal_ends_of_paths_have_different_names) {
    window.show("one/run/analysis.cubex", shared(holos::gui::testing::sampleExperiment()));
    EXPECT_EQ(window.windowTitle(), u"run/analysis.cubex – Holos"_qs);
    window.show("two/run/analysis.cubex", shared(holos::gui::testing::sampleExperiment()));
    EXPECT_EQ(window.windowTitle(), u"two/run/analysis.cubex – Holos"_qs);
    const auto* tabs = window.findChild<QTabBar*>(u"Experiments"_qs);
    ASSERT_NE(tabs, nullptr);
    ASSERT_EQ(tabs->count(), 4);
    EXPECT_EQ(tabs->tabText(2), "one/run/analysis.cubex");
    EXPECT_EQ(tabs->tabText(3), "two/run/analysis.cubex");
    window.experiments().close(2);
    EXPECT_EQ(tabs->tabText(2), "run/analysis.cubex");
    EXPECT_EQ(window.windowTitle(), u"run/analysis.cubex – Holos"_qs);
}

TEST_F(Experiments, keys_switch_between_those_that_are_open) {
    EXPECT_EQ(window.experiments().all().size(), 2U);
    EXPECT_EQ(shownTime(browser()), "20.000");
    QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(shownTime(browser()), u"\u22121.0000"_qs);
    EXPECT_EQ(window.windowTitle(), u"signed.cubex – Holos"_qs);
    QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(shownTime(browser()), "20.000");
}

TEST_F(Experiments, each_keeps_what_was_selected_in_it) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    window.experiments().activate(0);
    window.experiments().activate(1);
    EXPECT_EQ(browser().metricPane()->current().data(), "MPI");
}

TEST_F(Experiments, closing_leaves_the_others_and_at_last_an_empty_window) {
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    ASSERT_EQ(window.experiments().all().size(), 1U);
    EXPECT_EQ(shownTime(browser()), u"\u22121.0000"_qs);
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(window.browser(), nullptr);
    for (const Qt::Key key : {Qt::Key_H, Qt::Key_B, Qt::Key_M, Qt::Key_R})
        QTest::keyClick(&window, key, Qt::ControlModifier);
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Experiments, same_file_is_opened_once) {
    window.show("signed.cubex", shared(holos::gui::testing::signedExperiment()));
    EXPECT_EQ(window.experiments().all().size(), 2U);
    EXPECT_EQ(shownTime(browser()), u"\u22121.0000"_qs);
}

TEST_F(Experiments, side_by_side_share_one_selection) {
    QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
    ASSERT_TRUE(window.experiments().isSideBySide());
    Browser& right = browser();
    Browser* left = nullptr;
    for (Browser* each : window.findChildren<Browser*>())
        if (each != &right) left = each;
    ASSERT_NE(left, nullptr);
    EXPECT_TRUE(left->isVisible());
    EXPECT_EQ(right.paneLayout()->title(), "sample.cubex");
    EXPECT_EQ(left->paneLayout()->title(), "signed.cubex");
    for (Browser* each : {left, &right}) {  // one scale: up to the 20 s of the sample, and down to as much
        EXPECT_DOUBLE_EQ(each->metricPane()->model()->scale().rangeOf(NodeId(0)).to, 20.0);
        EXPECT_DOUBLE_EQ(each->callPane()->model()->scale().rangeOf(NodeId(0)).from, -20.0);
        EXPECT_EQ(shownTime(*each), each == left ? u"\u22121.000"_qs : u"20.000"_qs);
    }
    TreePane* calls = right.callPane();
    calls->reveal(calls->model()->indexOf(NodeId(2)));
    EXPECT_EQ(left->callPane()->current().data(), "solve");
    left->callPane()->reveal(left->callPane()->model()->indexOf(NodeId(1)));
    EXPECT_EQ(right.callPane()->current().data(), "init");
    EXPECT_EQ(window.browser(), left);  // where somebody selects becomes active
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(right.selection().mode(), ValueMode::Percent);
    QTest::keyClick(&window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
    EXPECT_FALSE(right.isVisible());
    EXPECT_EQ(left->paneLayout()->title(), QString());
    EXPECT_DOUBLE_EQ(std::abs(left->metricPane()->model()->scale().rangeOf(NodeId(0)).to),
                     1.0);  // its own again
}

TEST_F(Experiments, difference_to_an_open_one_is_opened_as_a_third) {
    QAction* action = entry("Difference to", "signed.cubex");
    ASSERT_NE(action, nullptr);
    QSignalSpy opened(&window, &MainWindow::opened);
    action->trigger();
    ASSERT_TRUE(opened.wait(10000));
    EXPECT_EQ(window.experiments().all().size(), 3U);
    EXPECT_EQ(shownTime(browser()), "21.000");  // 20 less −1
}

/// As `holos diff` says it: the sentences were made, and nobody saw them.
TEST_F(Experiments, difference_of_runs_says_in_its_summary_what_is_different) {
    const auto open = [this](double seconds, const QString& name) {
        holos::testing::SmallExperiment build(2, 1);
        build.metric(holos::testing::seconds("time"), "",
                     {{"main", {1, 1}}, {"main/solve", {seconds, seconds}}});
        build.counter("visits", {{"main", {1, 1}}, {"main/solve", {10 * seconds, 10 * seconds}}});
        window.show(name, std::make_shared<const holos::algebra::Experiment>(build.take()));
    };
    open(4, "after.cubex");
    open(2, "before.cubex");
    QAction* action = entry("Difference to", "after.cubex");
    ASSERT_NE(action, nullptr);
    QSignalSpy opened(&window, &MainWindow::opened);
    action->trigger();
    ASSERT_TRUE(opened.wait(10000));
    browser().details()->open("summary");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !browser().details()->isBusy(); }, kPatience));
    const QString text = browser().details()->summary()->text()->toPlainText();
    EXPECT_TRUE(text.startsWith("after.cubex is 67 % slower than before.cubex, because main › solve"))
        << text.toStdString();
}

TEST_F(Experiments, mean_and_merge_work_from_their_menus) {
    for (const auto& [menu, expected] :
         {std::pair{u"Mean with"_qs, u"9.5000"_qs}, std::pair{u"Merge with"_qs, u"9.5000"_qs}}) {
        window.experiments().activate(1);
        QAction* action = entry(menu, "signed.cubex");
        ASSERT_NE(action, nullptr);
        QSignalSpy opened(&window, &MainWindow::opened);
        action->trigger();
        ASSERT_TRUE(opened.wait(10000));
        EXPECT_EQ(shownTime(browser()), expected) << menu.toStdString();  // the mean of 20 and −1
    }
}

TEST_F(Experiments, cut_to_the_selected_region_is_opened_as_a_third) {
    browser().callPane()->reveal(browser().callPane()->model()->indexOf(NodeId(2)));  // solve
    QAction* action = entry("Cut", "Cut to the selected region");
    ASSERT_NE(action, nullptr);
    QSignalSpy opened(&window, &MainWindow::opened);
    action->trigger();
    ASSERT_TRUE(opened.wait(10000));
    EXPECT_EQ(window.experiments().all().size(), 3U);
    EXPECT_EQ(shownTime(browser()), "14.000");
    EXPECT_EQ(browser().callPane()->model()->index(0, 0).data(), "solve");
}

TEST_F(Experiments, cutting_folds_regions_and_small_call_paths_into_their_callers) {
    browser().callPane()->reveal(browser().callPane()->model()->indexOf(NodeId(2)));
    for (const char* name :
         {"Cut the selected region into its callers", "Cut small call paths into their callers"}) {
        window.experiments().activate(1);
        QSignalSpy opened(&window, &MainWindow::opened);
        entry("Cut", name)->trigger();
        ASSERT_TRUE(opened.wait(10000)) << name;
        EXPECT_EQ(shownTime(browser()), "20.000");
    }
    EXPECT_EQ(window.experiments().all().size(), 4U);
}

TEST_F(Experiments, several_files_are_opened_and_the_first_is_active) {
    const QTemporaryDir folder;
    const QStringList files{folder.filePath("a.cubex"), folder.filePath("missing.cubex"),
                            folder.filePath("b.cubex")};
    writeCubex(holos::gui::testing::sampleExperiment(), files[0].toStdString());
    writeCubex(holos::gui::testing::signedExperiment(), files[2].toStdString());
    QSignalSpy all(&window, &MainWindow::allOpened);
    window.open(files);
    ASSERT_TRUE(all.wait(20000));
    EXPECT_EQ(window.experiments().all().size(), 4U);
    EXPECT_EQ(window.windowTitle(), u"a.cubex – Holos"_qs);
    EXPECT_TRUE(window.message().contains("missing.cubex"));
}

TEST_F(Experiments, table_has_a_column_each_and_follows_the_selection) {
    QTest::keyClick(&window, Qt::Key_M, Qt::ControlModifier);
    QApplication::processEvents();
    const ComparisonModel& model = browser().details()->comparison()->model();
    ASSERT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole), "sample.cubex");
    EXPECT_EQ(model.index(0, 1).data(), "20.000");
    EXPECT_EQ(model.index(0, 2).data(), u"\u22121.000"_qs);
    browser().callPane()->reveal(browser().callPane()->model()->indexOf(NodeId(2)));
    QApplication::processEvents();
    EXPECT_EQ(model.index(0, 1).data(), "14.000");
    EXPECT_EQ(model.index(0, 2).data(), "2.000");
    browser().details()->comparison()->table()->selectRow(2);
    EXPECT_EQ(browser().metricPane()->current().data(), "Late Sender");
}

/// Where the bar of a value that is the largest of its row begins.
TEST(ComparisonTable, each_column_has_bars) {
    const Colors colors;
    ComparisonPane pane(colors);
    pane.setExperiments({{u"one"_qs, shared(holos::gui::testing::sampleExperiment()), {}},
                         {u"two"_qs, shared(holos::gui::testing::sampleExperiment()), {}}});
    pane.resize(900, 400);
    pane.show();
    QApplication::processEvents();
    const auto* table = pane.findChild<QTableView*>();
    const QImage picture = table->viewport()->grab().toImage();
    const auto colorOf = [&](int column) {
        const QRect cell = table->visualRect(table->model()->index(0, column));
        return picture.pixelColor(cell.left() + 9, cell.center().y());
    };
    EXPECT_EQ(colorOf(2), colorOf(1));
    EXPECT_NE(colorOf(2), table->palette().color(QPalette::Base));
}

TEST(ComparisonModel, keeps_the_rules_and_leaves_undefined_what_is_missing) {
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const ExperimentPtr sample = shared(holos::gui::testing::sampleExperiment());
    model.setExperiments({{"sample", sample}, {"other", shared(withoutInit())}});
    model.setCallPath(CallPathId(1));  // init
    EXPECT_EQ(model.index(0, 1).data(), "4.0000");
    EXPECT_EQ(model.index(0, 2).data(), QString(kUndefined));
    model.setCallPath(std::nullopt);
    const int share = model.rowOf(*sample->findMetric("mpi_share"));
    EXPECT_EQ(model.index(share, 1).data(), "0.200");  // of the sums, 4 of 20 s
}

TEST(ComparisonModel, table_has_all_digits) {
    ComparisonModel model;
    model.setExperiments({{"a \"b\"", shared(holos::gui::testing::sampleExperiment())}});
    const QStringList lines = model.asCsv().split(u'\n');
    EXPECT_EQ(lines[0], "metric,name,unit,\"a \"\"b\"\"\"");
    EXPECT_EQ(lines[1], "time,Time,sec,20");
    EXPECT_TRUE(lines.contains("group,Group,occ,"));
}

TEST(ComparisonModel, same_call_path_is_found_by_names) {
    const Experiment a = holos::gui::testing::sampleExperiment();
    EXPECT_EQ(sameCallPath(a, CallPathId(3), withoutInit()), CallPathId(3));
    EXPECT_FALSE(sameCallPath(a, CallPathId(1), withoutInit()).has_value());
}

TEST(ComparisonModel, same_call_path_is_the_one_that_is_called_there) {
    const auto calledAt = [](Experiment& experiment, const char* file, std::int64_t line) {
        experiment.callTree[CallPathId(3)].module = file;
        experiment.callTree[CallPathId(3)].line = line;
    };
    Experiment a = holos::gui::testing::sampleExperiment(), b = holos::gui::testing::sampleExperiment();
    calledAt(a, "/b/solve.c", 20);
    const CallPathId added = b.callTree.add(a.callTree[CallPathId(3)], b.callTree.parent(CallPathId(3)));
    calledAt(a, "/a/solve.c", 20);
    calledAt(b, "/b/solve.c", 10);
    EXPECT_EQ(sameCallPath(a, CallPathId(3), b), added);
    EXPECT_EQ(sameCallPath(b, CallPathId(3), a), CallPathId(3));  // the line has moved
}

TEST(ExperimentNames, file_that_says_enough_stands_alone) {
    EXPECT_EQ(experimentNames({"/runs/a/small.cubex", "/runs/a/large.cubex"}),
              (QStringList{"small.cubex", "large.cubex"}));
}

TEST(ExperimentNames, result_of_a_command_has_its_folder) {
    EXPECT_EQ(experimentNames({"/runs/before/analysis.cubex"}), QStringList{"before/analysis.cubex"});
    EXPECT_EQ(experimentNames({"/analysis.cubex"}), QStringList{"analysis.cubex"});
}

TEST(ExperimentNames, equal_ends_grow_until_they_differ) {
    EXPECT_EQ(experimentNames({"/x/one/run/analysis.cubex", "/x/two/run/analysis.cubex", "/x/two/c.cubex"}),
              (QStringList{"one/run/analysis.cubex", "two/run/analysis.cubex", "c.cubex"}));
    EXPECT_EQ(experimentNames({"/a/x.cubex", "/b/x.cubex"}), (QStringList{"a/x.cubex", "b/x.cubex"}));
}

TEST(ExperimentNames, end_of_another_path_is_the_whole_path) {
    EXPECT_EQ(experimentNames({"/run/x.cubex", "/home/run/x.cubex"}),
              (QStringList{"/run/x.cubex", "home/run/x.cubex"}));
}

TEST(ExperimentNames, what_was_computed_has_the_names_of_both) {
    const QString difference = u"a/analysis.cubex – difference to b/analysis.cubex"_qs;
    EXPECT_EQ(experimentNames({"/runs/a/analysis.cubex", difference}),
              (QStringList{"a/analysis.cubex", difference}));
}

TEST(ExperimentNames, same_path_twice_ends) {
    EXPECT_EQ(experimentNames({"/a/x.cubex", "/a/x.cubex"}), (QStringList{"/a/x.cubex", "/a/x.cubex"}));
}

class ShownExperiments : public Experiments {
  protected:
    void SetUp() override {
        Experiments::SetUp();
        window.show("third.cubex", shared(holos::gui::testing::sampleExperiment()));
        QApplication::processEvents();
    }
    QStringList columns() {
        QStringList names;
        const QAbstractItemModel& table = *browser().details()->comparison()->table()->model();
        for (int column = 1; column < table.columnCount(); ++column)
            names << table.headerData(column, Qt::Horizontal).toString();
        return names;
    }
    QString bar() { return browser().filterBar()->text(); }
    void wantThose(const QStringList& names) {
        Filter filter = browser().filter();
        filter.experiments = names;
        Q_EMIT browser().partWanted(filter);
        QApplication::processEvents();
    }
};

TEST_F(ShownExperiments, are_those_that_tabs_tables_and_links_have) {
    ASSERT_EQ(columns().size(), 3);
    wantThose({"sample.cubex", "signed.cubex"});
    EXPECT_EQ(window.windowTitle(), u"signed.cubex – Holos"_qs) << "the active one was left out";
    EXPECT_EQ(columns(), QStringList({"signed.cubex", "sample.cubex"}));
    EXPECT_EQ(bar(), "All views show only signed.cubex and sample.cubex");
    const auto* tabs = window.findChild<QTabBar*>(u"Experiments"_qs);
    EXPECT_FALSE(tabs->isTabVisible(2));
    window.experiments().activateNext();
    EXPECT_EQ(window.windowTitle(), u"sample.cubex – Holos"_qs);
    window.experiments().activateNext();
    EXPECT_EQ(window.windowTitle(), u"signed.cubex – Holos"_qs) << "and not the third";
    const QString link = toText(browser().views().state());
    EXPECT_TRUE(link.contains("only-experiment=signed.cubex")) << link.toStdString();
    wantThose({});
    EXPECT_EQ(columns().size(), 3);
    EXPECT_EQ(bar(), QString());
    EXPECT_TRUE(tabs->isTabVisible(2));
    browser().views().restore(viewStateFrom(link));
    QApplication::processEvents();
    EXPECT_EQ(columns(), QStringList({"signed.cubex", "sample.cubex"}));
}

TEST_F(ShownExperiments, hold_together_with_other_parts_and_are_removed_alone) {
    wantThose({"third.cubex", "sample.cubex"});
    browser().systemPane()->reveal(browser().systemPane()->model()->index(0, 0));
    Filter filter = browser().filter();
    filter.regions = {"MPI_Recv"};
    Q_EMIT browser().partWanted(filter);
    QApplication::processEvents();
    EXPECT_EQ(bar(), "All views show only calls of MPI_Recv (without callees), sample.cubex and third.cubex");
    EXPECT_EQ(shownTime(browser()), "4.0000");
    Q_EMIT browser().filterBar()->wanted(without(browser().filter(), FilterPart::Experiments));
    QApplication::processEvents();
    EXPECT_EQ(bar(), "All views show only calls of MPI_Recv (without callees)");
    EXPECT_EQ(columns().size(), 3);
    EXPECT_EQ(shownTime(browser()), "4.0000");
}

TEST_F(ShownExperiments, that_are_opened_or_activated_are_shown_and_closed_ones_leave_no_empty_window) {
    wantThose({"sample.cubex"});
    EXPECT_EQ(columns(), QStringList("sample.cubex"));
    window.show("fourth.cubex", shared(holos::gui::testing::sampleExperiment()));
    EXPECT_EQ(columns(), QStringList({"fourth.cubex", "sample.cubex"}));
    window.experiments().activate("signed.cubex");
    EXPECT_EQ(columns(), QStringList({"signed.cubex", "sample.cubex", "fourth.cubex"}));
    wantThose({"sample.cubex"});
    window.experiments().closeActive();
    ASSERT_NE(window.browser(), nullptr);
    EXPECT_EQ(bar(), QString()) << "all that are left";
    EXPECT_EQ(columns().size(), 3);
}

TEST_F(ShownExperiments, that_are_not_open_are_named_and_views_stay) {
    browser().views().restore(viewStateFrom("only-experiment=nowhere.cubex"));
    QApplication::processEvents();
    EXPECT_TRUE(window.message().contains("nowhere.cubex")) << window.message().toStdString();
    EXPECT_EQ(columns().size(), 3);
    entry(u"Shown in all views"_qs, u"third.cubex"_qs)->trigger();
    EXPECT_EQ(columns(), QStringList({"signed.cubex", "sample.cubex"}));
}
