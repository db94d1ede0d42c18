// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/main_window.h"

#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>

#include "gui/app/settings.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/source_pane.h"
#include "gui/views/timeline_pane.h"

namespace holos::gui {

MainWindow::MainWindow() {
    setWindowTitle(u"Holos"_qs);
    resize(1280, 800);
    setAcceptDrops(true);
    buildPages();
    buildActions();
    summary_ = new QLabel(this);
    summary_->setContentsMargins(6, 0, 6, 0);
    statusBar()->addWidget(summary_, 1);
    statusBar()->setSizeGripEnabled(false);
}

MainWindow::~MainWindow() = default;

void MainWindow::open(const QString& path) {
    load(path, [path] { return loadExperiment(path); });
}

void MainWindow::load(const QString& name, const Loader::Work& work) {
    if (loader_) Loader::abandon(std::move(loader_), this);
    loader_ = std::make_unique<Loader>(name, work);
    connect(loader_.get(), &Loader::loaded, this, [this, name](const ExperimentPtr& experiment) {
        loader_.release()->deleteLater();
        show(name, experiment);
        Q_EMIT opened(true);
    });
    connect(loader_.get(), &Loader::failed, this, [this](const QString& message) {
        loader_.release()->deleteLater();
        setMessage(message);
        pages_->setCurrentIndex(browser_ == nullptr ? kWelcomePage : kBrowserPage);
        Q_EMIT opened(false);
    });
    setMessage({});
    progressText_->setText(u"Reading %1 …"_qs.arg(QFileInfo(name).fileName()));
    pages_->setCurrentIndex(kProgressPage);
    loader_->start();
}

void MainWindow::show(const QString& path, ExperimentPtr experiment) {
    saveState();
    path_ = path;
    experiment_ = experiment;
    const algebra::Experiment& shown = *experiment;
    delete browser_;
    browser_ = new Browser(std::move(experiment), this);
    connect(browser_, &Browser::failed, this, &MainWindow::setMessage);
    browser_->selection().setMode(valueModes()[modeBox_->currentIndex()].mode);
    browser_->details()->timeline()->setFile(path);
    SourcePane* source = browser_->details()->source();
    source->setPlaces(sourceMappings(), {QFileInfo(path).absolutePath()});
    connect(source, &SourcePane::mappingsChanged, this, [source] { saveSourceMappings(source->mappings()); });
    applyHiding();
    pages_->insertWidget(kBrowserPage, browser_);
    pages_->setCurrentIndex(kBrowserPage);
    browser_->setFocus();
    const ViewState before = stateOfFile(path);
    if (before != ViewState()) {
        browser_->restore(before);
        setMode(before.mode);
    }
    noteRecent(path);
    setWindowTitle(u"%1 – Holos"_qs.arg(QFileInfo(path).fileName()));
    summary_->setText(u"%1  ·  %2 metrics, %3 call paths, %4 processes, %5 threads"_qs.arg(path)
                          .arg(shown.metrics.size())
                          .arg(shown.callTree.size())
                          .arg(shown.system.processes.size())
                          .arg(shown.system.locations.size()));
}

void MainWindow::setMode(ValueMode mode) {
    const auto at = static_cast<std::size_t>(mode);
    modes_[at]->setChecked(true);
    modeBox_->setCurrentIndex(static_cast<int>(at));
    if (browser_ != nullptr) browser_->selection().setMode(mode);
}

QString MainWindow::message() const {
    return messageBar_->isHidden() ? QString() : messageText_->text();
}

void MainWindow::setMessage(const QString& message) {
    messageText_->setText(message);
    messageBar_->setHidden(message.isEmpty());
}

}  // namespace holos::gui
