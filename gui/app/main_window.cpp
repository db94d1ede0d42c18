// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/main_window.h"

#include <QCloseEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include "gui/app/pages.h"
#include "gui/experiments/filtering.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/experiments/settings.h"
#include "gui/live/live_bar.h"
#include "gui/live/watched_run.h"
#include "gui/menus/actions.h"
#include "gui/menus/bookmarks_menu.h"
#include "gui/menus/file_menu.h"
#include "gui/menus/menus.h"
#include "gui/menus/palette.h"
#include "gui/menus/values_menu.h"
#include "gui/models/quantity.h"
#include "gui/views/browser.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {

enum Page { WelcomeFirst, Reading, Experiments };

/// `12 metrics, 340 call paths, 4 processes, 16 threads`
QString contentsOf(const algebra::Experiment& experiment) {
    const QStringList parts{
        counted(experiment.metrics.size(), u"metric"_qs, u"metrics"_qs),
        counted(experiment.callTree.size(), u"call path"_qs, u"call paths"_qs),
        counted(algebra::numberOfProcesses(experiment.system), u"process"_qs, u"processes"_qs),
        counted(algebra::numberOfThreads(experiment.system), u"thread"_qs, u"threads"_qs),
    };
    return parts.join(u", "_qs);
}

}  // namespace

MainWindow::MainWindow()
    : experiments_(new OpenExperiments(this)),
      filtering_(new Filtering(*experiments_, this)),
      opening_(new FileOpening(this)),
      messages_(new MessageBar(this)),
      live_(new LiveBar(this)),
      progress_(new ProgressPage(this)),
      pages_(new QStackedWidget(this)),
      summary_(new ElidedLabel(this)) {
    resize(1280, 800);
    restoreGeometry(windowGeometry());
    setAcceptDrops(true);
    buildMenus();
    buildPages();
    connectOpening();
    connect(live_, &LiveBar::endWanted, this, &MainWindow::endWatching);
    connect(experiments_, &OpenExperiments::failed, this, &MainWindow::setMessage);
    connect(filtering_, &Filtering::failed, this, &MainWindow::setMessage);
    connect(experiments_, &OpenExperiments::activeChanged, this, &MainWindow::describe);
    connect(experiments_, &OpenExperiments::activeChanged, this, &MainWindow::choosePage);
    // Queued: it begins while rows are painted.
    connect(experiments_, &OpenExperiments::readingChanged, this, &MainWindow::describe,
            Qt::QueuedConnection);
    summary_->setContentsMargins(6, 0, 6, 0);
    statusBar()->addWidget(summary_, 1);
    statusBar()->setSizeGripEnabled(false);
    describe();
}

/// The browsers go while the menus that follow them are still there.
MainWindow::~MainWindow() {
    watched_.reset();
    delete filtering_;
    delete experiments_;
}

void MainWindow::buildMenus() {
    auto* actions = new Actions(*experiments_, this);
    QToolBar* tools = addToolBar(u"Actions"_qs);
    tools->setMovable(false);
    const auto addMenu = [this](const QString& title) { return menuBar()->addMenu(title); };
    fileMenu_ = new FileMenu(addMenu(u"&File"_qs), tools, *actions, *experiments_, *opening_);
    QMenu* experimentsMenu = addMenu(u"&Experiments"_qs);
    fillExperimentsMenu(experimentsMenu, *actions, *experiments_, *opening_);
    addDeriveAction(experimentsMenu, *actions, *experiments_,
                    [this](const QString& text) { setMessage(text); });
    valuesMenu_ = new ValuesMenu(addMenu(u"&Values"_qs), tools, *actions, *experiments_);
    QMenu* view = addMenu(u"Vie&w"_qs);
    fillViewMenu(view, tools, *actions, *experiments_);
    addFindActions(view, tools, *actions, *experiments_);
    auto* bookmarks = new BookmarksMenu(addMenu(u"&Bookmarks"_qs), *actions, *experiments_);
    new Palette(view, *actions, *experiments_, *bookmarks, this);
    fillHelpMenu(addMenu(u"&Help"_qs), *actions, this);
    connect(fileMenu_, &FileMenu::failed, this, &MainWindow::setMessage);
    connect(fileMenu_, &FileMenu::watchWanted, this, &MainWindow::watch);
    connect(valuesMenu_, &ValuesMenu::failed, this, &MainWindow::setMessage);
}

void MainWindow::buildPages() {
    auto* welcome = new WelcomePage(this);
    connect(welcome, &WelcomePage::choiceWanted, fileMenu_, &FileMenu::askForFile);
    connect(welcome, &WelcomePage::fileWanted, this, qOverload<const QString&>(&MainWindow::open));
    pages_->insertWidget(WelcomeFirst, welcome);
    pages_->insertWidget(Reading, progress_);
    pages_->insertWidget(Experiments, experiments_);
    auto* middle = new QWidget(this);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messages_);
    layout->addWidget(live_);
    layout->addWidget(pages_, 1);
    setCentralWidget(middle);
}

void MainWindow::connectOpening() {
    connect(progress_, &ProgressPage::cancelled, opening_, &FileOpening::cancel);
    connect(opening_, &FileOpening::wanted, this, [this] { setMessage({}); });
    connect(opening_, &FileOpening::failed, messages_, &MessageBar::addMessage);
    connect(opening_, &FileOpening::started, this, [this](const QString& name) {
        progress_->start(name);
        choosePage();
    });
    connect(opening_, &FileOpening::loaded, experiments_, &OpenExperiments::addOpened);
    connect(opening_, &FileOpening::ended, this, [this](bool well) {
        progress_->stop();
        choosePage();
        Q_EMIT opened(well);
    });
    connect(opening_, &FileOpening::allEnded, this, [this](const QString& first) {
        experiments_->activate(first);
        Q_EMIT allOpened();
    });
}

void MainWindow::watch(const QString& folder) {
    watched_ = std::make_unique<WatchedRun>(folder, *experiments_, *filtering_, *live_);
    connect(watched_.get(), &WatchedRun::failed, this, &MainWindow::setMessage);
    // It may not go while it says so.
    connect(watched_.get(), &WatchedRun::closed, this, &MainWindow::endWatching, Qt::QueuedConnection);
    watched_->start();
}

/// What was analyzed stays open.
void MainWindow::endWatching() {
    watched_.reset();
    live_->hide();
}

void MainWindow::choosePage() {
    const bool empty = experiments_->all().empty();
    pages_->setCurrentIndex(opening_->isBusy() ? Reading : empty ? WelcomeFirst : Experiments);
}

void MainWindow::describe() {
    const OpenExperiment* active = experiments_->active();
    setWindowTitle(active == nullptr ? u"Holos"_qs : u"%1 – Holos"_qs.arg(active->name));
    if (active == nullptr) return summary_->setText({});
    const QString part = active->part();
    const bool isReading = browser() != nullptr && browser()->isReading();
    summary_->setText((isReading ? u"Values are still being read …  ·  "_qs : QString()) + active->path +
                      (part.isEmpty() ? QString() : u"  ·  only "_qs + part) + u"  ·  "_qs +
                      contentsOf(*active->experiment));
}

void MainWindow::open(const QString& path) {
    opening_->open(path);
}

void MainWindow::open(const QStringList& paths) {
    opening_->open(paths);
}

void MainWindow::load(const QString& name, const Loader::Work& work) {
    opening_->load(name, work);
}

void MainWindow::show(const QString& path, ExperimentPtr experiment) {
    experiments_->add(path, std::move(experiment));
}

Browser* MainWindow::browser() const {
    return experiments_->browser();
}

void MainWindow::setMode(ValueMode mode) {
    valuesMenu_->setMode(mode);
}

QString MainWindow::message() const {
    return messages_->message();
}

void MainWindow::setMessage(const QString& message) {
    messages_->setMessage(message);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    experiments_->saveViews();
    saveWindowGeometry(saveGeometry());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    open(paths);
}

}  // namespace holos::gui
