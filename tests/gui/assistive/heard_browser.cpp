// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/assistive/heard_browser.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <algorithm>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "tests/support/large_trace.h"

namespace holos::gui::testing {

namespace {

constexpr qint64 kHang = 60'000;     ///< milliseconds
constexpr unsigned long kPause = 5;  ///< milliseconds

constexpr const char* kInstall = ": scripts/install-deps.sh --tests";

bool isTable(AtSpiRole role) {
    return role == AtSpiRole::Tree || role == AtSpiRole::Table || role == AtSpiRole::TreeTable;
}

void add(const Accessible& thing, bool onlyShown, std::vector<Accessible>& all) {
    if (onlyShown && !thing.is(AtSpiState::Showing)) return;
    all.push_back(thing);
    if (isTable(thing.role())) return;  // its cells
    for (const Accessible& child : thing.children()) add(child, onlyShown, all);
}

}  // namespace

void HeardBrowser::SetUp() {
    display_ = std::make_unique<VirtualDisplay>();
    if (!display_->problem().empty()) GTEST_SKIP() << display_->problem() << kInstall;
    bus_ = std::make_unique<AssistiveBus>(directory_.path().string());
    if (!bus_->problem().isEmpty()) GTEST_SKIP() << bus_->problem().toStdString() << kInstall;
    writeExperiment();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    environment.insert(QStringLiteral("HOME"), QString::fromStdString(directory_.path().string()));
    environment.remove(QStringLiteral("XDG_CONFIG_HOME"));
    browser_.setProcessEnvironment(environment);
    browser_.setProcessChannelMode(QProcess::ForwardedChannels);
    browser_.start(QStringLiteral(HOLOS_VIEW_PROGRAM),
                   {QString::fromStdString((directory_.path() / "analysis.cubex").string())});
    ASSERT_TRUE(browser_.waitForStarted());
    ASSERT_TRUE(comes([this] { return (window_ = findWindow()).has_value(); }))
        << "no window, or it has no trees";
}

void HeardBrowser::TearDown() {
    browser_.terminate();
    if (browser_.state() != QProcess::NotRunning) browser_.waitForFinished();
}

void HeardBrowser::writeExperiment() {
    holos::testing::LargeTraceShape shape;
    shape.processes = 4;
    shape.threads = 2;
    shape.rounds = 4;
    shape.callsPerRound = 40;
    shape.callPaths = 30;
    shape.depth = 5;
    shape.parallelsPerRound = 2;
    holos::testing::writeLargeTrace(directory_.path(), shape);
    algebra::writeCubex(holos::analyzer::analyze(directory_.path()).experiment,
                        (directory_.path() / "analysis.cubex").string());
}

std::optional<Accessible> HeardBrowser::findWindow() const {
    for (const Accessible& program : Accessible::desktop(bus_->connection()).children())
        for (const Accessible& window : program.children()) {
            if (window.role() != AtSpiRole::Frame) continue;
            std::vector<Accessible> all;
            add(window, true, all);
            if (std::count_if(all.begin(), all.end(),
                              [](const Accessible& thing) { return isTable(thing.role()); }) >= 3)
                return window;
        }
    return std::nullopt;
}

std::vector<Accessible> HeardBrowser::shown() const {
    std::vector<Accessible> all;
    add(*window_, true, all);
    return all;
}

std::vector<Accessible> HeardBrowser::everything() const {
    std::vector<Accessible> all;
    add(*window_, false, all);
    return all;
}

Accessible HeardBrowser::named(const QString& name) {
    std::optional<Accessible> found;
    const auto isThere = [&] {
        for (const Accessible& thing : shown())
            if (thing.name() == name) found = thing;
        return found.has_value();
    };
    if (!comes(isThere)) throw std::runtime_error("nothing is named " + name.toStdString());
    return *found;
}

QStringList HeardBrowser::descriptionsOf(const QString& name, const QString& part) {
    QStringList said;
    comes([&] {
        said.clear();
        for (const Accessible& thing : shown())
            if (thing.name() == name) said << thing.description();
        return std::any_of(said.begin(), said.end(), [&](const QString& one) { return one.contains(part); });
    });
    return said;
}

void HeardBrowser::choose(const QString& action) {
    for (const Accessible& thing : everything()) {
        const AtSpiRole role = thing.role();
        if ((role != AtSpiRole::MenuItem && role != AtSpiRole::CheckMenuItem) || thing.name() != action)
            continue;
        ASSERT_TRUE(thing.act(QStringLiteral("Press"))) << action.toStdString();
        return;
    }
    FAIL() << "no menu has " << action.toStdString();
}

bool HeardBrowser::comes(const std::function<bool()>& condition) {
    QElapsedTimer waited;
    waited.start();
    for (;;) {
        QCoreApplication::processEvents();
        if (condition()) return true;
        if (waited.elapsed() > kHang) return false;
        QThread::msleep(kPause);
    }
}

}  // namespace holos::gui::testing
