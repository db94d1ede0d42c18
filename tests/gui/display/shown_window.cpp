// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/shown_window.h"

#include <QApplication>
#include <QScreen>
#include <QTest>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "tests/support/large_trace.h"

namespace holos::gui::testing {

namespace {

/// A tool tip comes when the pointer has been still for some time, and is a window of its own.
class NoToolTips : public QObject {
  protected:
    bool eventFilter(QObject*, QEvent* event) override { return event->type() == QEvent::ToolTip; }
};

holos::testing::LargeTraceShape smallTrace() {
    holos::testing::LargeTraceShape shape;
    shape.processes = 8;
    shape.threads = 2;
    shape.rounds = 6;
    shape.callsPerRound = 60;
    shape.callPaths = 60;
    shape.depth = 6;
    shape.parallelsPerRound = 2;
    return shape;
}

}  // namespace

std::string ShownWindow::problem_;

void ShownWindow::SetUp() {
    if (!problem_.empty()) GTEST_SKIP() << problem_ << ": scripts/install-deps.sh --tests";
    static NoToolTips filter;
    qApp->installEventFilter(&filter);
    directory_ = std::make_unique<holos::testing::TemporaryDirectory>();
    holos::testing::writeLargeTrace(directory_->path(), smallTrace());
    const auto experiment =
        std::make_shared<const algebra::Experiment>(holos::analyzer::analyze(directory_->path()).experiment);
    const std::string file = (directory_->path() / "analysis.cubex").string();
    algebra::writeCubex(*experiment, file);
    window_ = std::make_unique<MainWindow>();
    window_->resize(1000, 700);
    window_->show(QString::fromStdString(file), experiment);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), 60000));
    seat_ = std::make_unique<Seat>();
    seat_->settle();
}

void ShownWindow::TearDown() {
    seat_.reset();
    window_.reset();
}

QModelIndex ShownWindow::rowNamed(const TreePane* pane, const QString& name) {
    const auto found = pane->model()->match(pane->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                            Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

void ShownWindow::clickRow(const TreePane* pane, const QModelIndex& row, Qt::KeyboardModifiers held) {
    const QRect place = pane->tree()->visualRect(row);
    seat_->click(pane->tree()->viewport(), place.center(), held);
}

void ShownWindow::clickArrow(const TreePane* pane, const QModelIndex& row) {
    const QRect place = pane->tree()->visualRect(row);
    seat_->click(pane->tree()->viewport(),
                 {place.left() - pane->tree()->indentation() / 2, place.center().y()});
}

/// As a window manager does it.
void ShownWindow::resizeTo(QSize size) {
    window_->resize(size);
    // Qt knows the new size at once; the window manager gives it later.
    const auto hasSize = [&] { return window_->screen()->grabWindow(window_->winId()).size() == size; };
    ASSERT_TRUE(QTest::qWaitFor(hasSize, 60000));
    seat_->settle();
}

}  // namespace holos::gui::testing
