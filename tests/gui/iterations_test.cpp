// SPDX-License-Identifier: BSD-3-Clause
// The iterations of runs whose times are known by construction. A tick is a millisecond.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>

#include "algebra/files/cubex.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "gui/app/main_window.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/summary_pane.h"
#include "gui/views/filter_bar.h"
#include "gui/views/iterations/iteration_chart.h"
#include "gui/views/iterations/iterations_pane.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/patience.h"
#include "tests/support/loop_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::gui::testing {
namespace {

using holos::testing::Tick;
using holos::testing::TraceBuilder;

/// Iterations of 70 ms; the seventh works for `slowWork` instead of 40 ms.
void writeLoop(const std::filesystem::path& folder, Tick slowWork) {
    TraceBuilder trace(2);
    holos::testing::tellLoop(trace, 40, slowWork);
    trace.write(folder);
}

class IterationViews : public ::testing::Test {
  protected:
    IterationViews() {
        window.resize(1300, 800);
        open("before", 40);
        open("after", 100);
        window.show();
        QApplication::processEvents();
    }
    void open(const char* name, Tick slowWork) {
        writeLoop(directory.path() / name, slowWork);
        openWritten(name);
    }
    void openWritten(const char* name) {
        const auto folder = directory.path() / name;
        algebra::Experiment analyzed = analyzer::analyze(folder).experiment;
        algebra::setProvenance(analyzed, {"analyze", {}, {}, {}});
        const auto experiment = std::make_shared<const algebra::Experiment>(std::move(analyzed));
        algebra::writeCubex(*experiment, (folder / "analysis.cubex").string());
        window.show(QString::fromStdString((folder / "analysis.cubex").string()), experiment);
    }
    Browser& browser() { return *window.browser(); }
    IterationsPane& pane() { return *browser().details()->iterations(); }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !browser().details()->isBusy(); }, kPatience));
    }
    void look() {
        browser().details()->open(u"iterations"_qs);
        settle();
    }
    QString cell(int row, const char* heading) {
        const auto& model = *pane().table()->model();
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.headerData(column, Qt::Horizontal).toString() == QLatin1String(heading))
                return model.index(row, column).data().toString();
        return u"no such column"_qs;
    }
    /// Where it is painted, wholly in sight.
    QPoint placeOf(int row) {
        const QModelIndex at = pane().table()->model()->index(row, 1);
        pane().table()->scrollTo(at, QAbstractItemView::PositionAtTop);
        QApplication::processEvents();
        return pane().table()->visualRect(at).center();
    }
    void waitForRange(bool isThere) {
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return browser().filter().range.has_value() == isThere; }, kPatience));
        settle();
    }

    holos::testing::TemporaryDirectory directory;
    MainWindow window;
};

TEST_F(IterationViews, eachIteration_isARowWithItsTimeAndWaits) {
    look();
    ASSERT_EQ(pane().model().rowCount(), 10) << pane().message().toStdString();
    EXPECT_EQ(cell(0, "Time"), u"70.00 ms"_qs);
    EXPECT_EQ(cell(0, "Waits"), u"27.50 ms"_qs);
    EXPECT_EQ(cell(6, "Begins"), momentText(0.1 + 6 * 0.07));
    EXPECT_EQ(cell(6, "Time"), u"130.00 ms"_qs);
    EXPECT_EQ(cell(6, "Difference"), u"+60.00 ms"_qs);
    EXPECT_TRUE(cell(6, "Because of").contains(u"main/step/work +0.03 s"_qs))
        << cell(6, "Because of").toStdString();
    EXPECT_EQ(cell(5, "Because of"), QString());
    EXPECT_TRUE(pane().message().contains(u"10 iterations of main/step"_qs))
        << pane().message().toStdString();
    EXPECT_TRUE(pane().message().contains(u"1 differs"_qs)) << pane().message().toStdString();
}

TEST_F(IterationViews, model_isOneThatViewsCanTrust) {
    IterationModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.text(), QString());
    auto own = std::make_shared<KnownIterations>();
    own->times = {.loop = "main/step", .seconds = {1, 1, 3}, .parts = {}};
    own->times.begins = {0, 1, 2};
    own->times.end = 5;
    auto other = std::make_shared<KnownIterations>();
    other->times = {.loop = "main/step", .seconds = {1, 1}, .parts = {}};
    model.setRuns(own, nullptr, {});
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.rowsOf({2, 5}), (IterationRows{2, 2}));
    EXPECT_EQ(model.rowsOf({0, 2}), (IterationRows{0, 1}));
    EXPECT_TRUE(model.rowsOf({2, 4}).isEmpty());
    EXPECT_TRUE(model.rowsOf({2, 1}).isEmpty());
    EXPECT_EQ(model.range({0, 1}), (PartOfTime{0, 2, IterationNumbers{1, 2}}));
    EXPECT_EQ(model.range({1, 2}), (PartOfTime{1, 5, IterationNumbers{2, 3}}));
    const int columns = model.columnCount();
    model.setRuns(own, other, u"old"_qs);
    EXPECT_EQ(model.columnCount(), columns + 1);
    EXPECT_FALSE(model.other(2));
    EXPECT_TRUE(model.textOf(2).contains(u"old has no such iteration"_qs));
    EXPECT_TRUE(model.text().contains(u"3 iterations here and 2 in old"_qs)) << model.text().toStdString();
    model.setRuns(nullptr, other, u"old"_qs);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(IterationViews, click_saysWhyItIsLongerAndSelectsItsTimeInTheTimeline) {
    look();
    QTest::mouseClick(pane().table()->viewport(), Qt::LeftButton, {}, placeOf(6));
    EXPECT_TRUE(pane().selectedText().startsWith(u"Iteration 7: 130"_qs))
        << pane().selectedText().toStdString();
    EXPECT_TRUE(pane().selectedText().contains(u"longer than the median, because"_qs))
        << pane().selectedText().toStdString();
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{6, 6}));
    EXPECT_FALSE(browser().filter().range);
    browser().details()->open(u"timeline"_qs);
    settle();
    const auto state = browser().details()->timeline()->state();
    ASSERT_TRUE(state.range);
    EXPECT_NEAR(state.fromSeconds, 0.52, 1e-9);
    EXPECT_NEAR(state.toSeconds, 0.65, 1e-9);
}

TEST_F(IterationViews, doubleClick_showsItAloneInAllViewsAndItStaysSelected) {
    look();
    const QPoint place = placeOf(6);
    QTest::mouseClick(pane().table()->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(pane().table()->viewport(), Qt::LeftButton, {}, place);
    waitForRange(true);
    EXPECT_NEAR(browser().filter().range->from, 0.52, 1e-9);
    EXPECT_NEAR(browser().filter().range->to, 0.65, 1e-9);
    EXPECT_EQ(browser().details()->opened(), u"iterations"_qs);
    EXPECT_EQ(pane().model().rowCount(), 10) << pane().message().toStdString();
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{6, 6}));
}

TEST_F(IterationViews, keys_goFromBarToBarAndShowOneAlone) {
    look();
    pane().chart()->setFocus();
    QTest::keyClick(pane().chart(), Qt::Key_End);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{9, 9}));
    QTest::keyClick(pane().chart(), Qt::Key_Left);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{8, 8}));
    EXPECT_TRUE(pane().chart()->accessibleDescription().startsWith(u"Iteration 9"_qs));
    EXPECT_EQ(pane().table()->currentIndex().row(), 8);
    QTest::keyClick(pane().chart(), Qt::Key_Return);
    waitForRange(true);
    EXPECT_NEAR(browser().filter().range->from, 0.1 + 8 * 0.07 + 0.06, 1e-9);
}

TEST_F(IterationViews, barsAreAsHighAsIterationsAreLong) {
    look();
    const IterationChart& chart = *pane().chart();
    EXPECT_NEAR(chart.barRect(0).height() / chart.barRect(6).height(), 70.0 / 130.0, 1e-9);
    QTest::mouseClick(pane().chart(), Qt::LeftButton, {}, chart.barRect(6).center().toPoint());
    EXPECT_EQ(chart.selected(), (IterationRows{6, 6}));
}

TEST_F(IterationViews, draggingOverBars_selectsAllOfThem) {
    look();
    const auto middle = [this](int row) { return pane().chart()->barRect(row).center().toPoint(); };
    QTest::mousePress(pane().chart(), Qt::LeftButton, {}, middle(5));
    for (const int row : {4, 3, 2}) {
        QMouseEvent move(QEvent::MouseMove, QPointF(middle(row)),
                         QPointF(pane().chart()->mapToGlobal(middle(row))), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(pane().chart(), &move);
    }
    QTest::mouseRelease(pane().chart(), Qt::LeftButton, {}, middle(2));
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 5}));
    EXPECT_EQ(pane().table()->selectionModel()->selectedRows().size(), 4);
    EXPECT_TRUE(pane().selectedText().startsWith(u"Iterations 3 to 6: 280"_qs))
        << pane().selectedText().toStdString();
    EXPECT_TRUE(pane().selectedText().contains(u"on average 70"_qs)) << pane().selectedText().toStdString();
    EXPECT_EQ(pane().only()->text(), u"Only these iterations"_qs);
    browser().details()->open(u"timeline"_qs);
    settle();
    const auto state = browser().details()->timeline()->state();
    EXPECT_NEAR(state.fromSeconds, 0.24, 1e-9);
    EXPECT_NEAR(state.toSeconds, 0.52, 1e-9);
}

TEST_F(IterationViews, severalShownAlone_areNamedInTheBarAndInLinks) {
    look();
    pane().chart()->setFocus();
    for (const auto& [key, held] : {std::pair{Qt::Key_Home, Qt::NoModifier},
                                    {Qt::Key_Right, Qt::NoModifier},
                                    {Qt::Key_Right, Qt::ShiftModifier},
                                    {Qt::Key_Right, Qt::ShiftModifier}})
        QTest::keyClick(pane().chart(), key, held);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{1, 3}));
    QTest::keyClick(pane().chart(), Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{1, 2}));
    QTest::keyClick(pane().chart(), Qt::Key_Return);
    waitForRange(true);
    EXPECT_EQ(browser().filterBar()->text(), u"All views show only iterations 2 to 3 (0.17 s to 0.31 s)"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{1, 2}));
    const QString link = toText(browser().views().state());
    EXPECT_EQ(viewStateFrom(link).filter, browser().filter()) << link.toStdString();
}

TEST_F(IterationViews, clickWithShift_selectsFromTheOneBefore) {
    look();
    const auto click = [this](int row, Qt::KeyboardModifiers held) {
        QTest::mouseClick(pane().chart(), Qt::LeftButton, held,
                          pane().chart()->barRect(row).center().toPoint());
    };
    click(7, {});
    click(4, Qt::ShiftModifier);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{4, 7}));
    click(9, Qt::ShiftModifier);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{7, 9}));
    click(2, {});
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 2}));
}

TEST_F(IterationViews, rowsOfTheTableThatDoNotFollowEachOther_bringThoseBetweenThem) {
    look();
    QTest::mouseClick(pane().table()->viewport(), Qt::LeftButton, {}, placeOf(1));
    QTest::mouseClick(pane().table()->viewport(), Qt::LeftButton, Qt::ControlModifier, placeOf(4));
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{1, 4}));
    EXPECT_EQ(pane().table()->selectionModel()->selectedRows().size(), 4);
}

TEST_F(IterationViews, besideAnotherRun_iterationsAreComparedByNumbersAndLinksKeepIt) {
    look();
    ASSERT_EQ(pane().others()->count(), 2);
    pane().others()->setCurrentIndex(1);
    Q_EMIT pane().others()->activated(1);
    settle();
    ASSERT_TRUE(pane().model().isOfTwo()) << pane().message().toStdString();
    EXPECT_EQ(cell(6, "Difference"), u"+60.00 ms"_qs);
    EXPECT_FALSE(cell(0, "Difference").contains(u'+'));
    const QString link = toText(browser().views().state());
    EXPECT_TRUE(link.contains(u"beside="_qs)) << link.toStdString();
    EXPECT_EQ(viewStateFrom(link), browser().views().state());
    pane().setAgainst({});
    settle();
    EXPECT_FALSE(pane().model().isOfTwo());
    browser().views().restore(viewStateFrom(link));
    settle();
    EXPECT_TRUE(pane().model().isOfTwo());
}

TEST_F(IterationViews, traceIsReadOnceForAllPanes) {
    look();
    IterationReader reader;
    const auto read = [&](const OpenRun& run) {
        QSignalSpy spy(&reader, &IterationReader::read);
        reader.want(run);
        EXPECT_TRUE(spy.wait(kPatience));
        return reader.find(run.path);
    };
    const auto folder = directory.path() / "after";
    const OpenRun run{u"after"_qs, QString::fromStdString((folder / "analysis.cubex").string()),
                      window.experiments().active()->experiment};
    const auto first = read(run);
    ASSERT_TRUE(first && first->problem.isEmpty());
    EXPECT_EQ(read(run), first);
    for (const char* part : {"traces", "traces.def", "traces.otf2"})
        std::filesystem::remove_all(folder / part);
    writeLoop(folder, 80);
    const auto second = read(run);
    ASSERT_TRUE(second);
    EXPECT_NE(second, first);
    EXPECT_NEAR(second->times.seconds.at(6), 0.11, 1e-9);
}

TEST_F(IterationViews, stoppedReading_isSaidAndCanBeTakenUpAgain) {
    browser().details()->open(u"iterations"_qs);
    pane().follow({});
    ASSERT_TRUE(pane().isBusy());
    QTest::mouseClick(pane().stop(), Qt::LeftButton);
    settle();
    EXPECT_EQ(pane().message(), u"Stopped"_qs);
    EXPECT_EQ(pane().stop()->text(), u"Read again"_qs);
    QTest::mouseClick(pane().stop(), Qt::LeftButton);
    settle();
    EXPECT_EQ(pane().model().rowCount(), 10) << pane().message().toStdString();
}

TEST_F(IterationViews, differenceToAnOpenRun_saysWhichIterationsChanged) {
    QAction* others = nullptr;
    for (QAction* action : window.findChildren<QAction*>())
        if (action->menu() != nullptr && action->text() == u"Difference to"_qs) others = action;
    ASSERT_NE(others, nullptr);
    Q_EMIT others->menu()->aboutToShow();
    QSignalSpy opened(&window, &MainWindow::opened);
    others->menu()->actions().front()->trigger();
    ASSERT_TRUE(opened.wait(kPatience));
    browser().details()->open(u"summary"_qs);
    settle();
    const QString text = browser().details()->summary()->text()->toPlainText();
    EXPECT_TRUE(text.contains(u"10 iterations of main/step took 0.07 s each"_qs)) << text.toStdString();
    EXPECT_TRUE(text.contains(u"Iteration 7 took"_qs)) << text.toStdString();
}

TEST_F(IterationViews, runWithoutALoop_saysSo) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) trace.on(rank).enter(0, "main").leave(50);
    trace.write(directory.path() / "flat");
    openWritten("flat");
    look();
    EXPECT_TRUE(pane().message().contains(u"no loop is found"_qs)) << pane().message().toStdString();
    EXPECT_EQ(pane().model().rowCount(), 0);
    EXPECT_FALSE(pane().only()->isEnabled());
}

}  // namespace
}  // namespace holos::gui::testing
