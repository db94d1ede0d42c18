// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/shown_window.h"

#include <xcb/xcb.h>

#include <QApplication>
#include <QScreen>
#include <QTest>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "gui/views/detail_views.h"
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

/// Whether the window manager has shown the window and not let it go since (ICCCM, section 4.1.3.1).
bool isHeld(WId window) {
    constexpr const char* kName = "WM_STATE";
    auto* connection = qApp->nativeInterface<QNativeInterface::QX11Application>()->connection();
    const std::unique_ptr<xcb_intern_atom_reply_t, decltype(&std::free)> atom(
        xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 1, std::strlen(kName), kName), nullptr),
        &std::free);
    if (!atom) return false;
    const auto asked = xcb_get_property(connection, 0, static_cast<xcb_window_t>(window), atom->atom,
                                        XCB_GET_PROPERTY_TYPE_ANY, 0, 1);
    const std::unique_ptr<xcb_get_property_reply_t, decltype(&std::free)> state(
        xcb_get_property_reply(connection, asked, nullptr), &std::free);
    constexpr std::uint32_t kWithdrawn = 0;
    return state && state->value_len > 0 &&
           *static_cast<const std::uint32_t*>(xcb_get_property_value(state.get())) != kWithdrawn;
}

/// Whether the window got the keyboard. A window manager that is still starting may take the window for an
/// old one, which does not get it, whatever it asks for; one that comes anew does.
bool becomesActive(MainWindow& window) {
    constexpr int kPatience = 2000;  // milliseconds until it is asked for again
    for (int tries = 0; tries < 30; ++tries) {
        if (QTest::qWaitForWindowActive(&window, kPatience)) return true;
        window.hide();
        window.show();
    }
    return false;
}

}  // namespace

std::string ShownWindow::problem_;

ExperimentPtr ShownWindow::experimentIn(const std::filesystem::path& folder) {
    holos::testing::writeLargeTrace(folder, smallTrace());
    auto experiment =
        std::make_shared<const algebra::Experiment>(holos::analyzer::analyze(folder).experiment);
    algebra::writeCubex(*experiment, (folder / "analysis.cubex").string());
    return experiment;
}

void ShownWindow::SetUp() {
    if (!problem_.empty()) GTEST_SKIP() << problem_ << ": scripts/install-deps.sh --tests";
    static NoToolTips filter;
    qApp->installEventFilter(&filter);
    directory_ = std::make_unique<holos::testing::TemporaryDirectory>();
    const ExperimentPtr experiment = experimentIn(directory_->path());
    window_ = std::make_unique<MainWindow>();
    window_->resize(1000, 700);
    window_->show(QString::fromStdString((directory_->path() / "analysis.cubex").string()), experiment);
    window_->show();
    ASSERT_TRUE(becomesActive(*window_));
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

void ShownWindow::waitUntilIdle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !browser().details()->isBusy(); }, kLongPatience));
    seat_->settle();
}

/// As a window manager does it.
void ShownWindow::resizeTo(QSize size) {
    window_->resize(size);
    // Qt knows the new size at once; the window manager gives it later.
    const auto hasSize = [&] { return window_->screen()->grabWindow(window_->winId()).size() == size; };
    ASSERT_TRUE(QTest::qWaitFor(hasSize, kLongPatience));
    seat_->settle();
}

/// A window manager that has not let the window go yet would take what comes then for old news.
void ShownWindow::hideAndShow() {
    const WId id = window_->winId();
    window_->hide();
    ASSERT_TRUE(QTest::qWaitFor([id] { return !isHeld(id); }, kLongPatience));
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kLongPatience));
    ASSERT_TRUE(QTest::qWaitFor([id] { return isHeld(id); }, kLongPatience));
}

}  // namespace holos::gui::testing
