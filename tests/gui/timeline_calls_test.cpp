// SPDX-License-Identifier: BSD-3-Clause
// Calls in the timeline: what a click selects and says, stacks, and what is drawn over them.
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>

#include "analyzer/trace/definitions_reader.h"
#include "gui/models/iterations/iteration_reader.h"
#include "gui/models/timeline/call_path_of_stack.h"
#include "gui/views/filter_bar.h"
#include "gui/views/timeline/call_lengths_view.h"
#include "gui/views/timeline/timeline_comparison.h"
#include "gui/views/timeline/timeline_find_box.h"
#include "gui/views/timeline/timeline_legend.h"
#include "gui/views/timeline/timeline_notebook.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/view_keeper.h"
#include "report/query/run.h"
#include "tests/gui/timeline_fixture.h"
#include "tests/support/large_trace.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace trace = holos::analyzer::trace;

class TimelineCalls : public ShownTimeline {
  protected:
    void SetUp() override {
        window.resize(1200, 1300);
        open();
        view().showAll();
        settle();
    }
    QPoint placeOf(int row, trace::Ticks time) {
        return {qRound(view().xOf(time)), view().lineRect(row).center().y()};
    }
    void click(int row, trace::Ticks time) {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, placeOf(row, time));
        settle();
    }
    QString selectedCall() { return browser().views().state().calls.join(u' '); }
    void choose(int row, trace::Ticks time, const QString& action) {
        QTimer::singleShot(0, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            ASSERT_NE(menu, nullptr);
            for (QAction* each : menu->actions())
                if (each->text() == action) each->trigger();
            menu->close();
        });
        const QPoint place = placeOf(row, time);
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, view().viewport()->mapToGlobal(place));
        QApplication::sendEvent(view().viewport(), &event);
    }
};

TEST_F(TimelineCalls, click_selects_call_path_and_thread_and_moves_nothing) {
    const auto from = view().from();
    const auto to = view().to();
    click(1, 42);
    EXPECT_EQ(selectedCall(), "main/f/MPI_Recv");
    EXPECT_TRUE(browser().views().state().system.contains("Rank 1"));
    EXPECT_EQ(view().from(), from);
    EXPECT_EQ(view().to(), to);
    EXPECT_TRUE(pane().message().startsWith("MPI_Recv, 5.0000 ms from 0.040000 s on"))
        << pane().message().toStdString();
    EXPECT_TRUE(pane().message().contains("· called by main / f")) << pane().message().toStdString();
    click(1, 39);
    EXPECT_EQ(selectedCall(), "main/f");
    click(0, 10);
    EXPECT_EQ(selectedCall(), "main");
}

/// They do not know who called the construct in which they are.
TEST(CallPathsOfAStack, of_a_team_thread_are_those_of_the_construct_wherever_it_is_called) {
    namespace support = holos::testing;
    support::SmallExperiment build(1, 2);
    build.metric(
        support::seconds("time"), "",
        {{"main/f/parallel/barrier", {1, 1}}, {"main/g/parallel/barrier", {1, 1}}, {"main/g/h", {1, 0}}});
    const holos::algebra::Experiment experiment = build.take();
    trace::Definitions definitions;
    std::vector<trace::StackBar> stack;
    for (const char* name : {"parallel", "barrier"}) {
        trace::Region region;
        region.name = name;
        region.paradigm = trace::Paradigm::OpenMp;
        stack.push_back(
            {0, 10, trace::RegionId(definitions.regions.size()), static_cast<std::uint32_t>(stack.size())});
        definitions.regions.push_back(region);
    }
    EXPECT_EQ(callPathsOf(stack, definitions, experiment),
              (std::vector{support::findPath(experiment, "main/f/parallel/barrier"),
                           support::findPath(experiment, "main/g/parallel/barrier")}));
    trace::Region function;
    function.name = "h";
    definitions.regions.push_back(function);
    EXPECT_TRUE(
        callPathsOf({{0, 10, trace::RegionId(definitions.regions.size() - 1), 0}}, definitions, experiment)
            .empty())
        << "a function that stands alone may be another one of this name";
}

TEST_F(TimelineCalls, what_a_click_says_stands_above_the_legend_where_it_is_long) {
    const auto isAbove = [this] {
        const auto topOf = [this](const QWidget* widget) { return widget->mapTo(&pane(), QPoint()).y(); };
        for (const auto* label : pane().findChildren<ElidedLabel*>())
            if (label->text() == pane().message()) return topOf(label) < topOf(pane().legend());
        ADD_FAILURE() << "the message is nowhere";
        return false;
    };
    const auto resizeTo = [this](int width) {
        window.resize(width, 1300);
        QApplication::processEvents();
    };
    click(1, 22);
    resizeTo(2400);
    EXPECT_FALSE(isAbove());
    resizeTo(1200);
    EXPECT_TRUE(isAbove());
}

TEST_F(TimelineCalls, click_on_a_wait_says_for_whom_and_what_that_one_does) {
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return !pane().isBusy() && view().picture()->marks.course; }, kPatience));
    click(1, 22);
    EXPECT_TRUE(pane().message().contains("Late Sender: 5.0000 ms, waits for MPI Rank 0"))
        << pane().message().toStdString();
    EXPECT_TRUE(pane().message().contains(", which is mostly in main then"))
        << pane().message().toStdString();
}

TEST_F(TimelineCalls, note_stands_at_its_moment_and_thread_and_is_removed_by_its_menu) {
    pane().notebook()->setNotes(
        {{"MPI Rank 1 / Master thread", 0.040, "the slow one"}, {"Nobody / Nothing", 0.01, "lost"}});
    const QPoint flag(qRound(view().xOf(40)) + 3, view().lineRect(1).top() + 4);
    EXPECT_EQ(view().textAt(flag), "the slow one");
    EXPECT_NE(view().textAt(placeOf(0, 40)), "the slow one");
    QSignalSpy changed(pane().notebook(), &TimelineNotebook::changed);
    Q_EMIT view().noteRemovalWanted(0);
    ASSERT_EQ(changed.count(), 1);
    ASSERT_EQ(pane().notebook()->notes().size(), 1U);
    EXPECT_EQ(pane().notebook()->notes()[0].text, "lost") << "of another trace, which stays";
}

TEST_F(TimelineCalls, note_that_is_listed_is_brought_into_sight) {
    pane().notebook()->showNote({"MPI Rank 0 / Master thread", 0.030, "here"});
    settle();
    EXPECT_LT(view().from(), 30);
    EXPECT_GT(view().to(), 30);
    EXPECT_LE(view().to() - view().from(), 12);
}

TEST(TimelineIterations, other_run_is_shifted_to_the_iteration_in_sight) {
    const auto beginsOf = [](trace::Ticks first, trace::Ticks length) {
        holos::testing::TemporaryDirectory folder;
        holos::testing::TraceBuilder builder(1);
        builder.on(0).enter(0, "main");
        for (trace::Ticks step = 0; step < 5; ++step)
            builder.on(0).call(first + step * length, first + step * length + length / 2, "step");
        builder.on(0).leave(first + 5 * length + 10);
        holos::query::Run run(builder.write(folder.path()), {});
        return holos::query::readIterationLengths(run).begins;
    };
    const std::vector<double> slow = beginsOf(100, 40), quick = beginsOf(20, 10);
    ASSERT_EQ(slow.size(), 5U);
    ASSERT_EQ(quick.size(), 5U);
    const auto third = alignedAt(0.190, slow, quick);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->number, 3U);
    EXPECT_NEAR(third->shift, 0.040 - 0.180, 1e-9);
    EXPECT_EQ(alignedAt(0.0, slow, quick)->number, 1U) << "before the loop";
    EXPECT_FALSE(alignedAt(0.190, slow, {}));
    EXPECT_FALSE(alignedAt(0.190, {}, quick));
}

TEST(TimelineIterations, moment_lies_in_one_or_outside_of_the_loop) {
    holos::query::IterationTimes times;
    times.begins = {1.0, 2.0, 4.0};
    times.end = 5.0;
    EXPECT_FALSE(iterationAt(0.5, times));
    EXPECT_EQ(iterationAt(2.5, times)->number, 2U);
    EXPECT_EQ(iterationAt(2.5, times)->to, 4.0);
    EXPECT_EQ(iterationAt(4.0, times)->to, 5.0);
    EXPECT_FALSE(iterationAt(5.0, times));
    EXPECT_FALSE(iterationAt(1.0, {}));
}

TEST_F(TimelineCalls, menu_selects_the_iteration_as_a_range) {
    holos::testing::TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (trace::Ticks step = 0; step < 5; ++step) trace.on(0).call(5 + step * 8, 9 + step * 8, "step");
    trace.on(0).leave(50);
    const holos::testing::TemporaryDirectory folder;
    trace.write(folder.path());
    pane().openTrace(QString::fromStdString(folder.path().string()));
    settle();
    view().showAll();
    settle();
    choose(0, 24, "Select this iteration");
    settle();
    ASSERT_TRUE(view().range());
    EXPECT_EQ(view().range()->from, 21);
    EXPECT_EQ(view().range()->to, 29);
    EXPECT_TRUE(pane().message().startsWith("Iteration 3 of 5: 8.0000 ms")) << pane().message().toStdString();
}

TEST_F(TimelineCalls, line_opens_to_its_stack_a_line_for_each_depth) {
    view().toggleStack(trace::LocationId(1));
    settle();
    const TimelineLines& lines = *view().layout().lines();
    ASSERT_GE(lines.count(), 5);
    EXPECT_TRUE(lines[1].isOpen);
    EXPECT_FALSE(lines[0].isOpen);
    EXPECT_EQ(lines[2].stackOf, trace::LocationId(1));
    EXPECT_EQ(view().lineOf(trace::LocationId(1)), 1) << "marks stay on the line itself";
    EXPECT_TRUE(textAt(2, 42).endsWith("main: 50.000 ms")) << textAt(2, 42).toStdString();
    EXPECT_TRUE(textAt(3, 42).endsWith("main\nf: 7.0000 ms")) << textAt(3, 42).toStdString();
    EXPECT_TRUE(textAt(4, 42).endsWith("main\nf\nMPI_Recv: 5.0000 ms")) << textAt(4, 42).toStdString();
    click(3, 42);
    EXPECT_EQ(selectedCall(), "main/f") << "not what f calls";
    // The arrow in front of its name closes it.
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, {5, view().lineRect(1).center().y()});
    EXPECT_EQ(view().layout().count(), 2);
}

TEST_F(TimelineCalls, find_names_what_it_was_of_all_that_may_fit) {
    auto* find = pane().findChild<TimelineFindBox*>();
    find->setText("^[F-L]");
    QTest::keyClick(find, Qt::Key_Return);
    settle();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return pane().message().startsWith("f, 7.0000 ms from "); }, kPatience))
        << pane().message().toStdString();
}

TEST_F(TimelineCalls, what_was_found_is_not_said_of_a_wait_that_is_chosen_later) {
    auto* find = pane().findChild<TimelineFindBox*>();
    find->setText("MPI_Recv");
    QTest::keyClick(find, Qt::Key_Return);
    settle();
    ASSERT_TRUE(QTest::qWaitFor([this] { return pane().message().startsWith("MPI_Recv, "); }, kPatience));
    pane().showMoment({1, {0.01, 0.02}});
    settle();
    EXPECT_FALSE(pane().message().contains("MPI_Recv")) << pane().message().toStdString();
}

TEST_F(TimelineCalls, menu_shows_all_calls_of_the_kind_in_all_views) {
    const Browser* before = &browser();
    choose(1, 42, "All calls of MPI_Recv in all views");
    ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
    EXPECT_EQ(browser().filterBar()->text(), "All views show only calls of MPI_Recv (without callees)");
    EXPECT_NEAR(holos::testing::total(browser().experiment(), "time"), 0.012, 1e-9);
}

TEST_F(TimelineCalls, menu_shows_a_thread_alone_and_finds_the_next_call) {
    choose(1, 22, "Go to the next call of MPI_Recv");
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return pane().message().contains("from 0.020000 s on"); }, kPatience))
        << pane().message().toStdString();
    const Browser* before = &browser();
    choose(0, 10, "Only this thread in all views");
    ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
    EXPECT_EQ(browser().experiment().system.locations.size(), 1U);
    EXPECT_TRUE(browser().filterBar()->text().contains("Rank 0"));
}

TEST_F(TimelineCalls, messages_are_switched_off) {
    EXPECT_TRUE(pane().message().contains("2 messages"));
    const QImage with = view().viewport()->grab().toImage();
    pane().toggleMarks(&TimelineMarks::messages);
    settle();
    EXPECT_TRUE(pane().message().contains("messages are not drawn")) << pane().message().toStdString();
    EXPECT_FALSE(pane().legend()->text().contains("message"));
    EXPECT_NE(view().viewport()->grab().toImage(), with);
}

TEST_F(TimelineCalls, few_lines_can_be_read_in_a_low_window) {
    TimelineLayout layout;
    layout.setHeight(20);
    layout.setTrace(pane().track()->definitions());
    EXPECT_GE(layout.lineHeight(), 12.0);
    EXPECT_GT(layout.total(), 20) << "the others are scrolled to";
}

TEST_F(TimelineCalls, lengths_of_calls_are_counted_and_found) {
    choose(1, 42, "How long calls of MPI_Recv take");
    auto* lengths = pane().findChild<CallLengthsView*>();
    ASSERT_NE(lengths, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !lengths->isBusy(); }, kPatience));
    EXPECT_TRUE(lengths->text().startsWith("2 calls in the whole run, 12.000 ms together"))
        << lengths->text().toStdString();
    EXPECT_TRUE(lengths->text().contains("shortest 5.0000 ms")) << lengths->text().toStdString();
    EXPECT_TRUE(lengths->text().endsWith("mean 6.0000 ms, longest 7.0000 ms"))
        << lengths->text().toStdString();
    EXPECT_EQ(lengths->histogram()->accessibleDescription().count("1 call "), 2);
    // The bar of the longer one leads to it.
    const QRectF bar = lengths->histogram()->barRect(CallLengths::classOf(7));
    QTest::mouseClick(lengths->histogram(), Qt::LeftButton, {}, bar.center().toPoint());
    ASSERT_TRUE(QTest::qWaitFor([this] { return pane().message().contains("7.0000 ms from 0.020000 s on"); },
                                kPatience))
        << pane().message().toStdString();
    lengths->close();
}

TEST_F(TimelineCalls, lengths_of_a_range_are_of_calls_that_begin_in_it) {
    view().setRange(TimeRange{30, 50});
    choose(1, 42, "How long calls of MPI_Recv take");
    auto* lengths = pane().findChild<CallLengthsView*>();
    ASSERT_NE(lengths, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !lengths->isBusy(); }, kPatience));
    EXPECT_TRUE(lengths->text().startsWith("1 call in 0.030000 s … 0.050000 s, 5.0000 ms together"))
        << lengths->text().toStdString();
}

TEST_F(TimelineCalls, link_brings_lines_stacks_marks_and_the_shifted_other_run_back) {
    pane().setGrouping(TimelineGrouping::Processes);
    view().toggleStack(trace::LocationId(1));
    view().togglePin(trace::LocationId(1));
    pane().toggleMarks(&TimelineMarks::messages);
    pane().comparison()->compareWith(QString::fromStdString(directory.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([this] { return pane().otherTrack()->definitions() != nullptr; }, kPatience));
    pane().findChild<QDoubleSpinBox*>()->setValue(0.01);
    settle();
    EXPECT_EQ(pane().otherTrack()->view()->from(), view().from() + 10);
    const QString link = toText(browser().views().state());
    EXPECT_TRUE(link.contains("look=lines:processes;marks:waits.operations;stack:1;pinned:1;with:%2F"))
        << link.toStdString();
    EXPECT_TRUE(link.contains(";shift:0.01")) << link.toStdString();
    pane().setLook({});
    settle();
    EXPECT_EQ(pane().look(), QString());
    EXPECT_EQ(pane().otherTrack(), nullptr);
    browser().views().restore(viewStateFrom(link));
    settle();
    EXPECT_EQ(toText(browser().views().state()), link);
    EXPECT_TRUE(view().layout().hasStack(trace::LocationId(1)));
    EXPECT_TRUE(view().layout().isPinned(trace::LocationId(1)));
}

/// Of a trace that is large enough for an index of its calls.
TEST(LengthsOfCalls, from_the_index_are_those_from_the_events) {
    const holos::testing::TemporaryDirectory folder;
    const auto anchor = holos::testing::writeLargeTrace(
        folder.path() / "run", {.processes = 2, .rounds = 540, .callsPerRound = 500});
    const auto definitions = std::make_shared<const trace::Definitions>(trace::readDefinitions(anchor));
    const auto length = static_cast<trace::Ticks>(definitions->clock.length);
    const auto regionOf = [&](const char* name) {
        const auto found = std::ranges::find(definitions->regions, name, &trace::Region::name);
        return trace::RegionId(static_cast<std::size_t>(found - definitions->regions.begin()));
    };
    std::vector<CallLengthsQuestion> questions;
    for (const char* name : {"function0", "MPI_Send", "main"}) {
        questions.push_back({anchor, definitions, regionOf(name), {}, 0, length});
        questions.push_back({anchor, definitions, regionOf(name), {true, false}, length / 3, length / 2});
    }
    const std::atomic<bool> stopped = false;
    std::vector<CallLengths> fromEvents;
    for (const CallLengthsQuestion& each : questions) fromEvents.push_back(callLengths(each, stopped));
    EXPECT_GT(fromEvents.front().count, 1000U);
    holos::query::Run run(anchor, {});
    ASSERT_TRUE(run.callIndex(true));
    for (std::size_t at = 0; at < questions.size(); ++at) {
        const CallLengths now = callLengths(questions[at], stopped);
        EXPECT_EQ(now.count, fromEvents[at].count) << at;
        EXPECT_EQ(now.sum, fromEvents[at].sum) << at;
        EXPECT_EQ(now.shortest, fromEvents[at].shortest) << at;
        EXPECT_EQ(now.longest, fromEvents[at].longest) << at;
        EXPECT_EQ(now.classes, fromEvents[at].classes) << at;
    }
}
