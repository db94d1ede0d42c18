// SPDX-License-Identifier: BSD-3-Clause
// The timeline over a trace with an answer known by construction.
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "algebra/operators/history/provenance.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/filter_bar.h"
#include "gui/views/parts/copying.h"
#include "gui/views/pictures.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_comparison.h"
#include "gui/views/timeline/timeline_find_box.h"
#include "gui/views/timeline/timeline_legend.h"
#include "gui/views/timeline/timeline_overview.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/timeline_fixture.h"
#include "tests/support/severity_lookup.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::testing;
using holos::algebra::Experiment;

namespace {
class Timeline : public ShownTimeline {
  protected:
    /// All panes show these milliseconds alone.
    void showOnly(const TimeRange& range) {
        const Experiment* before = &browser().experiment();
        view().setRange(range);
        pane().rangeBar()->only()->click();
        ASSERT_TRUE(QTest::qWaitFor([&] { return &browser().experiment() != before; }, kPatience));
        ASSERT_TRUE(QTest::qWaitFor([&] { return view().range().has_value(); }, kPatience));
        settle();
    }
    /// A row of the call tree by its names from the root.
    void selectCall(const QString& key) {
        const TreeModel& calls = *browser().callPane()->model();
        const auto node = calls.rows().withKey(key);
        ASSERT_TRUE(node.has_value()) << key.toStdString();
        browser().callPane()->reveal(calls.indexOf(*node));
        settle();
    }
    void selectThread(int row) {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().lineRect(row).center());
        settle();
    }
};
}  // namespace

TEST_F(Timeline, instances_of_a_metric_are_listed_from_long_to_short) {
    InstanceModel model(*experiment);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setMetric(*experiment->findMetric("time"));
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, InstanceModel::WaitColumn).data(), "5.0000 ms");
    EXPECT_EQ(model.index(0, InstanceModel::CallPathColumn).data(), "MPI_Recv");
    EXPECT_EQ(model.index(1, InstanceModel::WaitColumn).data(), "3.0000 ms");
    const auto path = model.callPathOf(model.at(1));
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(model.rowOf(*path), 1);
    EXPECT_EQ(experiment->regionOf(*experiment->callTree.parent(*path)).name, "f");
}

TEST_F(Timeline, trace_is_found_beside_the_experiment) {
    const QString file = QString::fromStdString((directory.path() / "analysis.cubex").string());
    EXPECT_EQ(tracesOf(*experiment, file).size(), 1);
    EXPECT_TRUE(tracesOf(*experiment, "/nowhere/a.cubex").isEmpty());
    EXPECT_EQ(tracesOf(*experiment, QString::fromStdString(directory.path().string())),
              tracesOf(*experiment, file))
        << "as a run that was watched has it";
}

TEST_F(Timeline, opens_around_the_longest_wait_of_the_selected_call_path) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    browser().expandHottest();
    open();
    EXPECT_EQ(view().from(), 15);  // as much before and after as the wait of 5 ms takes
    EXPECT_EQ(view().to(), 30);
    ASSERT_NE(view().picture(), nullptr);
    EXPECT_EQ(view().picture()->rows.size(), 2U);
    EXPECT_EQ(view().picture()->messages.size(), 1U);
    EXPECT_TRUE(pane().message().contains("1 message")) << pane().message().toStdString();
}

TEST_F(Timeline, keys_show_the_whole_run_and_zoom) {
    open();
    QTest::keyClick(&view(), Qt::Key_Home);
    settle();
    EXPECT_EQ(view().from(), 0);
    EXPECT_EQ(view().to(), 50);
    EXPECT_EQ(view().picture()->messages.size(), 2U);
    QTest::keyClick(&view(), Qt::Key_Plus);
    settle();
    EXPECT_EQ(view().to() - view().from(), 25);
    QTest::keyClick(&view(), Qt::Key_Left);
    settle();
    EXPECT_EQ(view().from(), 5);  // 12 less a quarter of 25
}

TEST_F(Timeline, dragging_zooms_to_what_was_dragged_over) {
    open();
    view().showAll();
    settle();
    const QPoint from(qRound(view().xOf(10)), 40);
    const QPoint to(qRound(view().xOf(30)), 40);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(view().viewport(), to);
    QMouseEvent move(QEvent::MouseMove, to, view().viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     {});
    QApplication::sendEvent(view().viewport(), &move);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, to);
    settle();
    EXPECT_NEAR(static_cast<double>(view().from()), 10.0, 1.0);
    EXPECT_NEAR(static_cast<double>(view().to()), 30.0, 1.0);
}

TEST_F(Timeline, click_on_a_row_selects_the_location) {
    open();
    view().showAll();
    settle();
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().lineRect(1).center());
    const auto selected = browser().systemViews()->selected();
    ASSERT_TRUE(selected.has_value());
    EXPECT_EQ(selected->index(), 1U);
}

TEST_F(Timeline, tool_tip_names_the_calls_and_their_time) {
    open();
    view().showAll();
    settle();
    const QString text = view().textAt({qRound(view().xOf(42)), view().lineRect(1).center().y()});
    EXPECT_TRUE(text.contains("main\nf\nMPI_Recv: 5.0000 ms")) << text.toStdString();
}

TEST_F(Timeline, chosen_wait_leads_to_its_call_path) {
    open();
    pane().instances()->selectRow(1);
    settle();
    EXPECT_EQ(browser().callPane()->current().parent().data(), "f");
    EXPECT_EQ(view().from(), 37);  // 40 less 3
    EXPECT_EQ(view().to(), 46);
}

TEST_F(Timeline, list_of_waits_that_gets_the_keyboard_selects_nothing) {
    open();
    view().showAll();
    settle();
    const ViewState before = browser().views().state();
    QFocusEvent comes(QEvent::FocusIn, Qt::TabFocusReason);
    QApplication::sendEvent(pane().instances(), &comes);
    settle();
    EXPECT_EQ(browser().views().state(), before) << toText(browser().views().state()).toStdString();
    EXPECT_EQ(view().to(), 50) << "the time in sight stays, too";
    EXPECT_FALSE(pane().instances()->selectionModel()->hasSelection());
}

TEST_F(Timeline, selected_thread_stays_when_a_call_path_with_waits_of_others_is_selected) {
    open();
    view().showAll();
    settle();
    selectThread(0);
    selectCall("main/f/MPI_Recv");  // waits in rank 1 alone
    EXPECT_EQ(pane().instances()->currentIndex().row(), 1) << "its wait is shown";
    EXPECT_EQ(view().from(), 37);
    ASSERT_TRUE(browser().systemViews()->selected().has_value());
    EXPECT_EQ(browser().systemViews()->selected()->index(), 0U);
}

TEST_F(Timeline, what_is_selected_stays_so_in_a_range) {
    open();
    selectCall("main/f/MPI_Recv");
    view().showAll();
    settle();
    selectThread(0);
    const ViewState before = browser().views().state();
    showOnly({20, 46});
    EXPECT_EQ(browser().views().state().calls, before.calls);
    EXPECT_EQ(browser().views().state().system, before.system);
    EXPECT_EQ(window.message(), QString());
}

TEST_F(Timeline, call_path_without_any_time_in_a_range_stays_selected) {
    open();
    selectCall("main/f/MPI_Recv");
    showOnly({20, 24});
    EXPECT_EQ(browser().callPane()->current().parent().data(), "f");
    EXPECT_EQ(window.message(), QString());
}

/// A metric that was derived, or merged from another run, is not in the values of a range.
TEST_F(Timeline, what_is_selected_and_not_in_a_range_is_said) {
    Experiment more = holos::algebra::readCubex((directory.path() / "analysis.cubex").string());
    holos::algebra::Metric metric;
    metric.uniqueName = metric.displayName = "extra";
    metric.unit = "occ";
    const auto extra = more.metrics.add(metric, std::nullopt);
    more.severities.set(extra, more.newTable());
    window.experiments().replace(window.experiments().active()->path,
                                 std::make_shared<const Experiment>(std::move(more)));
    open();
    ASSERT_TRUE(browser().selectMetric("extra"));
    showOnly({20, 24});
    EXPECT_EQ(window.message(), "What was selected is not in this part: extra");
}

TEST_F(Timeline, experiment_without_trace_says_so) {
    window.show("/nowhere/a.cubex", experiment);
    open();
    EXPECT_TRUE(pane().message().contains("not here")) << pane().message().toStdString();
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Timeline, damaged_trace_is_told_in_the_pane) {
    std::filesystem::resize_file(eventFile(directory.path() / "traces.otf2", 1), 40);
    open();
    view().showAll();
    settle();
    EXPECT_TRUE(pane().message().contains("1.evt")) << pane().message().toStdString();
}

TEST_F(Timeline, shift_and_drag_measure_a_range) {
    open();
    view().showAll();
    settle();
    const QPoint from(qRound(view().xOf(20)), 40);
    const QPoint to(qRound(view().xOf(30)), 40);
    QTest::mousePress(view().viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, view().viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::ShiftModifier);
    QApplication::sendEvent(view().viewport(), &move);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
    ASSERT_TRUE(view().range().has_value());
    EXPECT_NEAR(static_cast<double>(view().range()->to - view().range()->from), 10.0, 1.0);
    EXPECT_TRUE(pane().rangeBar()->text().contains(" ms · program"))
        << pane().rangeBar()->text().toStdString();
    QTest::keyClick(&view(), Qt::Key_Escape);
    EXPECT_FALSE(view().range().has_value());
    EXPECT_TRUE(pane().rangeBar()->text().isEmpty());
}

TEST_F(Timeline, two_clicks_with_shift_measure_too) {
    open();
    view().showAll();
    settle();
    for (const trace::Ticks time : {20, 30})
        QTest::mouseClick(view().viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          {qRound(view().xOf(time)), 40});
    ASSERT_TRUE(view().range().has_value());
    EXPECT_NEAR(static_cast<double>(view().range()->to - view().range()->from), 10.0, 1.0);
}

TEST_F(Timeline, only_this_range_changes_all_panes_and_whole_run_brings_them_back) {
    open();
    chooseLines(TimelineGrouping::Processes);
    view().setRange(TimeRange{20, 24});
    pane().rangeBar()->only()->click();
    const auto time = [this] {
        const Experiment& shown = browser().experiment();
        return holos::testing::total(shown, "mpi_latesender");
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return time() < 0.0050; }, kPatience));
    EXPECT_NEAR(time(), 0.004, 1e-9) << "of the 5 ms from 20 to 25";
    EXPECT_EQ(browser().filter(), (Filter{PartOfTime{0.02, 0.024}}));
    EXPECT_TRUE(window.windowTitle().contains("0.02 s to 0.024 s")) << window.windowTitle().toStdString();
    EXPECT_TRUE(statusText().contains("only 0.02 s to 0.024 s")) << statusText().toStdString();
    EXPECT_NEAR(holos::testing::total(browser().experiment(), "time"), 0.008, 1e-9);
    ASSERT_TRUE(browser().details()->opened() == "timeline");
    settle();
    EXPECT_TRUE(pane().rangeBar()->text().contains("0.02 s to 0.024 s"))
        << pane().rangeBar()->text().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return view().range().has_value(); }, kPatience));
    EXPECT_EQ(*view().range(), (TimeRange{20, 24}));
    EXPECT_EQ(lines().currentText(), "Processes");
    const auto origin = holos::algebra::provenanceOf(browser().experiment());
    ASSERT_TRUE(origin.has_value());
    EXPECT_EQ(origin->options[1], std::pair(std::string("from"), std::string("0.02")));
    pane().rangeBar()->whole()->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return time() > 0.0075; }, kPatience));
    EXPECT_TRUE(browser().filter().isEmpty());
    EXPECT_FALSE(window.windowTitle().contains("0.024 s"));
    EXPECT_FALSE(statusText().contains("only"));
}

TEST_F(Timeline, link_of_a_range_shows_the_range) {
    open();
    selectCall("main/MPI_Recv");
    showOnly({20, 24});
    view().changeWindow(18, 30);
    settle();
    const QString link = toText(browser().views().state());
    EXPECT_TRUE(link.contains("range=0.02:0.024")) << link.toStdString();
    EXPECT_TRUE(link.contains("window=0.018:0.03")) << link.toStdString();
    // A click on the part removes it.
    auto* part = browser().filterBar()->findChild<QPushButton*>();
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(browser().filterBar()->text(), "All views show only 0.02 s to 0.024 s");
    part->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return browser().filter().isEmpty(); }, kPatience));
    EXPECT_EQ(browser().filterBar()->text(), QString());
    settle();
    browser().callPane()->reveal(browser().callPane()->model()->index(0, 0));
    browser().views().restore(viewStateFrom(link));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !browser().filter().isEmpty(); }, kPatience));
    EXPECT_NEAR(holos::testing::total(browser().experiment(), "mpi_latesender"), 0.004, 1e-9);
    settle();
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
    EXPECT_EQ(view().from(), 18);
    EXPECT_EQ(view().to(), 30);
    EXPECT_EQ(toText(browser().views().state()), link);
}

TEST_F(Timeline, link_of_a_range_without_its_trace_says_so_and_shows_the_whole_run) {
    for (const auto& file : std::filesystem::directory_iterator(directory.path()))
        if (file.path().filename() != "analysis.cubex") std::filesystem::remove_all(file.path());
    browser().views().restore(viewStateFrom("range=0.02:0.024,metric=mpi_latesender"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.message().isEmpty(); }, kPatience));
    EXPECT_TRUE(window.message().startsWith("0.02 s to 0.024 s cannot be shown alone: the trace of "))
        << window.message().toStdString();
    EXPECT_TRUE(browser().filter().isEmpty());
}

TEST_F(Timeline, rows_that_are_copied_in_a_range_say_so) {
    open();
    browser().metricPane()->tree()->selectAll();
    EXPECT_TRUE(selectedRows(*browser().metricPane()->tree()).startsWith("Name\t"));
    showOnly({20, 24});
    EXPECT_TRUE(selectedRows(*browser().metricPane()->tree()).startsWith("Only 0.02 s to 0.024 s\nName\t"));
}

TEST_F(Timeline, bookmark_of_a_range_is_named_after_it_and_shows_it) {
    open();
    showOnly({20, 24});
    const auto trigger = [this](const QString& text) {
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text().contains(text)) return action->trigger();
        ADD_FAILURE() << text.toStdString();
    };
    trigger("Add bookmark");
    pane().rangeBar()->whole()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return browser().filter().isEmpty(); }, kPatience));
    for (QMenu* menu : window.findChildren<QMenu*>())
        if (menu->title() == "&Bookmarks") Q_EMIT menu->aboutToShow();
    trigger("(0.02 s to 0.024 s)");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !browser().filter().isEmpty(); }, kPatience));
    EXPECT_EQ(browser().filter(), (Filter{PartOfTime{0.02, 0.024}}));
}

TEST_F(Timeline, another_range_can_be_shown_directly) {
    open();
    const auto late = [this] { return holos::testing::total(browser().experiment(), "mpi_latesender"); };
    const double whole = late();
    view().setRange(TimeRange{20, 24});
    pane().rangeBar()->only()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return std::abs(late() - 0.004) < 1e-9; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view().range().has_value(); }, kPatience));
    EXPECT_TRUE(pane().rangeBar()->only()->isHidden()) << "it is shown already";
    view().setRange(TimeRange{20, 22});
    EXPECT_FALSE(pane().rangeBar()->only()->isHidden());
    EXPECT_FALSE(pane().rangeBar()->whole()->isHidden());
    pane().rangeBar()->only()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return std::abs(late() - 0.002) < 1e-9; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view().range().has_value(); }, kPatience));
    view().setRange(std::nullopt);
    EXPECT_TRUE(pane().rangeBar()->text().contains("0.02 s to 0.022 s"))
        << pane().rangeBar()->text().toStdString();
    pane().rangeBar()->whole()->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return late() == whole; }, kPatience));
}

TEST_F(Timeline, find_goes_from_call_to_call) {
    open();
    view().showAll();
    settle();
    auto* find = pane().findChild<TimelineFindBox*>();
    find->setText("mpi_recv");
    QTest::keyClick(find, Qt::Key_Return);
    settle();
    ASSERT_TRUE(QTest::qWaitFor([&] { return pane().message().contains("0.020000 s"); }, kPatience))
        << pane().message().toStdString();
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pane().message().contains("0.040000 s"); }, kPatience))
        << pane().message().toStdString();
    find->setText("mpi_recv > 6 ms");
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return pane().message().contains("7.0000 ms"); }, kPatience))
        << pane().message().toStdString();
    EXPECT_TRUE(pane().message().startsWith("MPI_Recv, 7.0000 ms from 0.020000 s on, in "))
        << pane().message().toStdString();
    find->setText("mpi_recv > 6 hours");
    QTest::keyClick(find, Qt::Key_Return);
    EXPECT_TRUE(pane().message().contains("2 ms")) << "how a duration is written";
}

TEST_F(Timeline, find_knows_messages_by_peer_and_size) {
    open();
    settle();
    TimelineSearch search{{}, pane().track()->definitions(), pane().track()->levels(), {}, -1};
    const std::atomic<bool> stopped = false;
    search.query = timelineQuery("message from 0 to 1 > 4");
    ASSERT_TRUE(search.query.problem.isEmpty());
    const auto found = findInTimeline(search, stopped);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->location.index(), 1U);
    EXPECT_EQ(found->begin, 25);
    search.query = timelineQuery("message from 1");
    EXPECT_FALSE(findInTimeline(search, stopped).has_value());
    search.query = timelineQuery("message > 1k");
    EXPECT_FALSE(findInTimeline(search, stopped).has_value());
    EXPECT_FALSE(timelineQuery("message of rank 3").problem.isEmpty());
    EXPECT_FALSE(timelineQuery("(").problem.isEmpty());
}

TEST_F(Timeline, another_run_stands_below_on_the_same_scale) {
    open();
    view().showAll();
    settle();
    TemporaryDirectory other;
    TraceBuilder trace(1);
    trace.clock(1'000'000, 5000);  // ticks of 1 µs
    trace.on(0).call(0, 80'000, "main");
    trace.write(other.path());
    chooseLines(TimelineGrouping::Processes);
    pane().comparison()->compareWith(QString::fromStdString(other.path().string()));
    settle();
    EXPECT_EQ(pane().otherTrack()->view()->layout().grouping(), TimelineGrouping::Processes);
    EXPECT_EQ(view().to(), 80) << "both as long as the longer one";
    view().changeWindow(10, 30);
    EXPECT_EQ(pane().otherTrack()->view()->from(), 10'000);
    EXPECT_EQ(pane().otherTrack()->view()->to(), 30'000);
    pane().otherTrack()->view()->changeWindow(20'000, 40'000);
    EXPECT_EQ(view().from(), 20);
    settle();
    pane().comparison()->compareWith({});
    EXPECT_EQ(pane().otherTrack(), nullptr);
}

TEST_F(Timeline, overview_leads_to_another_part) {
    open();
    view().changeWindow(0, 10);
    settle();
    TimelineOverview& strip = *pane().track()->overview();
    ASSERT_TRUE(strip.isVisible());
    QTest::mouseClick(&strip, Qt::LeftButton, {}, {strip.width() - 2, strip.height() / 2});
    settle();
    EXPECT_EQ(view().to(), 50);
    EXPECT_EQ(view().from(), 40);
}

TEST_F(Timeline, heat_map_and_groups_are_offered) {
    open();
    view().setGrouping(TimelineGrouping::Processes);
    settle();
    EXPECT_EQ(view().layout().count(), 4);
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, {12, view().lineRect(0).center().y()});
    settle();
    EXPECT_EQ(view().layout().count(), 3) << "folded";
    pane().setColors(TimelineColors::Mpi);
    EXPECT_TRUE(pane().legend()->text().contains("100 %"));
    settle();
    EXPECT_FALSE(view().picture()->rows.front().shares.empty());
}
