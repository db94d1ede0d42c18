// SPDX-License-Identifier: BSD-3-Clause
// The window's fixed parts: pages, actions, and what they ask.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

namespace {

constexpr int kProgressWidth = 320;

QWidget* centred(std::initializer_list<QWidget*> widgets, QWidget* parent) {
    auto* page = new QWidget(parent);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch();
    for (QWidget* widget : widgets) layout->addWidget(widget, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

}  // namespace

void MainWindow::buildPages() {
    auto* welcome =
        new QLabel(u"Open an experiment (<code>.cubex</code>) to see where its time goes."_qs, this);
    auto* button = new QPushButton(u"Open…"_qs, this);
    connect(button, &QPushButton::clicked, this, &MainWindow::askForFile);
    progressText_ = new QLabel(this);
    auto* progress = new QProgressBar(this);
    progress->setRange(0, 0);
    progress->setTextVisible(false);
    progress->setFixedWidth(kProgressWidth);

    messageBar_ = new QFrame(this);
    messageBar_->setObjectName(u"MessageBar"_qs);
    messageBar_->setAutoFillBackground(true);
    QPalette warning = messageBar_->palette();
    const bool dark = warning.color(QPalette::Window).lightness() < 128;
    warning.setColor(QPalette::Window, dark ? QColor(0x5a3a12) : QColor(0xfdf0d5));
    messageBar_->setPalette(warning);
    messageText_ = new QLabel(messageBar_);
    messageText_->setTextFormat(Qt::PlainText);
    messageText_->setWordWrap(true);
    messageText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(messageBar_);
    close->setText(u"×"_qs);
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, [this] { setMessage({}); });
    auto* bar = new QHBoxLayout(messageBar_);
    bar->addWidget(messageText_, 1);
    bar->addWidget(close);
    messageBar_->hide();

    pages_ = new QStackedWidget(this);
    pages_->insertWidget(kWelcomePage, centred({welcome, button}, this));
    pages_->insertWidget(kProgressPage, centred({progressText_, progress}, this));
    auto* middle = new QWidget(this);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messageBar_);
    layout->addWidget(pages_, 1);
    setCentralWidget(middle);
}

QAction* MainWindow::addAction(const QString& text, const QKeySequence& key, const QString& help) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    const QString keys = key.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? help : u"%1 (%2)"_qs.arg(help, keys));
    return action;
}

void MainWindow::buildActions() {
    QAction* open = addAction(u"Open…"_qs, QKeySequence::Open, u"Open an experiment"_qs);
    QAction* quit = addAction(u"Quit"_qs, QKeySequence::Quit, u"Close the browser"_qs);
    absolute_ = addAction(u"Absolute"_qs, u"A"_qs, u"Values in their units"_qs);
    percent_ = addAction(
        u"Percent"_qs, u"P"_qs,
        u"Metrics: of the root of their hierarchy; call paths: of the metric; system: of the call paths"_qs);
    QAction* hottest =
        addAction(u"Hottest path"_qs, u"H"_qs, u"Open the trees to where the metric is largest"_qs);
    QAction* expand = addAction(u"Expand all"_qs, u"E"_qs, u"Expand everything in the active pane"_qs);
    QAction* collapse = addAction(u"Collapse all"_qs, u"C"_qs, u"Collapse everything in the active pane"_qs);
    hideZeros_ = addAction(u"Hide zeros"_qs, u"Z"_qs, u"Leave out what is zero with everything below it"_qs);
    hideZeros_->setCheckable(true);
    QAction* find = addAction(u"Find"_qs, QKeySequence::Find, u"Search in the active pane"_qs);
    QAction* aboutHolos = addAction(u"About Holos"_qs, {}, u"Version and licence"_qs);

    auto* modes = new QActionGroup(this);
    for (QAction* mode : {absolute_, percent_}) {
        mode->setCheckable(true);
        modes->addAction(mode);
    }
    absolute_->setChecked(true);

    menuBar()->addMenu(u"&File"_qs)->addActions({open, quit});
    menuBar()
        ->addMenu(u"&View"_qs)
        ->addActions({absolute_, percent_, hideZeros_, hottest, expand, collapse, find});
    menuBar()->addMenu(u"&Help"_qs)->addAction(aboutHolos);
    QToolBar* tools = addToolBar(u"Actions"_qs);
    tools->setMovable(false);
    tools->addAction(open);
    tools->addSeparator();
    tools->addActions({absolute_, percent_});
    tools->addSeparator();
    tools->addAction(hideZeros_);
    tools->addSeparator();
    tools->addActions({hottest, expand, collapse});

    connect(open, &QAction::triggered, this, &MainWindow::askForFile);
    connect(quit, &QAction::triggered, this, &QWidget::close);
    connect(absolute_, &QAction::triggered, this, [this] { setMode(ValueMode::Absolute); });
    connect(percent_, &QAction::triggered, this, [this] { setMode(ValueMode::Percent); });
    connect(hideZeros_, &QAction::toggled, this, [this](bool hide) {
        if (browser_ != nullptr) browser_->setHideZeros(hide);
    });
    const auto onBrowser = [this](QAction* action, auto act) {
        connect(action, &QAction::triggered, this, [this, act] {
            if (browser_ != nullptr) act(*browser_);
        });
    };
    onBrowser(hottest, [](Browser& browser) { browser.expandHottest(); });
    onBrowser(expand, [](Browser& browser) { browser.activePane()->expandAll(); });
    onBrowser(collapse, [](Browser& browser) { browser.activePane()->collapseAll(); });
    onBrowser(find, [](Browser& browser) { browser.activePane()->searchBox()->setFocus(); });
    connect(aboutHolos, &QAction::triggered, this, &MainWindow::about);
}

void MainWindow::askForFile() {
    const QString path = QFileDialog::getOpenFileName(
        this, u"Open an experiment"_qs, {}, u"Experiments (*.cubex *.cube *.cube.gz);;All files (*)"_qs);
    if (!path.isEmpty()) open(path);
}

void MainWindow::about() {
    QMessageBox::about(this, u"About Holos"_qs,
                       u"<b>Holos %1</b><p>Finds out where a parallel program loses time, and why.</p>"
                       u"<p>BSD 3-clause licence. Uses Qt %2 under the LGPL.</p>"_qs.arg(
                           QApplication::applicationVersion(), QString::fromLatin1(qVersion())));
}

}  // namespace holos::gui
