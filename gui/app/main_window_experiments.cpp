// SPDX-License-Identifier: BSD-3-Clause
// The experiments that are open: one is active, another may stand beside it; the algebra makes further ones.
#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeView>
#include <algorithm>

#include "algebra/operators/diff.h"
#include "algebra/operators/mean.h"
#include "algebra/operators/merge.h"
#include "analyzer/metric_guide.h"
#include "gui/app/main_window.h"
#include "gui/models/plain_text.h"
#include "gui/views/browser.h"
#include "gui/views/comparison_pane.h"
#include "gui/views/detail_views.h"
#include "gui/views/source_pane.h"
#include "gui/views/timeline_pane.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

using algebra::Experiment;

namespace {
constexpr int kWideEnough = 2000;  ///< pixels, for two experiments beside each other
}

void MainWindow::open(const QStringList& paths) {
    setMessage({});
    waiting_ = paths;
    firstOpened_ = paths.value(0);
    openNext();
}

void MainWindow::openNext() {
    if (!waiting_.isEmpty()) return open(waiting_.takeFirst());
    if (firstOpened_.isEmpty()) return;
    for (std::size_t at = 0; at < opened_.size(); ++at)
        if (opened_[at].path == experimentFile(firstOpened_)) activate(at);
    firstOpened_.clear();
    Q_EMIT allOpened();
}

void MainWindow::show(const QString& path, ExperimentPtr experiment) {
    const auto same = std::find_if(opened_.begin(), opened_.end(),
                                   [&path](const Opened& opened) { return opened.path == path; });
    if (same != opened_.end()) closeExperiment(static_cast<std::size_t>(same - opened_.begin()));
    addBrowser(path, std::move(experiment));
    activate(opened_.size() - 1);
    const ViewState state = stateOfFile(path);
    if (state != ViewState()) {
        browser_->restore(state);
        setMode(state.mode);
    }
    noteRecent(path);
}

void MainWindow::addBrowser(const QString& path, ExperimentPtr experiment) {
    auto* browser = new Browser(experiment, analyzer::metricGuide(), browsers_);
    browser->hide();
    browser->restoreLayout(browserLayout());
    browsers_->addWidget(browser);
    connect(browser, &Browser::failed, this, &MainWindow::setMessage);
    connect(browser, &Browser::chosen, this, [this, browser] { shareSelection(browser); });
    connect(&browser->selection(), &Selection::modeChanged, this, [this, browser] {
        if (browser == browser_) setMode(browser->selection().mode());
    });
    browser->callPane()->tree()->addActions(cutActions_);
    DetailViews* details = browser->details();
    details->timeline()->setFile(path);
    SourcePane* source = details->source();
    source->setPlaces(sourceMappings(), {QFileInfo(path).absolutePath()});
    connect(source, &SourcePane::mappingsChanged, this, [source] { saveSourceMappings(source->mappings()); });
    browser->selection().setMode(valueModes()[modeBoxIndex()].value);
    if (browser_ != nullptr) browser->selection().setDigits(browser_->selection().digits());
    opened_.push_back({path, std::move(experiment), browser, bookmarksOfFile(path)});
    tabs_->addTab(QFileInfo(path).fileName());
    tabs_->setTabToolTip(tabs_->count() - 1, asToolTip(path));
    shareExperiments();
}

/// Each browser compares its own experiment with the others.
void MainWindow::shareExperiments() {
    for (const Opened& one : opened_) {
        std::vector<NamedExperiment> all{{QFileInfo(one.path).fileName(), one.experiment}};
        for (const Opened& other : opened_)
            if (other.browser != one.browser)
                all.push_back({QFileInfo(other.path).fileName(), other.experiment});
        one.browser->details()->comparison()->setExperiments(std::move(all));
    }
}

void MainWindow::activate(std::size_t experiment) {
    if (experiment >= opened_.size()) return;
    const Opened& chosen = opened_[experiment];
    if (browser_ != chosen.browser) before_ = browser_;
    if (beside_ == chosen.browser) beside_ = browser_;
    browser_ = chosen.browser;
    path_ = chosen.path;
    experiment_ = chosen.experiment;
    arrangeExperiments();
    setMode(browser_->selection().mode());
    applyHiding();
    browser_->setFocus();
    if (beside_ != nullptr) beside_->follow(*browser_);
    setWindowTitle(u"%1 – Holos"_qs.arg(QFileInfo(path_).fileName()));
    describeExperiment();
}

void MainWindow::arrangeExperiments() {
    tabs_->setVisible(opened_.size() > 1);
    for (std::size_t at = 0; at < opened_.size(); ++at) {
        const Opened& one = opened_[at];
        one.browser->setVisible(one.browser == browser_ || one.browser == beside_);
        if (one.browser == browser_) tabs_->setCurrentIndex(static_cast<int>(at));
    }
    nameExperiments();
    pages_->setCurrentIndex(opened_.empty() ? kWelcomePage : kBrowserPage);
}

void MainWindow::closeExperiment(std::size_t experiment) {
    if (experiment >= opened_.size()) return;
    const Opened gone = opened_[experiment];
    saveStateOfFile(gone.path, gone.browser->state());
    opened_.erase(opened_.begin() + static_cast<std::ptrdiff_t>(experiment));
    tabs_->removeTab(static_cast<int>(experiment));
    for (Browser** pointer : {&browser_, &before_, &beside_})
        if (*pointer == gone.browser) *pointer = nullptr;
    delete gone.browser;
    shareExperiments();
    if (browser_ != nullptr) return arrangeExperiments();
    path_.clear();
    experiment_.reset();
    describeExperiment();
    if (opened_.empty()) {
        setWindowTitle(u"Holos"_qs);
        return arrangeExperiments();
    }
    activate(std::min(experiment, opened_.size() - 1));
}

/// Two that are seen together have names, and one scale.
void MainWindow::nameExperiments() {
    for (const Opened& one : opened_) {
        const bool seen = beside_ != nullptr && (one.browser == browser_ || one.browser == beside_);
        one.browser->setTitle(seen ? QFileInfo(one.path).fileName() : QString());
        one.browser->shareScales(!seen ? nullptr : one.browser == browser_ ? beside_ : browser_);
    }
}

void MainWindow::setSideBySide(bool both) {
    beside_ = nullptr;
    if (both && opened_.size() > 1) {
        beside_ = before_;
        for (const Opened& one : opened_)
            if (beside_ == nullptr && one.browser != browser_) beside_ = one.browser;
    }
    arrangeExperiments();
    if (beside_ == nullptr) return;
    // Names of metrics need the width that six panes beside each other do not have on a usual screen.
    browsers_->setOrientation(width() < kWideEnough ? Qt::Vertical : Qt::Horizontal);
    browsers_->setSizes(QList<int>(browsers_->count(), kWideEnough));  // equal shares
    beside_->follow(*browser_);
    for (Browser* each : {browser_, beside_})
        QMetaObject::invokeMethod(each, &Browser::scrollToSelection, Qt::QueuedConnection);
}

/// What is chosen in one of two browsers is chosen in both, and the one where that was becomes active.
void MainWindow::shareSelection(Browser* leader) {
    if (beside_ == nullptr || (leader != browser_ && leader != beside_)) return;
    if (leader == browser_) return beside_->follow(*browser_);
    for (std::size_t at = 0; at < opened_.size(); ++at)
        if (opened_[at].browser == leader) return activate(at);
}

void MainWindow::buildExperimentsMenu(QMenu* menu) {
    addCombining(menu, u"Difference to"_qs, u"The active experiment minus another one"_qs,
                 [](const Experiment& mine, const Experiment& other) { return algebra::diff(mine, other); });
    addCombining(menu, u"Mean with"_qs, u"The mean of the active experiment and another one"_qs,
                 [](const Experiment& mine, const Experiment& other) {
                     return algebra::mean({mine, other});
                 });
    addCombining(menu, u"Merge with"_qs, u"What both experiments measured, as one"_qs,
                 [](const Experiment& mine, const Experiment& other) {
                     return algebra::merge({mine, other});
                 });
    buildCutMenu(menu->addMenu(u"Cut"_qs));
    menu->addSeparator();
    addBrowserAction(menu, u"Compare"_qs, u"Ctrl+M"_qs,
                     u"Metrics of all open experiments for the selected call path, as a table"_qs,
                     [](Browser& browser) { browser.toggleDetail(u"experiments"_qs); });
    addAction(menu, u"Side by side"_qs, u"Ctrl+B"_qs,
              u"Two experiments with one selection, or one alone again"_qs,
              [this] { setSideBySide(!isSideBySide()); });
    const auto step = [this](std::size_t by) {
        for (std::size_t at = 0; at < opened_.size(); ++at)
            if (opened_[at].browser == browser_) return activate((at + by) % opened_.size());
    };
    addAction(menu, u"Next experiment"_qs, u"Ctrl+Tab"_qs, u"Switch to the next open experiment"_qs,
              [step] { step(1); });
    addAction(menu, u"Previous experiment"_qs, u"Ctrl+Shift+Tab"_qs,
              u"Switch to the previous open experiment"_qs,
              [this, step] { step(std::max<std::size_t>(opened_.size(), 1) - 1); });
    addAction(menu, u"Close experiment"_qs, u"Ctrl+W"_qs, u"Close the active experiment"_qs, [this] {
        for (std::size_t at = 0; at < opened_.size(); ++at)
            if (opened_[at].browser == browser_) return closeExperiment(at);
    });
}

/// A menu with the other open experiments, and with files.
void MainWindow::addCombining(QMenu* menu, const QString& title, const QString& help,
                              const Combine& operation) {
    QMenu* others = menu->addMenu(title);
    others->setToolTip(help);
    connect(others, &QMenu::aboutToShow, this, [this, others, title, operation] {
        others->clear();
        for (const Opened& one : opened_) {
            if (one.browser == browser_) continue;
            connect(others->addAction(menuText(QFileInfo(one.path).fileName())), &QAction::triggered, this,
                    [this, title, operation, path = one.path, experiment = one.experiment] {
                        combine(title, path, operation, [experiment] { return experiment; });
                    });
        }
        others->addSeparator();
        QAction* file = others->addAction(u"Another file…"_qs);
        file->setEnabled(experiment_ != nullptr);
        connect(file, &QAction::triggered, this,
                [this, title, operation] { combineWithFile(title, operation); });
    });
}

void MainWindow::combineWithFile(const QString& title, const Combine& operation) {
    const QString other = QFileDialog::getOpenFileName(this, title);
    if (!other.isEmpty()) combine(title, other, operation, [other] { return loadExperiment(other); });
}

void MainWindow::combine(const QString& title, const QString& other, const Combine& operation,
                         const std::function<ExperimentPtr()>& loadOther) {
    if (!experiment_) return;
    const QString name =
        u"%1 – %2 %3"_qs.arg(QFileInfo(path_).fileName(), title.toLower(), QFileInfo(other).fileName());
    load(name, [mine = experiment_, operation, loadOther] {
        return std::make_shared<const Experiment>(operation(*mine, *loadOther()));
    });
}

}  // namespace holos::gui
