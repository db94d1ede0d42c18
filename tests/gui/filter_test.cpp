// SPDX-License-Identifier: BSD-3-Clause
// A part of threads and call paths that all views show.
#include "gui/models/filter.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>

#include "gui/experiments/filtering.h"
#include "gui/experiments/open_experiments.h"
#include "gui/models/timeline/calls_in_part.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/communication_pane.h"
#include "gui/views/details/summary_pane.h"
#include "gui/views/filter_bar.h"
#include "gui/views/parts/copying.h"
#include "gui/views/timeline/timeline_overview.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/timeline_fixture.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/severity_lookup.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using holos::testing::total;

TEST(FilterText, comes_back_from_a_link_as_it_was) {
    Filter filter{PartOfTime{0.5, 1.25}};
    filter.places = {"machine/node%201/MPI Rank 1", "machine/node%201/MPI Rank 2"};
    filter.callPaths = {"main/solve", "main/MPI_Recv;2"};
    filter.regions = {"operator,=(int)", "100%"};
    filter.kinds = {"MPI"};
    filter.experiments = {"run, new/analysis.cubex"};
    Filter back;
    for (const QString& part : linkOf(filter)) {
        EXPECT_FALSE(part.contains(u',')) << part.toStdString();
        EXPECT_TRUE(takeFromLink(back, part.section(u'=', 0, 0), part.section(u'=', 1)));
    }
    EXPECT_EQ(back, filter);
    EXPECT_FALSE(takeFromLink(back, "only-system", "")) << "no place is meant";
}

TEST(FilterText, iterations_are_named_with_their_time_and_kept_in_links) {
    Filter filter{PartOfTime{0.5, 1.25, IterationNumbers{5, 9}}};
    EXPECT_EQ(filterText(filter), "iterations 5 to 9 (0.5 s to 1.25 s)");
    EXPECT_EQ(filterText(filter, FilterPart::Range), "iterations 5 to 9");
    EXPECT_EQ(linkOf(filter), QStringList({"range=0.5:1.25", "iterations=5:9"}));
    Filter back;
    EXPECT_FALSE(takeFromLink(back, "iterations", "5:9")) << "of no time";
    EXPECT_TRUE(takeFromLink(back, "range", "0.5:1.25"));
    for (const char* wrong : {"", "5", "0:3", "9:5", "5:9:1", "a:b"})
        EXPECT_FALSE(takeFromLink(back, "iterations", wrong)) << wrong;
    EXPECT_TRUE(takeFromLink(back, "iterations", "5:9"));
    EXPECT_EQ(back, filter);
    filter.range->iterations = IterationNumbers{7, 7};
    EXPECT_EQ(filterText(filter), "iteration 7 (0.5 s to 1.25 s)");
}

TEST(FilterText, names_each_part_in_words_and_cuts_long_lists) {
    Filter filter{PartOfTime{0.5, 1.25}};
    filter.places = {"machine/node%201/MPI Rank 1", "a/b", "c"};
    filter.regions = {"f"};
    EXPECT_EQ(filterText(filter),
              "0.5 s to 1.25 s, … / node 1 / MPI Rank 1, a / b and 1 more, calls of f (without callees)");
    EXPECT_EQ(wholeTextOf(filter, FilterPart::Places), "… / node 1 / MPI Rank 1\na / b\nc");
    EXPECT_EQ(nameForFiles(filter),
              "0.5 s to 1.25 s, … node 1 MPI Rank 1, a b and 1 more, calls of f (without callees)");
    EXPECT_EQ(partsOf(without(filter, FilterPart::Places)),
              (std::vector{FilterPart::Range, FilterPart::Regions}));
}

class FilteredWindow : public Window {
  protected:
    void waitForAnother(const Browser* before) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
    }
    void showOnlyPlace(const QString& name) {
        browser().systemPane()->expandAll();
        click(browser().systemPane(), name);
        const Browser* before = &browser();
        browser().showOnlyPlaces();
        waitForAnother(before);
    }
    void showOnlyCalls(const QString& name) {
        browser().callPane()->expandAll();
        click(browser().callPane(), name);
        const Browser* before = &browser();
        browser().showOnlyCallPaths();
        waitForAnother(before);
    }
    QPushButton* part(const QString& text) {
        for (auto* button : browser().filterBar()->findChildren<QPushButton*>())
            if (button->accessibleName() == u"Only %1: remove"_qs.arg(text) && !button->isHidden())
                return button;
        return nullptr;
    }
};

TEST_F(FilteredWindow, process_is_all_that_views_show_until_a_click_on_its_name) {
    showOnlyPlace("MPI Rank 1");
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 12.0);
    EXPECT_EQ(browser().experiment().system.locations.size(), 2U);
    EXPECT_EQ(browser().filterBar()->text(), "All views show only … / node a / MPI Rank 1");
    EXPECT_TRUE(window.windowTitle().contains("node a / MPI Rank 1")) << window.windowTitle().toStdString();
    EXPECT_TRUE(selectedRows(*browser().callPane()->tree()).startsWith("Only … / node a / MPI Rank 1\n"));
    const QString link = toText(browser().views().state());
    EXPECT_TRUE(link.contains("only-system=")) << link.toStdString();

    QPushButton* button = part("… / node a / MPI Rank 1");
    ASSERT_NE(button, nullptr);
    const Browser* before = &browser();
    button->click();
    waitForAnother(before);
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 20.0);
    EXPECT_EQ(browser().filterBar()->text(), QString());

    before = &browser();
    browser().views().restore(viewStateFrom(link));
    waitForAnother(before);
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 12.0);
    EXPECT_EQ(toText(browser().views().state()), link);
}

TEST_F(FilteredWindow, call_path_counts_with_what_it_calls) {
    showOnlyCalls("solve");
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 14.0);
    EXPECT_EQ(browser().filterBar()->text(), "All views show only in main / solve");
    EXPECT_TRUE(named(browser().callPane(), "main").isValid()) << "callers keep names of call paths whole";
    EXPECT_FALSE(named(browser().callPane(), "init").isValid());
    EXPECT_EQ(browser().callPane()->current().data(), "solve");
}

TEST_F(FilteredWindow, parts_hold_together_and_are_removed_one_by_one) {
    showOnlyCalls("solve");
    showOnlyPlace("MPI Rank 0");
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 5.0);
    EXPECT_EQ(browser().filterBar()->text(), "All views show only … / node a / MPI Rank 0, in main / solve");
    const Browser* before = &browser();
    part("in main / solve")->click();
    waitForAnother(before);
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 8.0);
    EXPECT_EQ(browser().filterBar()->text(), "All views show only … / node a / MPI Rank 0");
}

TEST_F(FilteredWindow, region_and_module_count_wherever_they_are_called) {
    browser().setProgramView(ProgramView::Regions);
    showOnlyCalls("MPI_Recv");
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 4.0);
    EXPECT_EQ(browser().filter().regions, QStringList("MPI_Recv"));
    const Browser* before = &browser();
    Q_EMIT browser().partWanted({});
    waitForAnother(before);
    browser().setProgramView(ProgramView::Modules);
    showOnlyCalls("sample.c");
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 20.0);
    EXPECT_EQ(browser().filter().kinds, QStringList("sample.c"));
}

TEST_F(FilteredWindow, place_that_is_not_there_is_named_and_views_stay) {
    const Browser* before = &browser();
    browser().views().restore(viewStateFrom("only-system=machine Sample/nowhere,metric=time"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.message().isEmpty(); }, kPatience));
    EXPECT_EQ(window.message(),
              "machine Sample / nowhere is not shown: this part of the run has no machine Sample/nowhere");
    EXPECT_EQ(&browser(), before);
    EXPECT_TRUE(browser().filter().isEmpty());
}

TEST_F(FilteredWindow, another_whole_run_is_shown_in_the_same_part) {
    showOnlyPlace("MPI Rank 1");
    window.filtering().renewWhole("sample.cubex", shared(signedExperiment()));
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), 2.0) << "of the second process";
    EXPECT_EQ(browser().filterBar()->text(), "All views show only … / node a / MPI Rank 1");
    const Browser* before = &browser();
    Q_EMIT browser().partWanted({});
    waitForAnother(before);
    EXPECT_DOUBLE_EQ(total(browser().experiment(), "time"), -1.0) << "and the whole is the new one";
}

TEST_F(FilteredWindow, summary_says_that_it_is_not_of_a_part) {
    showOnlyPlace("MPI Rank 1");
    browser().details()->open("summary");
    const QTextBrowser& text = *browser().details()->summary()->text();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !browser().details()->isBusy(); }, kPatience));
    EXPECT_TRUE(text.toPlainText().endsWith("All views show only … / node a / MPI Rank 1."))
        << text.toPlainText().toStdString();
}

class FilteredTimeline : public ShownTimeline {
  protected:
    void showOnly(const QString& link) {
        const Browser* before = &browser();
        browser().views().restore(viewStateFrom(link));
        ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
        browser().details()->open("timeline");
        settle();
    }
    float shareAt(int line, double tick) {
        const auto& shares = view().picture()->contentOf(line)->shares;
        const double part = (tick + 0.5 - static_cast<double>(view().from())) /
                            static_cast<double>(view().to() - view().from());
        return shares.at(static_cast<std::size_t>(part * static_cast<double>(shares.size())));
    }
    QString keyOfSystem(const QString& name) {
        const TreeModel& system = *browser().systemPane()->model();
        for (const NodeId node : system.rows().ids())
            if (system.rows().nameOf(node) == name) return system.rows().keyOf(node);
        return {};
    }
};

TEST_F(FilteredTimeline, has_lines_messages_and_waits_of_the_part_alone) {
    open();
    ASSERT_EQ(view().layout().count(), 2);
    const int waits = pane().instances()->model()->rowCount();
    ASSERT_GT(waits, 0);
    showOnly(u"only-system="_qs + keyOfSystem(u"MPI Rank 0"_qs));
    EXPECT_EQ(view().layout().count(), 1);
    EXPECT_EQ(view().picture()->messageCount, 0U) << "both ends of a message have to be there";
    EXPECT_EQ(pane().instances()->model()->rowCount(), 0) << "rank 1 waits";
    EXPECT_TRUE(pane().track()->overview()->accessibleDescription().startsWith("MPI 4 %, program 96 %"))
        << pane().track()->overview()->accessibleDescription().toStdString();
}

TEST_F(FilteredTimeline, calls_of_other_call_paths_do_not_belong_to_it) {
    open();
    showOnly("only-call=main/f");
    const CallsInPart calls(browser().experiment(), pane().track()->definitions());
    const auto line = view().lineOf(holos::analyzer::trace::LocationId(1));
    ASSERT_TRUE(line);
    const auto& spans = view().picture()->contentOf(*line)->excerpt.spans;
    const std::vector<bool> belongs = calls.of(spans);
    QStringList names;
    for (std::size_t at = 0; at < spans.size(); ++at)
        if (belongs[at])
            names << QString::fromStdString((*pane().track()->definitions())[spans[at].region].name);
    EXPECT_EQ(names.join(u' '), "MPI_Recv f") << "not the MPI_Recv in main, nor main itself";
    for (const auto& span : spans) {
        const auto& name = (*pane().track()->definitions())[span.region].name;
        EXPECT_EQ(calls.mayHave(span.region), name != "main") << name;
    }
    const TimelineRows rows(view().picture(), calls);
    const std::size_t read = *view().picture()->rowOf(*line);
    for (std::size_t at = 0; at < spans.size(); ++at)
        EXPECT_EQ(rows.belongs(read, spans[at].begin), belongs[at]);
    EXPECT_TRUE(TimelineRows(view().picture()).belongs(read, spans.front().begin)) << "nothing is left out";
}

TEST_F(FilteredTimeline, range_of_a_part_keeps_both) {
    open();
    showOnly("range=0.02:0.046,only-call=main/f");
    EXPECT_EQ(browser().filterBar()->text(), "All views show only 0.02 s to 0.046 s, in main / f");
    EXPECT_NEAR(total(browser().experiment(), "time"), 0.007, 1e-9);
    const Browser* before = &browser();
    Q_EMIT browser().filterBar()->wanted(without(browser().filter(), FilterPart::CallPaths));
    ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
    EXPECT_EQ(browser().filterBar()->text(), "All views show only 0.02 s to 0.046 s");
    EXPECT_NEAR(total(browser().experiment(), "time"), 2 * 0.026, 1e-9);
}

TEST_F(FilteredTimeline, matrix_of_some_call_paths_is_read_from_the_trace) {
    open();
    showOnly("only-call=main/f");
    browser().details()->open("communication");
    settle();
    CommunicationPane& pane = *browser().details()->communication();
    EXPECT_TRUE(pane.message().endsWith("between all processes, only in main / f"))
        << pane.message().toStdString();
    EXPECT_EQ(pane.matrix().quantity(), TrafficQuantity::LateSender) << "nothing is sent there";
    EXPECT_NEAR(pane.matrix().at(0, 1), 0.003, 1e-9);
    pane.quantities()->setCurrentIndex(static_cast<int>(TrafficQuantity::Put));
    EXPECT_EQ(pane.message(),
              "One-sided operations are counted for whole processes only, not for this part.");
    EXPECT_TRUE(pane.asCsv().endsWith("0,0,0.003,0,,\n")) << pane.asCsv().toStdString();
}

TEST_F(FilteredTimeline, matrix_of_a_kind_of_calls_has_all_their_messages) {
    open();
    showOnly("only-kind=MPI");
    browser().details()->open("communication");
    settle();
    CommunicationPane& pane = *browser().details()->communication();
    EXPECT_EQ(pane.matrix().quantity(), TrafficQuantity::Bytes);
    pane.quantities()->setCurrentIndex(static_cast<int>(TrafficQuantity::Messages));
    EXPECT_EQ(pane.matrix().at(0, 1), 2);
    EXPECT_EQ(pane.matrix().at(1, 0), 0);
    Q_EMIT browser().partWanted(viewStateFrom("range=0.03:0.046,only-kind=MPI").filter);
    const Browser* before = &browser();
    ASSERT_TRUE(QTest::qWaitFor([&] { return &browser() != before; }, kPatience));
    settle();
    CommunicationPane& later = *browser().details()->communication();
    later.quantities()->setCurrentIndex(static_cast<int>(TrafficQuantity::Messages));
    EXPECT_EQ(later.matrix().at(0, 1), 1) << later.message().toStdString();
}

TEST_F(FilteredTimeline, heat_maps_overview_and_numbers_of_a_range_are_of_the_call_paths_that_are_shown) {
    open();
    showOnly("only-call=main/f");
    pane().setColors(TimelineColors::Mpi);
    settle();
    EXPECT_FALSE(pane().message().contains("of all call paths")) << pane().message().toStdString();
    EXPECT_NEAR(shareAt(1, 42), 1.0F, 1e-4F) << "MPI_Recv in f";
    EXPECT_NEAR(shareAt(1, 22), 0.0F, 1e-4F) << "MPI_Recv in main";
    EXPECT_NEAR(shareAt(0, 25), 0.0F, 1e-4F) << "MPI_Send in main";
    pane().setColors(TimelineColors::Program);
    settle();
    EXPECT_NEAR(shareAt(1, 45), 1.0F, 1e-4F);
    EXPECT_NEAR(shareAt(1, 10), 0.0F, 1e-4F);
    pane().setColors(TimelineColors::Metric, "mpi_latesender");
    settle();
    EXPECT_NEAR(shareAt(1, 41), 1.0F, 1e-4F) << "f waits from 40 to 43";
    EXPECT_NEAR(shareAt(1, 44), 0.0F, 1e-4F);
    EXPECT_NEAR(shareAt(1, 22), 0.0F, 1e-4F) << "main waits from 20 to 25";
    EXPECT_FALSE(pane().message().contains("of all call paths")) << pane().message().toStdString();
    ASSERT_EQ(view().picture()->marks.waits.size(), 1U) << "in a heat map, too, others have no frames";
    EXPECT_EQ(view().picture()->marks.waits.front().begin, 40);
    EXPECT_TRUE(pane().track()->overview()->accessibleDescription().startsWith("MPI 71 %, program 29 %"))
        << pane().track()->overview()->accessibleDescription().toStdString();
    view().setRange(TimeRange{20, 46});
    Q_EMIT view().rangeChanged();
    EXPECT_EQ(
        pane().rangeBar()->text().toStdString(),
        "0.020000 s … 0.046000 s: 26.000 ms · in these call paths 7.0000 ms · program 29 % · MPI 71 % · "
        "Late Sender 3.0000 ms");
}

TEST_F(FilteredTimeline, what_is_drawn_of_all_call_paths_says_so) {
    open();
    const QString says = "of all call paths";
    EXPECT_FALSE(pane().message().contains(says)) << pane().message().toStdString();
    showOnly("only-call=main/f");
    EXPECT_FALSE(pane().message().contains(says)) << "calls are drawn one by one";
    pane().setColors(TimelineColors::Metric, "delay");
    settle();
    EXPECT_TRUE(pane().message().startsWith("the heat map is of all call paths"))
        << "a delay is spread over many: " << pane().message().toStdString();
    showOnly(u"only-system="_qs + keyOfSystem(u"MPI Rank 1"_qs));
    pane().setColors(TimelineColors::Mpi);
    settle();
    EXPECT_FALSE(pane().message().contains(says)) << "all call paths of the threads are shown";
}

TEST_F(FilteredTimeline, pieces_of_time_are_those_of_its_calls) {
    open();
    showOnly("only-region=f");
    const TimelineRows rows(view().picture(),
                            CallsInPart(browser().experiment(), pane().track()->definitions()));
    const std::size_t row = *view().picture()->rowOf(*view().lineOf(holos::analyzer::trace::LocationId(1)));
    using Times = std::vector<std::pair<holos::analyzer::trace::Ticks, holos::analyzer::trace::Ticks>>;
    EXPECT_EQ(rows.piecesOf(row, 0, 50), (Times{{39, 40}, {45, 46}})) << "around its MPI_Recv";
    EXPECT_EQ(rows.piecesOf(row, 40, 45), Times());
    EXPECT_EQ(TimelineRows(view().picture()).piecesOf(row, 3, 7), (Times{{3, 7}})) << "nothing is left out";
    EXPECT_EQ(rows.callBelongs(row, 39, 50), true);
    EXPECT_EQ(rows.callBelongs(row, 40, 45), false);
    EXPECT_EQ(rows.callBelongs(row, 1, 2), std::nullopt);
}
