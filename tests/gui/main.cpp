// SPDX-License-Identifier: BSD-3-Clause
// Tests of the browser need an application, and no display.
#include <gtest/gtest.h>

#include <QApplication>

#include "gui/app/appearance.h"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    ::testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    holos::gui::applyTheme(holos::gui::Theme::Light);
    return RUN_ALL_TESTS();
}
