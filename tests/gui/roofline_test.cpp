// SPDX-License-Identifier: BSD-3-Clause
// Call paths under the roofs: where their points are, what a click selects, what is said.
#include <QLineEdit>
#include <QTest>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/roofline_pane.h"
#include "gui/views/pictures.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/sample_experiment.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

namespace {

/// solve: 800 operations and 1600 bytes in 4 s; pack: 100 operations and 6400 bytes in 1 s.
Experiment counted() {
    Metric time;
    time.uniqueName = time.displayName = "time";
    time.unit = "sec";
    return holos::testing::SmallExperiment(1, 1)
        .metric(time, "", {{"main", {1}}, {"main/solve", {4}}, {"main/pack", {1}}})
        .counter("FP_OPERATIONS", {{"main/solve", {800}}, {"main/pack", {100}}})
        .counter("MEMORY_BYTES", {{"main/solve", {1600}}, {"main/pack", {6400}}})
        .take();
}

RooflinePane* opened(MainWindow& window, Experiment experiment) {
    window.resize(1000, 800);
    window.show("counted.cubex", std::make_shared<const Experiment>(std::move(experiment)));
    window.show();
    QApplication::processEvents();
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QApplication::processEvents();
    QApplication::processEvents();
    return window.browser()->details()->roofline();
}

}  // namespace

TEST(RooflinePane, click_selects_the_call_path_and_the_selection_is_followed) {
    MainWindow window;
    RooflinePane* pane = opened(window, counted());
    Browser& browser = *window.browser();
    EXPECT_EQ(browser.details()->opened(), "roofline");
    RooflineView* view = pane->view();
    ASSERT_EQ(view->roofline().points.size(), 2U);
    EXPECT_GT(view->radiusOf(0), view->radiusOf(1));
    EXPECT_GT(view->placeOf(0).x(), view->placeOf(1).x());
    EXPECT_LT(view->placeOf(0).y(), view->placeOf(1).y());
    EXPECT_EQ(pane->message(), "2 call paths, the larger the more time they take themselves");
    QTest::mouseClick(view, Qt::LeftButton, {}, view->placeOf(0).toPoint());
    QApplication::processEvents();
    QApplication::processEvents();
    EXPECT_EQ(browser.callPane()->current().data(), "solve");
    EXPECT_TRUE(pane->message().startsWith("solve: 80.00 % of the time here, 0.500"))
        << pane->message().toStdString();
    EXPECT_TRUE(pane->message().contains("200.00")) << pane->message().toStdString();
    QTest::keyClick(view, Qt::Key_Down);
    QApplication::processEvents();
    EXPECT_EQ(browser.callPane()->current().data(), "pack");
    QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(1, 1));  // no point there
    EXPECT_EQ(browser.callPane()->current().data(), "pack");
    EXPECT_TRUE(pane->asCsv().contains("main/solve,4,0.5,200\n")) << pane->asCsv().toStdString();
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST(RooflinePane, roofs_are_what_the_fields_say) {
    MainWindow window;
    RooflinePane* pane = opened(window, counted());
    pane->operations()->setText(u"1e3"_qs);
    EXPECT_FALSE(pane->view()->roofs().areKnown());
    pane->bandwidth()->setText(u"500"_qs);
    ASSERT_TRUE(pane->view()->roofs().areKnown());
    EXPECT_EQ(pane->view()->roofs().ridge(), 2);
    QTest::mouseMove(pane->view(), pane->view()->placeOf(0).toPoint());
    EXPECT_TRUE(pane->message().endsWith(", 80.00 % of the roof")) << pane->message().toStdString();
    pane->bandwidth()->setText(u"-"_qs);
    EXPECT_FALSE(pane->view()->roofs().areKnown());
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST(RooflinePane, experiment_without_counters_says_so) {
    MainWindow window;
    RooflinePane* pane = opened(window, holos::gui::testing::sampleExperiment());
    EXPECT_TRUE(pane->message().startsWith("The roofline model needs FP_OPERATIONS"));
    QTest::keyClick(pane->view(), Qt::Key_Down);
    QTest::mouseClick(pane->view(), Qt::LeftButton);
    EXPECT_FALSE(drawWindow(window).isNull());
}
