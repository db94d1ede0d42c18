// SPDX-License-Identifier: BSD-3-Clause
// The bar of the filter, the table of events, stacks in the timeline and the sentences of a difference, as
// they are used: by mouse and keys, and after each step the screen equals a complete repaint.
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTextBrowser>

#include "algebra/files/cubex.h"
#include "algebra/insight/runs/change.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/provenance.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/summary_pane.h"
#include "gui/views/events/event_form.h"
#include "gui/views/events/event_histogram.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/filter_bar.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_view.h"
#include "tests/gui/display/painted_texts.h"
#include "tests/gui/display/shown_window.h"
#include "tests/support/small_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;
namespace algebra = holos::algebra;

namespace {

constexpr Qt::KeyboardModifiers kControlAndShift = Qt::ControlModifier | Qt::ShiftModifier;

}  // namespace

class ScreenViews : public ShownWindow {
  protected:
    void open(Qt::Key key) {
        seat().press(key, kControlAndShift);
        waitUntilIdle();
    }

    // The bar of the filter.
    std::vector<QPushButton*> partsOfFilter() {
        std::vector<QPushButton*> parts;
        for (QPushButton* part : browser().filterBar()->findChildren<QPushButton*>())
            if (part->isVisible()) parts.push_back(part);
        return parts;
    }
    void waitForParts(std::size_t count) {
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return partsOf(browser().filter()).size() == count; }, kLongPatience));
        waitUntilIdle();
        ASSERT_EQ(partsOfFilter().size(), count);
    }

    // The table of events.
    EventsPane& events() { return *browser().details()->events(); }
    QPoint cell(int row, int column) {
        return events().table()->visualRect(events().model().index(row, column)).center();
    }
    void clickHeading(const QString& column) {
        const auto* header = events().table()->horizontalHeader();
        const int at = static_cast<int>(events().model().columns().indexOf(column));
        seat().click(header->viewport(), {header->sectionViewportPosition(at) + 20, header->height() / 2});
        waitUntilIdle();
    }
    /// What is painted of the rows is what the model has.
    void expectRowsPainted() {
        QWidget* place = events().table()->viewport();
        PaintedTexts paper(place->size());
        place->render(&paper);
        QStringList painted = paper.texts();
        const int last = std::min(events().model().rowCount(), 4);
        for (int row = 0; row < last; ++row) {
            const QString text = events().model().cellText(row, 0);
            EXPECT_TRUE(painted.contains(text)) << row << ": " << text.toStdString();
        }
    }
};

TEST_F(ScreenViews, filter_bar_names_each_part_and_a_click_removes_it) {
    TreePane* calls = browser().callPane();
    clickRow(calls, calls->model()->index(0, 0));
    seat().press(Qt::Key_E, kControlAndShift);
    for (int row = 0; row < 2; ++row) seat().press(Qt::Key_Down);
    const QString path = browser().callPane()->current().data().toString();
    browser().showOnlyCallPaths();
    waitForParts(1);
    check(u"showing a call path alone"_qs);
    EXPECT_TRUE(partsOfFilter()[0]->accessibleName().contains(path.section(u' ', 0, 0)))
        << partsOfFilter()[0]->accessibleName().toStdString() << " of " << path.toStdString();

    TreePane* system = browser().systemPane();
    clickRow(system, system->model()->index(0, 0));
    seat().press(Qt::Key_E, kControlAndShift);
    seat().press(Qt::Key_End);
    browser().showOnlyPlaces();
    waitForParts(2);
    check(u"and a thread alone"_qs);
    EXPECT_EQ(browser().filter().places.size(), 1);
    EXPECT_FALSE(browser().filter().callPaths.isEmpty());

    // The tables and trees that are open know of it, too.
    open(Qt::Key_K);
    EXPECT_TRUE(events().message().contains(u"only "_qs)) << events().message().toStdString();
    check(u"the table of events of that part"_qs);

    const QWidget* first = partsOfFilter()[0];
    seat().click(first, first->rect().center());
    waitForParts(1);
    check(u"removing the first part"_qs);
    const QWidget* other = partsOfFilter()[0];
    seat().click(other, other->rect().center());
    ASSERT_TRUE(QTest::qWaitFor([this] { return browser().filter().isEmpty(); }, kLongPatience));
    waitUntilIdle();
    EXPECT_FALSE(browser().filterBar()->isVisible());
    check(u"removing the last part"_qs);
}

TEST_F(ScreenViews, table_of_events_is_sorted_filtered_and_leads_to_call_paths) {
    resizeTo({1200, 850});
    open(Qt::Key_K);
    check(u"opening the table of events"_qs);
    const auto all = events().model().total();
    ASSERT_TRUE(all);
    EXPECT_GT(*all, 1000U);
    expectRowsPainted();

    clickHeading(u"start"_qs);
    check(u"sorting by start"_qs);
    expectRowsPainted();
    clickHeading(u"start"_qs);
    check(u"sorting the other way"_qs);
    EXPECT_EQ(events().model().cellText(0, static_cast<int>(events().model().columns().indexOf(u"start"_qs))),
              u"0.000000 s"_qs);

    seat().click(events().form()->filterBox(), events().form()->filterBox()->rect().center());
    seat().type(u"mpi"_qs);
    seat().press(Qt::Key_Return);
    waitUntilIdle();
    check(u"filtering by a name"_qs);
    EXPECT_LT(events().model().total(), all);
    expectRowsPainted();

    seat().click(events().table()->viewport(), cell(1, 2));
    waitUntilIdle();
    check(u"choosing a row"_qs);
    EXPECT_TRUE(browser().callPane()->current().data().toString().startsWith(u"MPI_"_qs))
        << browser().callPane()->current().data().toString().toStdString();
    seat().press(Qt::Key_Down);
    waitUntilIdle();
    check(u"the next row by keyboard"_qs);
    seat().wheel(events().table()->viewport(), events().table()->viewport()->rect().center(), -3);
    waitUntilIdle();
    check(u"scrolling"_qs);
    seat().press(Qt::Key_Return);
    waitUntilIdle();
    EXPECT_EQ(browser().details()->opened(), u"timeline"_qs);
    check(u"going to the moment in the timeline"_qs);
}

TEST_F(ScreenViews, histogram_of_events_shows_the_rows_of_a_bar_alone) {
    resizeTo({1200, 850});
    open(Qt::Key_K);
    const EventHistogram* histogram = events().histogram();
    ASSERT_FALSE(histogram->bars().empty());
    const std::size_t last = histogram->bars().size() - 1;
    const auto rows = histogram->bars()[last].rows;
    seat().click(histogram, histogram->barRect(last).center().toPoint());
    waitUntilIdle();
    check(u"the rows of a bar alone"_qs);
    EXPECT_EQ(events().model().total(), rows) << events().question().filter.toStdString();
}

TEST_F(ScreenViews, stacks_in_the_timeline_open_are_clicked_and_close) {
    resizeTo({1200, 850});
    open(Qt::Key_T);
    const TimelineView* view = browser().details()->timeline()->view();
    const int left = view->labelWidth();
    const QRect first = view->lineRect(0);
    seat().click(view->viewport(), {4, first.center().y()});  // the arrow in front of its name
    waitUntilIdle();
    check(u"opening a stack"_qs);
    ASSERT_EQ(view->layout().openStacks().size(), 1U);
    EXPECT_EQ((*view->layout().lines())[1].stackOf,
              holos::analyzer::trace::LocationId(view->layout().openStacks().front()));

    const int x = left + (view->viewport()->width() - left) / 2;
    seat().click(view->viewport(), {x, view->lineRect(1).center().y()});
    waitUntilIdle();
    check(u"choosing a call of the stack"_qs);
    const QString outer = browser().callPane()->current().data().toString();
    EXPECT_EQ(outer, browser().callPane()->model()->index(0, 0).data().toString());

    seat().press(Qt::Key_Plus);
    waitUntilIdle();
    check(u"zooming into a stack"_qs);
    seat().press(Qt::Key_Home);
    waitUntilIdle();
    check(u"the whole run again"_qs);
    seat().click(view->viewport(), {4, view->lineRect(0).center().y()});
    waitUntilIdle();
    check(u"closing the stack"_qs);
    EXPECT_TRUE(view->layout().openStacks().empty());
}

TEST_F(ScreenViews, name_of_a_group_stays_in_sight_and_folds_it) {
    resizeTo({1200, 520});  // too low for all lines
    open(Qt::Key_T);
    browser().details()->timeline()->setGrouping(TimelineGrouping::Processes);
    waitUntilIdle();
    TimelineView* view = browser().details()->timeline()->view();
    EXPECT_FALSE(view->pinnedGroup());
    seat().click(view->viewport(), {60, view->lineRect(0).center().y()});
    waitUntilIdle();
    check(u"opening a group"_qs);
    const int lines = view->layout().count();
    // Its second line is the first in sight.
    view->verticalScrollBar()->setValue(view->lineRect(1).top() - view->lineRect(0).top() + 2);
    waitUntilIdle();
    check(u"scrolling its name away"_qs);
    ASSERT_GT(view->verticalScrollBar()->value(), 0);
    ASSERT_EQ(view->pinnedGroup(), 0);
    seat().click(view->viewport(), view->pinnedRect().center());
    waitUntilIdle();
    check(u"folding it by the name that stayed"_qs);
    EXPECT_LT(view->layout().count(), lines);
}

/// A difference of two runs, which says in sentences what changed.
class ScreenOfDifference : public ShownWindow {
  protected:
    static algebra::Experiment runOf(double seconds, double calls) {
        namespace support = holos::testing;
        support::SmallExperiment build(2, 1);
        build.metric(support::seconds("time"), "", {{"main", {1, 1}}, {"main/solve", {seconds, seconds}}});
        build.counter("visits", {{"main", {1, 1}}, {"main/solve", {calls, calls}}});
        return build.take();
    }
    ExperimentPtr experimentIn(const std::filesystem::path& folder) override {
        const algebra::Experiment first = runOf(2, 10), second = runOf(4, 20);
        algebra::Experiment difference = algebra::diff(first, second);
        algebra::keepChange(*algebra::changeBetween({"before", {first}}, {"after", {second}}), difference);
        algebra::setProvenance(difference, {"diff", "1", {}, {}});
        algebra::writeCubex(difference, (folder / "analysis.cubex").string());
        return std::make_shared<const algebra::Experiment>(std::move(difference));
    }
};

TEST_F(ScreenOfDifference, sentences_say_how_much_slower_and_because_of_what) {
    if (browser().details()->opened() != u"summary"_qs) seat().press(Qt::Key_U, kControlAndShift);
    waitUntilIdle();
    check(u"opening the summary"_qs);
    const QString text = browser().details()->summary()->text()->toPlainText();
    EXPECT_TRUE(
        text.startsWith(u"after is 67 % slower than before, because main › solve takes 2.00 s longer: it is "
                        u"called 40 times instead of 20."_qs))
        << text.toStdString();
    PaintedTexts paper(browser().details()->summary()->text()->viewport()->size());
    browser().details()->summary()->text()->viewport()->render(&paper);
    EXPECT_TRUE(paper.texts().join(QString()).contains(u"67 % slower than before"_qs))
        << paper.texts().join(u"|"_qs).toStdString();
    resizeTo({700, 500});
    check(u"a narrow window"_qs);
}
