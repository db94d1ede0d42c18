// SPDX-License-Identifier: BSD-3-Clause
// Texts that leave the window or come into it: copied rows, and names that look like something else.
#include <QClipboard>
#include <QTableView>

#include "gui/models/plain_text.h"
#include "gui/views/parts/copying.h"
#include "gui/views/system_views.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST_F(Window, copied_rows_have_a_heading_and_their_values_with_units) {
    TreePane* calls = browser().callPane();
    calls->expandAll();
    click(calls, "solve");
    click(calls, "init", Qt::ControlModifier);
    QTest::keyClick(calls->tree(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              "Name\tValue\ninit\t4.000 s\nsolve\t10.000 s\n");
}

TEST_F(Window, copied_rows_have_no_hidden_columns_and_no_spaces_in_numbers) {
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QApplication::processEvents();
    QTableView* table = browser().systemViews()->table();
    table->selectRow(0);
    table->setColumnHidden(0, true);
    const QStringList lines = selectedRows(*table).split('\n');
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0].count('\t'), lines[1].count('\t'));
    EXPECT_FALSE(lines[0].contains(table->model()->headerData(0, Qt::Horizontal).toString()));
    EXPECT_FALSE(lines[1].contains(kThinSpace));
}

TEST(CopiedRows, of_nothing_selected_are_nothing) {
    QTableView table;
    EXPECT_TRUE(selectedRows(table).isEmpty());
}

TEST(PlainText, name_that_looks_like_html_is_a_name_in_tool_tips) {
    EXPECT_EQ(asToolTip("std::vector<a>\nand <b>"),
              "<p style=\"white-space:pre-wrap\">std::vector&lt;a&gt;\nand &lt;b&gt;</p>");
    EXPECT_TRUE(asToolTip({}).isEmpty());
}

TEST(PlainText, name_of_several_lines_is_on_one) {
    EXPECT_EQ(onOneLine("first\nsecond\u202e"), "first second ");
    EXPECT_EQ(onOneLine("größe"), "größe");
}
