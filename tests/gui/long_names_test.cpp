// SPDX-License-Identifier: BSD-3-Clause
// Long names of functions are short for reading, and whole on request, in every view.
#include <gtest/gtest.h>

#include <QTest>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/timeline/timeline_waits.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

using namespace holos::gui;
using namespace holos::testing;
using holos::algebra::Experiment;

namespace {

const std::string kWhole =
    "void std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > "
    ">::_M_realloc_insert<int>(int const&)";
constexpr const char* kShort = "std::vector<…>::_M_realloc_insert<…>";

/// Rank 1 waits from 20 to 25 in a function with a long name. Ticks of 1 ms.
class LongNamesInViews : public ::testing::Test {
  protected:
    LongNamesInViews() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(25, 26, {.peer = 1}).leave(50);
        trace.on(1).enter(0, "main").enter(10, kWhole).recv(20, 27, {.peer = 0}).leave(30).leave(50);
        trace.write(directory.path());
        experiment =
            std::make_shared<const Experiment>(holos::analyzer::analyze(directory.path()).experiment);
        holos::algebra::writeCubex(*experiment, file());
        window.resize(1200, 800);
        window.show(QString::fromStdString(file()), experiment);
        window.show();
        browser().toggleDetail("timeline");
        EXPECT_TRUE(QTest::qWaitFor([this] { return !browser().details()->isBusy(); }, 120000));
        view().showAll();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !browser().details()->isBusy(); }, 120000));
    }
    std::string file() const { return (directory.path() / "analysis.cubex").string(); }
    Browser& browser() { return *window.browser(); }
    TimelineView& view() { return *browser().details()->timeline()->view(); }
    QString inTimeline() { return view().textAt({qRound(view().xOf(12)), view().lineRect(1).center().y()}); }
    QString inList() {
        const QAbstractItemModel* waits = browser().details()->timeline()->instances()->model();
        return waits->index(0, InstanceModel::CallPathColumn).data(Qt::ToolTipRole).toString();
    }
    QString inTree() {
        browser().expandHottest();
        return browser().callPane()->current().parent().data(TreeModel::ShownNameRole).toString();
    }

    TemporaryDirectory directory;
    ExperimentPtr experiment;
    MainWindow window;
};

}  // namespace

TEST_F(LongNamesInViews, are_short_in_tree_timeline_and_list_of_waits) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    EXPECT_EQ(inTree(), kShort);
    EXPECT_TRUE(inTimeline().contains(QString("\nmain\n") + kShort + ": ")) << inTimeline().toStdString();
    EXPECT_TRUE(inList().contains("main/" + QString(kShort).toHtmlEscaped() + "/MPI_Recv"))
        << inList().toStdString();
}

TEST_F(LongNamesInViews, are_whole_on_request_and_that_is_remembered) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));
    browser().selection().setWholeNames(true);
    QApplication::processEvents();
    const QString whole = QString::fromStdString(kWhole);
    EXPECT_EQ(inTree(), whole);
    EXPECT_TRUE(inTimeline().contains(whole + ": ")) << inTimeline().toStdString();
    EXPECT_TRUE(inList().contains(whole.toHtmlEscaped())) << inList().toStdString();
    EXPECT_TRUE(browser().views().state().wholeNames);
    browser().views().restore(ViewState());
    EXPECT_FALSE(browser().selection().wholeNames());
}

TEST_F(LongNamesInViews, chosen_wait_leads_to_its_call_path) {
    const InstanceModel waits(*experiment);
    ASSERT_EQ(waits.rowCount(), 1);
    const auto path = waits.callPathOf(waits.at(0));
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(waits.rowOf(*path), 0);
    EXPECT_EQ(experiment->regionOf(*experiment->callTree.parent(*path)).name, kWhole);
}
