// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <QTreeView>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/sample_experiment.h"

namespace holos::gui::testing {

/// The real window with the sample experiment, driven by mouse and keys.
class Window : public ::testing::Test {
  protected:
    void SetUp() override {
        window.resize(1000, 600);
        window.show("sample.cubex", std::make_shared<const algebra::Experiment>(sampleExperiment()));
        window.show();
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }

    static QModelIndex named(TreePane* pane, const QString& name) {
        const auto found = pane->model()->match(pane->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                                Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? QModelIndex() : found.front();
    }
    static void click(TreePane* pane, const QString& name, Qt::KeyboardModifiers keys = {}) {
        const QModelIndex at = named(pane, name);
        ASSERT_TRUE(at.isValid()) << name.toStdString();
        const QPoint place = pane->tree()->visualRect(at).center();
        QTest::mouseClick(pane->tree()->viewport(), Qt::LeftButton, keys, place);
    }
    /// The arrow in front of a name.
    static void clickArrow(TreePane* pane, const QString& name) {
        const QRect row = pane->tree()->visualRect(named(pane, name));
        const QPoint place(row.left() - pane->tree()->indentation() / 2, row.center().y());
        QTest::mouseClick(pane->tree()->viewport(), Qt::LeftButton, {}, place);
    }
    static QString shown(TreePane* pane, const QString& name) {
        return named(pane, name).siblingAtColumn(TreeModel::ValueColumn).data().toString();
    }

    /// Presses keys that need something to be selected or expanded.
    void pressKeysOfTrees() {
        for (const Qt::Key key : {Qt::Key_H, Qt::Key_N, Qt::Key_R})
            QTest::keyClick(&window, key, Qt::ControlModifier);
        for (const Qt::Key key : {Qt::Key_E, Qt::Key_C, Qt::Key_P})
            QTest::keyClick(&window, key, Qt::ControlModifier | Qt::ShiftModifier);
    }

    MainWindow window;
};

}  // namespace holos::gui::testing
