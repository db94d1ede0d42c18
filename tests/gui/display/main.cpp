// SPDX-License-Identifier: BSD-3-Clause
// Tests of the browser on a display as people have it: an X server with a window manager, mouse and keys.
#include <gtest/gtest.h>

#include <QApplication>

#include "gui/app/appearance.h"
#include "tests/gui/display/shown_window.h"
#include "tests/gui/display/virtual_display.h"

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
    const holos::gui::testing::VirtualDisplay display;
    holos::gui::testing::ShownWindow::setProblem(display.problem());
    if (display.problem().empty()) holos::gui::testing::setScreenFile(display.screenFile());
    qputenv("QT_QPA_PLATFORM", display.problem().empty() ? "xcb" : "offscreen");
    QApplication application(argc, argv);
    // Nothing on the screen changes by itself.
    QApplication::setCursorFlashTime(0);
    QApplication::setDoubleClickInterval(1);
    holos::gui::applyTheme(holos::gui::Theme::Light);
    return RUN_ALL_TESTS();
}
