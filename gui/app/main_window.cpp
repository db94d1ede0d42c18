// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/main_window.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>

#include "gui/models/quantity.h"
#include "gui/views/browser.h"

namespace holos::gui {

namespace {
constexpr int kSecond = 1000;  ///< milliseconds
}

MainWindow::MainWindow() {
    setWindowTitle(u"Holos"_qs);
    resize(1280, 800);
    restoreGeometry(windowGeometry());
    setAcceptDrops(true);
    buildPages();
    buildActions();
    summary_ = new QLabel(this);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setContentsMargins(6, 0, 6, 0);
    statusBar()->addWidget(summary_, 1);
    statusBar()->setSizeGripEnabled(false);
}

MainWindow::~MainWindow() {
    beside_ = nullptr;
    for (const Opened& one : opened_) delete one.browser;
}

void MainWindow::open(const QString& path) {
    const QString file = experimentFile(path);
    load(file, [file] { return loadExperiment(file); });
}

void MainWindow::load(const QString& name, const Loader::Work& work) {
    if (loader_) Loader::abandon(std::move(loader_), this);
    loader_ = std::make_unique<Loader>(name, work);
    connect(loader_.get(), &Loader::loaded, this, [this, name](const ExperimentPtr& experiment) {
        loader_.release()->deleteLater();
        show(name, experiment);
        Q_EMIT opened(true);
        openNext();
    });
    connect(loader_.get(), &Loader::failed, this, [this](const QString& message) {
        loader_.release()->deleteLater();
        const bool isFirst = firstOpened_.isEmpty() || this->message().isEmpty();
        setMessage(isFirst ? message : this->message() + u'\n' + message);
        pages_->setCurrentIndex(browser_ == nullptr ? kWelcomePage : kBrowserPage);
        Q_EMIT opened(false);
        openNext();
    });
    if (firstOpened_.isEmpty()) setMessage({});
    seconds_ = -1;
    tellProgress();
    progress_.start(kSecond);
    pages_->setCurrentIndex(kProgressPage);
    loader_->start();
}

/// A line of text, because a bar that nobody can fill would only move.
void MainWindow::tellProgress() {
    ++seconds_;
    if (!loader_) return progress_.stop();
    const QString name = QFileInfo(loader_->name()).fileName();
    progressText_->setText(seconds_ == 0 ? u"Reading %1 …"_qs.arg(name)
                                         : u"Reading %1 … %2 s"_qs.arg(name).arg(seconds_));
}

/// In the status bar.
void MainWindow::describeExperiment() {
    for (QAction* action : browserActions_) action->setEnabled(experiment_ != nullptr);
    if (!experiment_) return summary_->clear();
    const algebra::Experiment& shown = *experiment_;
    const QStringList parts{
        counted(shown.metrics.size(), u"metric"_qs, u"metrics"_qs),
        counted(shown.callTree.size(), u"call path"_qs, u"call paths"_qs),
        counted(algebra::numberOfProcesses(shown.system), u"process"_qs, u"processes"_qs),
        counted(algebra::numberOfThreads(shown.system), u"thread"_qs, u"threads"_qs),
    };
    summary_->setText(path_ + u"  ·  "_qs + parts.join(u", "_qs));
}

std::size_t MainWindow::modeBoxIndex() const {
    return static_cast<std::size_t>(modeBox_->currentIndex());
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
