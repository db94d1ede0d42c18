// SPDX-License-Identifier: BSD-3-Clause
// Rows that are left out: what has nothing, and what a search does not find.
#include <QHeaderView>
#include <QLineEdit>

#include "gui/models/counterpart.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

class RowHidingTest : public Window {
  protected:
    static void settle() {
        for (int times = 0; times < 3; ++times) QApplication::processEvents();
    }
    static bool isHidden(TreePane* pane, const QString& name) {
        const QModelIndex row = named(pane, name);
        return pane->tree()->isRowHidden(row.row(), row.parent());
    }
    /// What the pane says of hidden rows; empty: nothing.
    static QString said(TreePane* pane) {
        const auto* label =
            static_cast<ElidedLabel*>(pane->findChild<QWidget*>("Hidden rows", Qt::FindDirectChildrenOnly));
        return label->isHidden() ? QString() : label->text();
    }
};

}  // namespace

TEST_F(RowHidingTest, pane_says_how_many_rows_with_nothing_are_hidden) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    browser().callPane()->expandAll();
    settle();
    EXPECT_EQ(said(browser().callPane()), "Hidden: 1 row that is zero");  // init
    browser().metricPane()->collapseAll();                                // all of the time
    settle();
    EXPECT_EQ(said(browser().callPane()), "");
}

TEST_F(RowHidingTest, pane_says_how_much_hidden_rows_have_together) {
    ASSERT_TRUE(browser().selectMetric("mpi_latesender"));  // 0.5 s and 2 s
    browser().setHideBelow(0.5);
    browser().systemPane()->expandAll();
    settle();
    EXPECT_TRUE(isHidden(browser().systemPane(), "MPI Rank 0"));
    EXPECT_TRUE(said(browser().systemPane()).contains("Hidden: 2 rows with 500"))
        << said(browser().systemPane()).toStdString();
}

TEST_F(RowHidingTest, nothing_is_hidden_where_values_may_cancel_out) {
    window.show("signed.cubex", std::make_shared<const holos::algebra::Experiment>(signedExperiment()));
    browser().callPane()->expandAll();
    settle();
    EXPECT_EQ(said(browser().callPane()), "");
    EXPECT_FALSE(isHidden(browser().callPane(), "MPI_Recv"));
}

TEST_F(RowHidingTest, search_leaves_out_what_does_not_lead_to_a_match) {
    TreePane* calls = browser().callPane();
    calls->searchBox()->setText("recv");
    settle();
    EXPECT_TRUE(calls->tree()->isExpanded(named(calls, "solve")));
    EXPECT_TRUE(isHidden(calls, "init"));
    EXPECT_FALSE(isHidden(calls, "MPI_Recv"));
    calls->searchBox()->setText("solve");  // what is below a match can be seen, too
    settle();
    EXPECT_TRUE(isHidden(calls, "init"));
    EXPECT_FALSE(isHidden(calls, "MPI_Recv"));
    calls->searchBox()->setText("nothing of this");
    settle();
    EXPECT_FALSE(isHidden(calls, "init"));
}

TEST_F(RowHidingTest, search_that_opens_the_current_row_selects_what_it_has_by_itself) {
    ASSERT_TRUE(browser().selectMetric("time"));
    browser().metricPane()->collapseAll();
    browser().metricPane()->tree()->selectionModel()->clearSelection();
    EXPECT_EQ(browser().selection().metric().extent, holos::algebra::Extent::Inclusive);
    browser().metricPane()->searchBox()->setText("late");
    settle();
    EXPECT_EQ(browser().selection().metric().extent, holos::algebra::Extent::Exclusive);
}

TEST_F(RowHidingTest, cleared_search_closes_what_it_opened) {
    TreePane* calls = browser().callPane();
    calls->searchBox()->setText("recv");
    settle();
    calls->searchBox()->clear();
    settle();
    EXPECT_FALSE(calls->tree()->isExpanded(named(calls, "main")));
    EXPECT_EQ(shown(calls, "main"), "20.000");
    calls->tree()->expand(named(calls, "main"));
    settle();
    EXPECT_FALSE(isHidden(calls, "init"));
}

TEST_F(RowHidingTest, cleared_search_keeps_the_match_that_was_gone_to) {
    TreePane* calls = browser().callPane();
    calls->searchBox()->setText("recv");
    QTest::keyClick(calls->searchBox(), Qt::Key_Return);
    calls->searchBox()->clear();
    settle();
    EXPECT_EQ(calls->current().data(), "MPI_Recv");
    EXPECT_TRUE(calls->tree()->isExpanded(named(calls, "solve")));
}

TEST_F(RowHidingTest, match_is_seen_although_it_has_nothing) {
    ASSERT_TRUE(browser().selectMetric("mpi"));
    browser().callPane()->searchBox()->setText("init");
    settle();
    EXPECT_FALSE(isHidden(browser().callPane(), "init"));
}

TEST_F(RowHidingTest, columns_are_shown_on_request_with_a_heading) {
    const QTreeView* tree = browser().callPane()->tree();
    EXPECT_TRUE(tree->isHeaderHidden());
    EXPECT_TRUE(tree->isColumnHidden(TreeModel::ShareColumn));
    browser().toggleColumn(Pane::Program, TreeModel::ShareColumn);
    browser().toggleColumn(Pane::Program, TreeModel::VisitsColumn);
    browser().toggleColumn(Pane::System, TreeModel::VisitsColumn);
    EXPECT_FALSE(tree->isHeaderHidden());
    EXPECT_FALSE(tree->isColumnHidden(TreeModel::ShareColumn));
    EXPECT_TRUE(tree->isColumnHidden(TreeModel::InclusiveColumn));
    EXPECT_TRUE(browser().systemPane()->tree()->isColumnHidden(TreeModel::VisitsColumn));
    EXPECT_TRUE(browser().metricPane()->tree()->isHeaderHidden());
    EXPECT_TRUE(toText(browser().views().state()).contains("columns=call.share.call.visits"));
    browser().setColumns({});
    EXPECT_TRUE(tree->isHeaderHidden());
}

TEST_F(RowHidingTest, narrow_pane_has_room_for_names_values_and_the_delta_beside_them) {
    browser().setCounterpart(
        {"other", std::make_shared<const holos::algebra::Experiment>(sampleExperiment())});
    for (const int width : {235, 320, 600}) {
        TreePane pane(u"Alone"_qs, false, browser().colors());
        pane.setModel(browser().systemPane()->model());
        pane.setColumns({TreeModel::DeltaColumn});
        pane.resize(width, 400);
        pane.show();
        pane.expandAll();
        settle();
        const QTreeView& tree = *pane.tree();
        EXPECT_EQ(tree.header()->visualIndex(TreeModel::DeltaColumn), 2);
        EXPECT_GE(tree.columnWidth(TreeModel::NameColumn), 80) << width;
        EXPECT_LE(
            tree.columnViewportPosition(TreeModel::DeltaColumn) + tree.columnWidth(TreeModel::DeltaColumn),
            tree.viewport()->width())
            << width;
        pane.setModel(nullptr);
    }
}
