// SPDX-License-Identifier: BSD-3-Clause
// What is seen on a display equals a complete repaint, whatever was done.
#include <QLineEdit>

#include "gui/views/detail_views.h"
#include "gui/views/system_views.h"
#include "tests/gui/display/shown_window.h"

using namespace holos::gui;
using namespace holos::gui::test;

class Screen : public ShownWindow {
  protected:
    /// Rows deep in the trees are seen in all panes.
    void openTrees() {
        for (TreePane* pane : {browser().metricPane(), browser().callPane(), browser().systemPane()}) {
            clickRow(pane, pane->model()->index(0, 0));
            seat().press(Qt::Key_E);
        }
        check(u"expanding everything"_qs);
    }
};

TEST_F(Screen, chosen_metric_is_shown_in_all_rows) {
    openTrees();
    clickRow(browser().metricPane(), browser().metricPane()->model()->index(0, 0));
    for (int row = 0; row < 5; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing metric %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_call_path_is_shown_in_all_rows) {
    openTrees();
    clickRow(browser().callPane(), browser().callPane()->model()->index(0, 0));
    for (int row = 0; row < 4; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing call path %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_location_is_shown_in_all_rows) {
    openTrees();
    seat().press(Qt::Key_X);
    check(u"exchanging panes"_qs);
    clickRow(browser().systemPane(), browser().systemPane()->model()->index(0, 0));
    for (int row = 0; row < 4; ++row) {
        seat().press(Qt::Key_Down);
        check(u"choosing location %1"_qs.arg(row));
    }
}

TEST_F(Screen, chosen_way_to_write_values_is_shown_in_all_rows) {
    openTrees();
    for (const Qt::Key mode : {Qt::Key_P, Qt::Key_A, Qt::Key_Z, Qt::Key_Z}) {
        seat().press(mode);
        check(u"the key %1"_qs.arg(QChar(static_cast<char16_t>(mode))));
    }
    for (const ValueModeText& mode : valueModes()) {
        if (mode.value == ValueMode::External) continue;
        window().setMode(mode.value);
        check(QString::fromUtf8(mode.title));
    }
}
