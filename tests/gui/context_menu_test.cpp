// SPDX-License-Identifier: BSD-3-Clause
// What the right mouse button offers for a row of a tree.
#include <QAction>
#include <QClipboard>

#include "gui/experiments/open_experiments.h"
#include "gui/views/detail_views.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::test;

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

TEST_F(ContextMenu, call_tree_can_be_cut_to_a_region) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    choose(calls, "Cut to the selected region");
    ASSERT_TRUE(QTest::qWaitFor([this] { return window.experiments().all().size() == 2; }, 60000));
    EXPECT_EQ(browser().callPane()->model()->index(0, 0).data(), "solve");
}
