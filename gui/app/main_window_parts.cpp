// SPDX-License-Identifier: BSD-3-Clause
// The window's fixed parts: its pages and the bar for messages.
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/app/main_window.h"
#include "gui/app/welcome_page.h"

namespace holos::gui {

namespace {

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
    auto* welcome = new WelcomePage(this);
    connect(welcome, &WelcomePage::choiceWanted, this, &MainWindow::askForFile);
    connect(welcome, &WelcomePage::fileWanted, this, qOverload<const QString&>(&MainWindow::open));
    progressText_ = new QLabel(this);
    progressText_->setTextFormat(Qt::PlainText);
    progressText_->setObjectName(u"Progress"_qs);
    connect(&progress_, &QTimer::timeout, this, &MainWindow::tellProgress);
    auto* stop = new QPushButton(u"Cancel"_qs, this);
    stop->setObjectName(u"Cancel"_qs);
    stop->setShortcut(Qt::Key_Escape);
    connect(stop, &QPushButton::clicked, this, &MainWindow::cancel);

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
    pages_->insertWidget(kWelcomePage, welcome);
    pages_->insertWidget(kProgressPage, centred({progressText_, stop}, this));
    tabs_ = new QTabBar(this);
    tabs_->setObjectName(u"Experiments"_qs);
    tabs_->setDocumentMode(true);
    tabs_->setExpanding(false);
    tabs_->setTabsClosable(true);
    tabs_->setFocusPolicy(Qt::NoFocus);
    tabs_->hide();
    connect(tabs_, &QTabBar::tabBarClicked, this, [this](int at) {
        if (at >= 0) activate(static_cast<std::size_t>(at));
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this,
            [this](int at) { closeExperiment(static_cast<std::size_t>(at)); });
    browsers_ = new QSplitter(this);
    browsers_->setChildrenCollapsible(false);
    auto* page = new QWidget(this);
    auto* down = new QVBoxLayout(page);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addWidget(tabs_);
    down->addWidget(browsers_, 1);
    pages_->insertWidget(kBrowserPage, page);
    auto* middle = new QWidget(this);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messageBar_);
    layout->addWidget(pages_, 1);
    setCentralWidget(middle);
}

}  // namespace holos::gui
