// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <QTreeView>
#include <filesystem>
#include <memory>
#include <string>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/display/screen.h"
#include "tests/gui/display/seat.h"
#include "tests/support/temporary_directory.h"

namespace holos::gui::testing {

/// Milliseconds until something that does not come is missing.
inline constexpr int kLongPatience = 60000;

/// The browser on the virtual display, with an experiment of eight processes of two threads and its trace, or
/// with another one.
class ShownWindow : public ::testing::Test {
  public:
    /// Why there is no display: all tests are skipped.
    static void setProblem(const std::string& problem) { problem_ = problem; }

  protected:
    void SetUp() override;
    void TearDown() override;

    /// What the window shows. A trace of it would be in the folder.
    virtual ExperimentPtr experimentIn(const std::filesystem::path& folder);
    MainWindow& window() { return *window_; }
    Browser& browser() { return *window_->browser(); }
    Seat& seat() { return *seat_; }

    static QModelIndex rowNamed(const TreePane* pane, const QString& name);
    /// The row's name, or the arrow in front of it.
    void clickRow(const TreePane* pane, const QModelIndex& row, Qt::KeyboardModifiers held = {});
    void clickArrow(const TreePane* pane, const QModelIndex& row);
    /// Everything is as a complete repaint shows it.
    /// Until the view below the panes has read what it shows.
    void waitUntilIdle();
    void check(const QString& after) { ASSERT_TRUE(isCompletelyPainted(*seat_, after)); }
    void resizeTo(QSize size);
    void hideAndShow();

  private:
    static std::string problem_;
    std::unique_ptr<holos::testing::TemporaryDirectory> directory_;
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<Seat> seat_;
};

}  // namespace holos::gui::testing
