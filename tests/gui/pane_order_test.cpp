// SPDX-License-Identifier: BSD-3-Clause
// Panes in any order: each shows what is selected left of it.
#include "gui/models/selection.h"
#include "gui/views/view_keeper.h"

#include <QMenuBar>
#include <QSplitter>

#include "gui/app/options.h"
#include "gui/models/view_state.h"
#include "gui/views/system_views.h"
#include "tests/gui/model_fixture.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

constexpr PaneOrder kMetricsLast{Pane::Program, Pane::System, Pane::Metrics};

/// Of the whole, solve has 14 of 20 s of time: 4 and 1 s in rank 0, 7 and 2 s in rank 1. In rank 1, 3 s of
/// that are MPI, all of it in MPI_Recv, and 2 s of these Late Sender.
class MetricsLast : public Window {
  protected:
    void SetUp() override {
        Window::SetUp();
        browser().setOrder(kMetricsLast);
        clickArrow(browser().callPane(), "main");
        click(browser().callPane(), "solve");
        browser().systemPane()->reveal(Window::named(browser().systemPane(), "MPI Rank 1"));
        QApplication::processEvents();
    }
    QString inMetrics(const QString& name) { return shown(browser().metricPane(), name); }
};

}  // namespace

TEST(PaneOrders, are_six_and_found_again_by_their_names) {
    const auto orders = paneOrders();
    ASSERT_EQ(orders.size(), 6U);
    EXPECT_EQ(orders.front(), kUsualOrder);
    for (const PaneOrder& order : orders) EXPECT_EQ(paneOrderNamed(nameOf(order)), order);
    EXPECT_EQ(nameOf(kMetricsLast), "call.system.metric");
    EXPECT_EQ(titleOf(kMetricsLast), "Call paths, system, metrics");
    EXPECT_FALSE(paneOrderNamed("call.system"));
}

TEST_F(Models, context_of_a_pane_is_what_is_selected_left_of_it) {
    Selection selection;
    selection.setMetric(chosen("mpi", Extent::Exclusive));
    selection.setCallPaths({{CallPathId(2), Extent::Inclusive}});
    selection.setLocations({LocationId(3)});
    const Context last = contextOf(Pane::Metrics, kMetricsLast, selection, cache);
    EXPECT_EQ(last.paths, selection.callPaths());
    EXPECT_EQ(last.locations, selection.locations());
    const Context first = contextOf(Pane::Program, kMetricsLast, selection, cache);
    EXPECT_EQ(first, (Context{chosen("time")}));  // the root of MPI's hierarchy
    selection.setCallPaths({{CallPathId(0), Extent::Inclusive}});
    EXPECT_TRUE(contextOf(Pane::Metrics, kMetricsLast, selection, cache).paths.isAll());  // main, all of it
    selection.setCallPaths({{CallPathId(0), Extent::Exclusive}});
    EXPECT_FALSE(contextOf(Pane::Metrics, kMetricsLast, selection, cache).paths.isAll());
    const Context usual = contextOf(Pane::Program, kUsualOrder, selection, cache);
    EXPECT_EQ(usual, (Context{chosen("mpi", Extent::Exclusive)}));
}

TEST_F(Models, metrics_of_a_part_of_the_program_and_of_the_system) {
    metrics.setContext({{calls.pathAt(named(calls, "solve")), Extent::Inclusive}},
                       {LocationId(2), LocationId(3)});
    metrics.setAllExpanded(true);
    EXPECT_DOUBLE_EQ(value(metrics, "Time"), 6.0);
    EXPECT_DOUBLE_EQ(value(metrics, "MPI"), 1.0);
    EXPECT_DOUBLE_EQ(value(metrics, "Late Sender"), 2.0);
    EXPECT_DOUBLE_EQ(value(metrics, "~stalls"), 200.0);
    EXPECT_DOUBLE_EQ(value(metrics, "Inside"), 0.0);
    EXPECT_EQ(text(metrics, "MPI share"), "0.333");  // 3 of 9
    metrics.setMode(ValueMode::Percent);
    EXPECT_EQ(text(metrics, "Late Sender"), "22.22");  // 2 of 9
    metrics.setMode(ValueMode::OfRoot);
    EXPECT_EQ(text(metrics, "Late Sender"), "10.00");  // 2 of 20
    metrics.setContext(holos::kAll, holos::kAll);
    EXPECT_EQ(text(metrics, "Late Sender"), "12.50");
}

TEST_F(Models, metrics_below_one_without_values_are_percentages_of_themselves) {
    metrics.setMode(ValueMode::Percent);
    EXPECT_EQ(text(metrics, "Group"), "");
    EXPECT_EQ(text(metrics, "Inside"), "100.00");
}

TEST_F(MetricsLast, metrics_are_those_of_the_selected_call_path_and_process) {
    EXPECT_EQ(inMetrics("Time"), "9.0000");
    clickArrow(browser().metricPane(), "Time");
    EXPECT_EQ(inMetrics("Time"), "6.0000");
    EXPECT_EQ(inMetrics("MPI"), "3.0000");
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(inMetrics("MPI"), "33.33");
}

TEST_F(MetricsLast, panes_left_of_the_metrics_do_not_depend_on_them) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    EXPECT_EQ(shown(browser().callPane(), "solve"), "14.000");
    EXPECT_EQ(shown(browser().systemPane(), "MPI Rank 1"), "9.0000");
    ASSERT_TRUE(browser().selectMetric("STALLS"));  // another hierarchy: another quantity
    EXPECT_EQ(shown(browser().callPane(), "solve"), "400");
    EXPECT_EQ(shown(browser().systemPane(), "MPI Rank 1"), "200");
}

TEST_F(MetricsLast, panes_stand_in_their_order) {
    const auto left = [this](const TreePane* pane) { return pane->mapTo(&window, QPoint()).x(); };
    EXPECT_LT(left(browser().callPane()), left(browser().systemPane()));
    EXPECT_LT(left(browser().systemPane()), left(browser().metricPane()));
    QTest::keyClick(&window, Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QApplication::processEvents();
    EXPECT_EQ(nameOf(browser().order()), "call.metric.system");
    EXPECT_LT(left(browser().metricPane()), left(browser().systemPane()));
    EXPECT_EQ(inMetrics("Time"), "14.000");  // of solve in all processes
}

TEST_F(MetricsLast, menu_chooses_an_order_and_undo_takes_it_back) {
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() != "Order of panes") continue;
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            EXPECT_EQ(action->isChecked(), action->text() == titleOf(kMetricsLast));
            if (action->text() == titleOf(kUsualOrder)) action->trigger();
        }
    }
    QApplication::processEvents();
    EXPECT_EQ(browser().order(), kUsualOrder);
    EXPECT_EQ(inMetrics("Time"), "20.000");
    browser().views().undo();
    EXPECT_EQ(browser().order(), kMetricsLast);
    EXPECT_EQ(inMetrics("Time"), "9.0000");
    browser().views().redo();
    EXPECT_EQ(browser().order(), kUsualOrder);
}

TEST_F(MetricsLast, state_brings_the_order_back_in_another_window) {
    const ViewState state = browser().views().state();
    MainWindow other;
    other.show("sample.cubex", std::make_shared<const Experiment>(sampleExperiment()));
    Options options;
    options.state = viewStateFrom(toText(state));
    applyOptions(other, options);
    EXPECT_EQ(other.browser()->views().state(), state);
    EXPECT_EQ(shown(other.browser()->metricPane(), "Time"), "9.0000");
}

/// Rank 1 has 12 of the 20 s, 9 of them in solve.
TEST_F(Window, every_order_shows_the_parts_that_are_selected_left) {
    for (const PaneOrder& order : paneOrders()) {
        browser().setOrder(order);
        browser().callPane()->reveal(Window::named(browser().callPane(), "solve"));
        browser().systemPane()->reveal(Window::named(browser().systemPane(), "MPI Rank 1"));
        const bool programFirst = isLeftOf(Pane::Program, Pane::System, order);
        EXPECT_EQ(shown(browser().callPane(), "solve"), programFirst ? "14.000" : "9.0000");
        EXPECT_EQ(shown(browser().systemPane(), "MPI Rank 1"), programFirst ? "9.0000" : "12.000");
        const bool both = order.back() == Pane::Metrics;
        const QString time = both                                            ? u"9.0000"_qs
                             : order.front() == Pane::Metrics                ? u"20.000"_qs
                             : isLeftOf(Pane::Program, Pane::Metrics, order) ? u"14.000"_qs
                                                                             : u"12.000"_qs;
        EXPECT_EQ(shown(browser().metricPane(), "Time"), time) << nameOf(order).toStdString();
    }
}
