// SPDX-License-Identifier: BSD-3-Clause
// How call paths grow in runs of several sizes: the table, the curve, one selection with the panes, a folder.
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "algebra/files/cubex.h"
#include "algebra/model/call_names.h"
#include "gui/app/main_window.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/scaling_pane.h"
#include "gui/views/pictures.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/patience.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

namespace {

/// Each process is 8 s / processes in solve, 0.5 s times processes in exchange, and 1 s in main.
Experiment sized(int processes) {
    const auto all = [processes](double value) {
        return std::vector<double>(static_cast<std::size_t>(processes), value);
    };
    Metric time;
    time.uniqueName = time.displayName = "time";
    time.unit = "sec";
    return holos::testing::SmallExperiment(processes, 1)
        .metric(
            time, "",
            {{"main", all(1)}, {"main/solve", all(8.0 / processes)}, {"main/exchange", all(0.5 * processes)}})
        .counter("calls", {{"main/solve/inner", all(10)}})
        .take();
}

class ScalingWindow : public ::testing::Test {
  protected:
    /// The largest run is active.
    void open(const std::vector<int>& sizes) {
        window.resize(1400, 900);
        for (const int size : sizes)
            window.show(u"p%1.cubex"_qs.arg(size), std::make_shared<const Experiment>(sized(size)));
        window.show();
        QApplication::processEvents();
        QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
    }
    void settle() {
        QApplication::processEvents();
        ASSERT_TRUE(QTest::qWaitFor([this] { return !pane()->isBusy(); }, holos::gui::testing::kPatience));
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }
    ScalingPane* pane() { return browser().details()->scaling(); }
    QString cell(int row, int column) {
        return pane()->table()->model()->index(row, column).data().toString();
    }
    void clickRow(int row) {
        QTableView* table = pane()->table();
        const QPoint place = table->visualRect(table->model()->index(row, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
        settle();
    }

    MainWindow window;
};

}  // namespace

TEST_F(ScalingWindow, table_beginsWithWhatWillCostMost_andHasTheLaws) {
    open({2, 4, 8, 16, 32});
    EXPECT_EQ(browser().details()->opened(), "scaling");
    const QAbstractItemModelTester tester(pane()->table()->model());
    ASSERT_EQ(pane()->model().rowCount(), 3);
    EXPECT_EQ(cell(0, GrowthModel::PathColumn), "main/exchange");
    EXPECT_EQ(cell(0, GrowthModel::LawColumn), "0.5 * processes");
    EXPECT_EQ(cell(0, GrowthModel::LargestColumn), "16.000 s");
    EXPECT_EQ(cell(0, GrowthModel::PredictedColumn), "64.000 s");
    EXPECT_EQ(cell(0, GrowthModel::GrowthColumn), u"× 4"_qs);
    EXPECT_EQ(cell(1, GrowthModel::PathColumn), "main");
    EXPECT_EQ(cell(1, GrowthModel::LawColumn), "1");
    EXPECT_EQ(cell(2, GrowthModel::PathColumn), "main/solve");
    EXPECT_EQ(cell(2, GrowthModel::LawColumn), "8 * processes^-1");
    EXPECT_EQ(pane()->model().headerData(GrowthModel::PredictedColumn, Qt::Horizontal, Qt::DisplayRole),
              "Predicted, 128");
    EXPECT_TRUE(pane()->asCsv().startsWith("Call path,")) << pane()->asCsv().toStdString();
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(ScalingWindow, clickInTheTable_selectsTheCallPath_andPanesSelectTheRow) {
    open({2, 4, 8, 16, 32});
    clickRow(2);
    EXPECT_EQ(browser().callPane()->current().data(), "solve");
    EXPECT_TRUE(pane()->message().startsWith("solve: 8 * processes^-1; ")) << pane()->message().toStdString();
    ASSERT_EQ(pane()->view()->curves().curves.size(), 1U);
    const auto& measured = pane()->view()->curves().curves.front().measured;
    ASSERT_EQ(measured.size(), 5U);
    EXPECT_DOUBLE_EQ(measured.front().y, 4);
    EXPECT_DOUBLE_EQ(measured.back().y, 0.25);
    QTest::mouseMove(pane()->view(), pane()->view()->placeOf(std::size_t{1}).toPoint());
    EXPECT_TRUE(pane()->message().contains("measured with 4 processes")) << pane()->message().toStdString();
    browser().revealCallPath(*callPathNamed(browser().experiment(), "main/exchange"));
    settle();
    EXPECT_EQ(pane()->table()->currentIndex().row(), 0);
    EXPECT_TRUE(pane()->view()->accessibleDescription().startsWith("exchange: 0.5 * processes; "));
}

TEST_F(ScalingWindow, metricOfThePanes_isThatOfTheTable) {
    open({2, 4, 8, 16});
    ASSERT_TRUE(browser().selectMetric(u"calls"_qs));
    settle();
    ASSERT_EQ(pane()->model().rowCount(), 1);
    EXPECT_EQ(cell(0, GrowthModel::LawColumn), "10");
    browser().revealCallPath(*callPathNamed(browser().experiment(), "main/solve"));
    settle();
    EXPECT_TRUE(pane()->message().startsWith("solve with all that it calls: 10; "))
        << pane()->message().toStdString();
    EXPECT_EQ(pane()->view()->curves().curves.size(), 1U);
    ASSERT_TRUE(browser().selectMetric(u"time"_qs));
    settle();
    EXPECT_EQ(pane()->model().rowCount(), 3);
}

TEST_F(ScalingWindow, sizeToPredict_isThatOfTheField) {
    open({2, 4, 8, 16});
    pane()->size()->setText(u"1024"_qs);
    settle();
    EXPECT_EQ(cell(0, GrowthModel::PredictedColumn), "512.00 s");
    pane()->size()->setText(u"many"_qs);
    settle();
    EXPECT_EQ(cell(0, GrowthModel::PredictedColumn), "32.000 s");
}

TEST_F(ScalingWindow, tooFewSizes_areSaidSo) {
    open({2, 4, 8});
    EXPECT_EQ(pane()->model().rowCount(), 0);
    EXPECT_TRUE(pane()->message().contains("at least 4")) << pane()->message().toStdString();
    window.show(u"p64.cubex"_qs, std::make_shared<const Experiment>(sized(64)));
    browser().details()->open(u"scaling"_qs);
    settle();
    EXPECT_EQ(pane()->model().rowCount(), 3);
}

TEST_F(ScalingWindow, oneExperiment_asksForMore) {
    open({4});
    EXPECT_EQ(pane()->message(), "Open experiments of runs of different sizes to see how call paths grow");
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(ScalingWindow, folderOfAStudy_opensAllRuns) {
    const QTemporaryDir folder;
    for (const int size : {2, 4, 8, 16}) {
        const std::filesystem::path run =
            std::filesystem::path(folder.path().toStdString()) / ("size-" + std::to_string(size)) / "run-1";
        std::filesystem::create_directories(run);
        writeCubex(sized(size), run / "analysis.cubex");
    }
    bool isOpen = false;
    QObject::connect(&window, &MainWindow::allOpened, &window, [&isOpen] { isOpen = true; });
    window.open(folder.path());
    ASSERT_TRUE(QTest::qWaitFor([&isOpen] { return isOpen; }, holos::gui::testing::kPatience));
    ASSERT_EQ(window.experiments().all().size(), 4U);
    EXPECT_EQ(window.experiments().active()->name, "size-2/run-1/analysis.cubex");
    browser().details()->open(u"scaling"_qs);
    settle();
    EXPECT_EQ(pane()->model().rowCount(), 3);
}
