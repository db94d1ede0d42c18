// SPDX-License-Identifier: BSD-3-Clause
// What the right mouse button offers for a row of a tree.
#include <QAction>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "gui/experiments/open_experiments.h"
#include "gui/metrics/metric_editor.h"
#include "gui/views/detail_views.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

class ContextMenu : public Window {
  protected:
    void choose(TreePane* pane, const QString& text) {
        for (QAction* action : pane->tree()->actions())
            if (action->text() == text) return action->trigger();
        FAIL() << text.toStdString();
    }
};

}  // namespace

TEST_F(ContextMenu, path_of_a_row_is_copied) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "Copy path");
    EXPECT_EQ(QApplication::clipboard()->text(), "main / solve");
}

TEST_F(ContextMenu, row_becomes_the_whole_tree_and_back) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "Only this, or everything again");
    EXPECT_EQ(calls->model()->index(0, 0).data(), "solve");
    choose(calls, "Only this, or everything again");
    EXPECT_EQ(calls->model()->index(0, 0).data(), "main");
}

TEST_F(ContextMenu, row_becomes_100_percent_and_the_menu_says_so) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "This as 100 percent");
    EXPECT_EQ(shown(calls, "solve"), "100.00");
    const ValueMode mode = browser().selection().mode();
    EXPECT_EQ(mode, ValueMode::OfSelection);
    const auto boxes = window.findChildren<QComboBox*>();
    EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [mode](const QComboBox* box) {
        return box->currentText() == QString::fromUtf8(valueModes()[static_cast<std::size_t>(mode)].title);
    }));
}

TEST_F(ContextMenu, source_and_longest_waits_of_a_call_path_open) {
    TreePane* calls = browser().callPane();
    choose(calls, "Source");
    EXPECT_EQ(browser().details()->opened(), "source");
    choose(calls, "Longest waits in the timeline");
    EXPECT_EQ(browser().details()->opened(), "timeline");
}

TEST_F(ContextMenu, rows_are_sorted_by_value_and_back) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "Largest first, or as recorded");
    EXPECT_TRUE(toText(browser().views().state()).contains("sorted=call"));
    const QModelIndex main = named(calls, "main");
    EXPECT_EQ(calls->model()->index(0, 0, main).data(), "solve");  // 14 s
    EXPECT_EQ(calls->model()->index(1, 0, main).data(), "init");   // 4 s
    EXPECT_EQ(calls->current().data(), "solve");
    EXPECT_TRUE(calls->tree()->isExpanded(named(calls, "solve")));
    ASSERT_TRUE(browser().selectMetric("inside"));  // of init alone
    EXPECT_EQ(calls->model()->index(0, 0, main).data(), "init");
    ASSERT_TRUE(browser().selectMetric("time"));
    choose(calls, "Largest first, or as recorded");
    EXPECT_EQ(calls->model()->index(0, 0, named(calls, "main")).data(), "init");
    EXPECT_FALSE(toText(browser().views().state()).contains("sorted="));
}

TEST_F(ContextMenu, metric_can_be_derived_from_a_metric) {
    TreePane* metrics = browser().metricPane();
    click(metrics, "Time");
    QTimer::singleShot(0, [] {
        auto* editor = qobject_cast<MetricEditor*>(QApplication::activeModalWidget());
        ASSERT_NE(editor, nullptr);
        EXPECT_EQ(editor->text()->toPlainText(), "metric::time()");
        editor->nameBox()->setText("twice");
        editor->text()->setPlainText("metric::time() * 2");
        EXPECT_TRUE(QTest::qWaitFor([editor] { return editor->addButton()->isEnabled(); }, 60000));
        editor->accept();
    });
    choose(metrics, "Derive a metric from it…");
    EXPECT_EQ(shown(browser().metricPane(), "twice"), "40.00");
    EXPECT_EQ(window.experiments().all().size(), 1U);
}

TEST_F(ContextMenu, call_tree_can_be_cut_to_a_region) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "Cut to the selected region");
    ASSERT_TRUE(QTest::qWaitFor([this] { return window.experiments().all().size() == 2; }, 60000));
    EXPECT_EQ(browser().callPane()->model()->index(0, 0).data(), "solve");
}
