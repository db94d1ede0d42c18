// SPDX-License-Identifier: BSD-3-Clause
// What the window's menus, keys and tool bar do.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QToolBar>
#include <array>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/system_views.h"
#include "gui/views/topology_page.h"
#include "gui/views/tree_pane.h"
#include "metric-specs/error.h"

namespace holos::gui {

namespace {

constexpr double kSmall = 0.01;
constexpr int kSearchWidth = 14;
constexpr std::array kSystemViewNames{"tree", "distribution", "table", "topology"};
constexpr int kSystemViews = static_cast<int>(kSystemViewNames.size());
constexpr const char* kFileKinds = "Experiments (*.cubex *.cube *.cube.gz);;All files (*)";

}  // namespace

QAction* MainWindow::addAction(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                               const std::function<void()>& act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(key);
    const QString keys = key.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? help : u"%1 (%2)"_qs.arg(help, keys));
    action->setStatusTip(help);
    connect(action, &QAction::triggered, this, act);
    return action;
}

QAction* MainWindow::addBrowserAction(QMenu* menu, const QString& text, const QKeySequence& key,
                                      const QString& help, const std::function<void(Browser&)>& act) {
    browserActions_.push_back(addAction(menu, text, key, help, [this, act] { act(*browser()); }));
    browserActions_.back()->setEnabled(false);
    return browserActions_.back();
}

void MainWindow::buildActions() {
    QToolBar* tools = addToolBar(u"Actions"_qs);
    tools->setMovable(false);
    buildFileMenu(menuBar()->addMenu(u"&File"_qs), tools);
    buildExperimentsMenu(menuBar()->addMenu(u"&Experiments"_qs));
    buildValuesMenu(menuBar()->addMenu(u"&Values"_qs), tools);
    buildViewMenu(menuBar()->addMenu(u"Vie&w"_qs), tools);
    buildBookmarksMenu(menuBar()->addMenu(u"&Bookmarks"_qs));
    buildHelpMenu(menuBar()->addMenu(u"&Help"_qs));
}

void MainWindow::buildFileMenu(QMenu* menu, QToolBar* tools) {
    tools->addAction(
        addAction(menu, u"Open…"_qs, QKeySequence::Open, u"Open an experiment"_qs, [this] { askForFile(); }));
    tools->addSeparator();
    QMenu* recent = menu->addMenu(u"Open recent"_qs);
    connect(menu, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    menu->addSeparator();
    addBrowserAction(menu, u"Export view…"_qs, u"Ctrl+E"_qs, u"The window as a picture, PDF or SVG"_qs,
                     [this](Browser&) { exportView(); });
    addBrowserAction(menu, u"Export table…"_qs, u"Ctrl+T"_qs,
                     u"What the view with the keyboard focus shows, as CSV"_qs,
                     [this](Browser&) { exportTable(); });
    addBrowserAction(menu, u"Copy link"_qs, u"Ctrl+L"_qs, u"The command that shows this view again"_qs,
                     [this](Browser& browser) {
                         QApplication::clipboard()->setText(
                             u"holos view '%1' --state '%2'"_qs.arg(path_, toText(browser.state())));
                     });
    menu->addSeparator();
    addAction(menu, u"Quit"_qs, QKeySequence::Quit, u"Close the browser"_qs, [this] { close(); });
}

void MainWindow::buildValuesMenu(QMenu* menu, QToolBar* tools) {
    auto* group = new QActionGroup(this);
    modeBox_ = new QComboBox(this);
    modeBox_->setFocusPolicy(Qt::NoFocus);
    modeBox_->setAccessibleName(u"How values are written"_qs);
    modeBox_->setToolTip(u"How values are written"_qs);
    for (const ValueModeText& text : valueModes()) {
        const ValueMode mode = text.value;
        const QString title = QString::fromUtf8(text.title);
        const QKeySequence key = mode == ValueMode::Absolute  ? QKeySequence(u"Ctrl+Shift+A"_qs)
                                 : mode == ValueMode::Percent ? QKeySequence(u"Ctrl+Shift+P"_qs)
                                                              : QKeySequence();
        QAction* action =
            addAction(menu, title, key, QString::fromUtf8(text.help), [this, mode] { chooseMode(mode); });
        action->setCheckable(true);
        group->addAction(action);
        modes_.push_back(action);
        modeBox_->addItem(title);
    }
    connect(modeBox_, &QComboBox::activated, this, [this](int at) { chooseMode(valueModes()[at].value); });
    tools->addWidget(modeBox_);
    menu->addSeparator();
    hideSmall_ = addAction(menu, u"Hide small values"_qs, u"Ctrl+9"_qs,
                           u"Leave out what is less than one percent, with everything below it"_qs, [this] {
                               hideZeros_->setChecked(false);
                               applyHiding();
                           });
    hideSmall_->setCheckable(true);
    hideZeros_ = addAction(menu, u"Hide zeros"_qs, u"Ctrl+0"_qs,
                           u"Leave out what is zero with everything below it"_qs, [this] {
                               hideSmall_->setChecked(false);
                               applyHiding();
                           });
    hideZeros_->setCheckable(true);
    tools->addAction(hideZeros_);
    addDigitsMenu(menu);
    addColorsMenu(menu);
    setMode(ValueMode::Absolute);
}

void MainWindow::buildViewMenu(QMenu* menu, QToolBar* tools) {
    tools->addSeparator();
    addBrowserAction(menu, u"Undo"_qs, QKeySequence::Undo, u"Go back to what was selected before"_qs,
                     [](Browser& browser) { browser.undo(); });
    addBrowserAction(menu, u"Redo"_qs, QKeySequence::Redo, u"Select again what was taken back"_qs,
                     [](Browser& browser) { browser.redo(); });
    menu->addSeparator();
    tools->addAction(addBrowserAction(menu, u"Hottest path"_qs, u"Ctrl+H"_qs,
                                      u"Open the trees to where the metric is largest"_qs,
                                      [](Browser& browser) { browser.expandHottest(); }));
    tools->addAction(addBrowserAction(menu, u"Expand all"_qs, u"Ctrl+Shift+E"_qs,
                                      u"Expand everything in the active pane"_qs,
                                      [](Browser& browser) { browser.activePane()->expandAll(); }));
    tools->addAction(addBrowserAction(menu, u"Collapse all"_qs, u"Ctrl+Shift+C"_qs,
                                      u"Collapse everything in the active pane"_qs,
                                      [](Browser& browser) { browser.activePane()->collapseAll(); }));
    addBrowserAction(menu, u"Next hot spot"_qs, u"Ctrl+N"_qs,
                     u"The call path with the next smaller value of its own"_qs,
                     [](Browser& browser) { browser.nextHotSpot(false); });
    addBrowserAction(menu, u"Previous hot spot"_qs, u"Ctrl+Shift+N"_qs,
                     u"The call path with the next larger value of its own"_qs,
                     [](Browser& browser) { browser.nextHotSpot(true); });
    addBrowserAction(menu, u"Re-root"_qs, u"Ctrl+R"_qs,
                     u"Show only the selected row and what is below it, or everything again"_qs,
                     [](Browser& browser) { browser.activePane()->reroot(); });
    menu->addSeparator();
    addBrowserAction(menu, u"Flat regions"_qs, u"Ctrl+G"_qs,
                     u"Regions by source module, or the call tree again"_qs, [](Browser& browser) {
                         browser.setProgramView(browser.programView() == ProgramView::CallTree
                                                    ? ProgramView::Modules
                                                    : ProgramView::CallTree);
                     });
    addProgramMenu(menu);
    addNamesMenu(menu);
    addOrderMenu(menu);
    addBrowserAction(menu, u"Exchange the last two panes"_qs, u"Ctrl+Shift+X"_qs,
                     u"Call paths of the selected part of the system, or the other way round"_qs,
                     [](Browser& browser) { browser.exchangeLastPanes(); });
    tools->addAction(addBrowserAction(menu, u"Source"_qs, u"Ctrl+Shift+S"_qs,
                                      u"The source at the selected call path, with values of lines"_qs,
                                      [](Browser& browser) { browser.toggleDetail(u"source"_qs); }));
    tools->addAction(addBrowserAction(menu, u"Timeline"_qs, u"Ctrl+Shift+T"_qs,
                                      u"The trace around the longest waits of what is selected"_qs,
                                      [](Browser& browser) { browser.toggleDetail(u"timeline"_qs); }));
    addBrowserAction(menu, u"Communication"_qs, u"Ctrl+Shift+W"_qs,
                     u"Who sends what to whom, and who waits for whom"_qs,
                     [](Browser& browser) { browser.toggleDetail(u"communication"_qs); });
    for (int view = 0; view < kSystemViews; ++view)
        addBrowserAction(menu, u"System: %1"_qs.arg(QString::fromLatin1(kSystemViewNames[view])),
                         QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + view)),
                         u"How the system is shown"_qs,
                         [view](Browser& browser) { browser.systemViews()->setCurrentIndex(view); });
    QMenu* topology = menu->addMenu(u"Topology"_qs);
    const auto addTopologyAction = [&](const QString& text, const QKeySequence& key, const QString& help,
                                       void (TopologyPage::*act)()) {
        addBrowserAction(topology, text, key, help, [act](Browser& browser) {
            browser.systemViews()->setCurrentIndex(SystemViews::TopologyTab);
            (browser.systemViews()->topology()->*act)();
        });
    };
    addTopologyAction(u"Turn"_qs, u"Ctrl+Shift+D"_qs,
                      u"The topology from another side: other dimensions go across and down"_qs,
                      &TopologyPage::turn);
    addTopologyAction(u"Exchange across and down"_qs, u"Ctrl+Shift+Y"_qs,
                      u"What goes across in the topology goes down"_qs, &TopologyPage::exchange);
    addTopologyAction(u"Stack"_qs, u"Ctrl+Shift+V"_qs,
                      u"Planes of the topology above each other, or beside each other"_qs,
                      &TopologyPage::toggleStacked);
    menu->addSeparator();
    addBrowserAction(menu, u"Next match"_qs, QKeySequence::FindNext,
                     u"The next name that is marked, in any pane"_qs,
                     [](Browser& browser) { browser.nextMatchAnywhere(); });
    auto* everywhere = new QLineEdit(this);
    everywhere->setPlaceholderText(u"Find everywhere"_qs);
    everywhere->setClearButtonEnabled(true);
    everywhere->setMaximumWidth(everywhere->fontMetrics().horizontalAdvance(u"M"_qs) * kSearchWidth);
    everywhere->setAccessibleName(u"Find everywhere"_qs);
    everywhere->setToolTip(u"Mark names in all panes that match this regular expression"_qs);
    tools->addSeparator();
    tools->addWidget(everywhere);
    addAction(menu, u"Find everywhere"_qs, u"Ctrl+Shift+F"_qs, u"Search in all panes"_qs,
              [everywhere] { everywhere->setFocus(); });
    connect(everywhere, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (browser() != nullptr) browser()->findEverywhere(text);
    });
    connect(everywhere, &QLineEdit::returnPressed, this, [this] {
        if (browser() != nullptr) browser()->nextMatchAnywhere();
    });
    addBrowserAction(menu, u"Find"_qs, QKeySequence::Find, u"Search in the active pane"_qs,
                     [](Browser& browser) { browser.activePane()->searchBox()->setFocus(); });
}

void MainWindow::applyHiding() {
    if (browser() == nullptr) return;
    browser()->setHideBelow(hideSmall_->isChecked()   ? std::optional(kSmall)
                            : hideZeros_->isChecked() ? std::optional(0.0)
                                                      : std::nullopt);
}

/// Another experiment has to be chosen before values can relate to it.
void MainWindow::chooseMode(ValueMode mode) {
    if (mode == ValueMode::External && browser() != nullptr && !browser()->hasReference()) {
        const QString path = QFileDialog::getOpenFileName(this, u"100 percent is in …"_qs, {},
                                                          QString::fromLatin1(kFileKinds));
        if (path.isEmpty()) {
            setMode(browser()->selection().mode());
            return;
        }
        try {
            browser()->setReference(loadExperiment(path));
        } catch (const Error& error) {
            setMessage(QString::fromUtf8(error.what()));
        }
    }
    setMode(mode);
}

void MainWindow::askForFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, u"Open an experiment"_qs, {}, QString::fromLatin1(kFileKinds));
    if (!path.isEmpty()) open(path);
}

}  // namespace holos::gui
