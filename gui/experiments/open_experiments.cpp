// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/open_experiments.h"

#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "algebra/insight/scaling/study.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/metric_guide.h"
#include "gui/experiments/settings.h"
#include "gui/models/file_names.h"
#include "gui/models/plain_text.h"
#include "gui/views/browser.h"
#include "gui/views/code/machine_code_pane.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/communication_pane.h"
#include "gui/views/details/comparison_pane.h"
#include "gui/views/details/scaling_pane.h"
#include "gui/views/details/source_pane.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/iterations/iterations_pane.h"
#include "gui/views/pane_layout.h"
#include "gui/views/program_views.h"
#include "gui/views/timeline/timeline_notebook.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

class Browser;

namespace {

/// What is chosen, and whether it is shown with what is below it.
void followRows(TreePane& mine, const TreePane& theirs) {
    std::vector<NodeId> nodes;
    for (const QModelIndex& row : theirs.chosen()) {
        const NodeId there = theirs.model()->nodeOf(row);
        const auto here = mine.model()->rows().withKey(theirs.model()->rows().keyOf(there));
        if (!here) continue;
        nodes.push_back(*here);
        mine.tree()->setExpanded(mine.model()->indexOf(*here), theirs.model()->rows().isExpanded(there));
    }
    mine.choose(nodes);
}

/// By its unique name, expanded as it is there.
void followMetric(Browser& browser, Browser& leader) {
    const TreePane& theirs = *leader.metricPane();
    if (!theirs.current().isValid()) return;
    const algebra::MetricId there = leader.selection().metric().metric;
    if (!browser.selectMetric(QString::fromStdString(leader.experiment().metrics[there].uniqueName))) return;
    TreePane& mine = *browser.metricPane();
    const NodeId node = theirs.model()->nodeOf(theirs.current());
    mine.tree()->setExpanded(mine.current(), theirs.model()->rows().isExpanded(node));
}

/// Selects in a browser what is selected in another one, as far as it is there, by names.
void follow(Browser& browser, Browser& leader) {
    if (browser.experiment().metrics.empty() || leader.experiment().metrics.empty()) return;
    browser.setProgramView(leader.programView());
    browser.setOrder(leader.order());
    const Selection& wanted = leader.selection();
    // An external reference is not there on both sides.
    if (wanted.mode() != ValueMode::External) browser.selection().setMode(wanted.mode());
    browser.selection().setDigits(wanted.digits());
    browser.selection().setWholeNames(wanted.wholeNames());
    followMetric(browser, leader);
    followRows(*browser.callPane(), *leader.callPane());
    followRows(*browser.systemPane(), *leader.systemPane());
}

constexpr int kWideEnough = 2000;  ///< pixels, for two experiments beside each other

NamedExperiment named(const OpenExperiment& one) {
    return {one.name, one.experiment, algebra::scaling::sizeOfRun(one.path.toStdString())};
}

/// Names are the longer, the more experiments of similar paths are open.
bool isSameName(const QString& one, const QString& other) {
    return one == other || one.endsWith(u'/' + other) || other.endsWith(u'/' + one);
}

/// As it is looked at; which others are seen with it is a matter of the window.
ViewState lastLook(const OpenExperiment& one) {
    ViewState state = one.browser->views().state();
    state.filter = ofOneRun(state.filter);
    return state;
}

}  // namespace

OpenExperiments::OpenExperiments(QWidget* parent)
    : QWidget(parent),
      iterations_(std::make_shared<IterationReader>()),
      tabs_(new QTabBar(this)),
      browsers_(new QSplitter(this)) {
    tabs_->setObjectName(u"Experiments"_qs);
    tabs_->setDocumentMode(true);
    tabs_->setExpanding(false);
    tabs_->setTabsClosable(true);
    tabs_->setFocusPolicy(Qt::NoFocus);
    tabs_->hide();
    tabs_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tabs_, &QWidget::customContextMenuRequested, this, &OpenExperiments::openTabMenu);
    connect(tabs_, &QTabBar::tabBarClicked, this, [this](int at) {
        if (at >= 0) activate(static_cast<std::size_t>(at));
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this,
            [this](int at) { close(static_cast<std::size_t>(at)); });
    browsers_->setChildrenCollapsible(false);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addWidget(tabs_);
    down->addWidget(browsers_, 1);
}

OpenExperiments::~OpenExperiments() {
    beside_ = nullptr;
    for (const OpenExperiment& one : all_) delete one.browser;
}

const OpenExperiment* OpenExperiments::active() const {
    const auto found = std::ranges::find(all_, browser_, &OpenExperiment::browser);
    return found == all_.end() ? nullptr : &*found;
}

QString OpenExperiment::part() const {
    const auto part = algebra::partOfRun(*experiment);
    return part ? QString::fromStdString(*part) : filterText(ofOneRun(browser->filter()));
}

QString OpenExperiment::whyNotKept() const {
    if (!ofOneRun(browser->filter()).isEmpty()) return u"only a part of the run is shown"_qs;
    if (file != versionOf(path)) return u"the file has changed since it was opened"_qs;
    return {};
}

const OpenExperiment* OpenExperiments::find(const QString& path) const {
    const auto found = std::ranges::find(all_, path, &OpenExperiment::path);
    return found == all_.end() ? nullptr : &*found;
}

void OpenExperiments::noteKept(const QString& path) {
    for (OpenExperiment& one : all_)
        if (one.path == path) one.file = versionOf(path);
}

void OpenExperiments::addOpened(const QString& path, ExperimentPtr experiment, const FileVersion& file) {
    const auto same = std::ranges::find(all_, path, &OpenExperiment::path);
    if (same != all_.end()) close(static_cast<std::size_t>(same - all_.begin()));
    addBrowser(path, std::move(experiment), file);
    activate(all_.size() - 1);
    if (ViewState state = stateOfFile(path); state != ViewState()) {
        state.filter.experiments = browser_->filter().experiments;
        browser_->views().restore(state);
    } else if (beginsLooking_ && isFirstLook(path)) {
        beginLooking();
    }
    noteRecent(path);
}

void OpenExperiments::beginLooking() {
    if (browser_ == nullptr || !browser_->experiment().findMetric("time")) return;
    browser_->details()->open(named(*active()).size ? u"scaling"_qs : u"summary"_qs);
}

Browser* OpenExperiments::makeBrowser(const QString& path, ExperimentPtr experiment) {
    auto* browser = new Browser(std::move(experiment), analyzer::metricGuide(), browsers_);
    browser->hide();
    browser->paneLayout()->restoreSizes(browserLayout());
    browsers_->addWidget(browser);
    connect(browser, &Browser::failed, this, &OpenExperiments::failed);
    connect(browser, &Browser::readingChanged, this, &OpenExperiments::readingChanged);
    connect(browser, &Browser::chosen, this, [this, browser] { shareSelection(browser); });
    DetailViews* details = browser->details();
    details->timeline()->setFile(path);
    details->events()->setFile(path);
    details->communication()->setFile(path);
    details->code()->setFile(path);
    details->timeline()->notebook()->setNotes(notes_.contains(path) ? notes_[path] : notesOfFile(path));
    connect(details->timeline()->notebook(), &TimelineNotebook::changed, this,
            [this, path](const TimelineNotes& notes) {
                notes_[path] = notes;
                saveNotesOfFile(path, notes);
            });
    browser->setNotes(pathNotes_.contains(path) ? pathNotes_[path] : pathNotesOfFile(path));
    connect(browser, &Browser::notesChanged, this, [this, path](const PathNotes& notes) {
        pathNotes_[path] = notes;
        savePathNotesOfFile(path, notes);
    });
    SourcePane* source = details->source();
    source->setPlaces(sourceMappings(), {QFileInfo(path).absolutePath()});
    connect(source, &SourcePane::mappingsChanged, this, [source] { saveSourceMappings(source->mappings()); });
    if (browser_ != nullptr) browser->selection().setDigits(browser_->selection().digits());
    return browser;
}

void OpenExperiments::addBrowser(const QString& path, ExperimentPtr experiment, const FileVersion& file) {
    Browser* browser = makeBrowser(path, experiment);
    all_.push_back({.path = path, .experiment = std::move(experiment), .browser = browser, .file = file});
    tabs_->setTabToolTip(tabs_->addTab(QString()), asToolTip(path));
    if (!shown_.isEmpty()) shown_ << path;
    nameAll();
    share();
    Q_EMIT added(all_.back());
}

void OpenExperiments::replace(const QString& path, ExperimentPtr experiment) {
    const OpenExperiment* before = find(path);
    replace(path, std::move(experiment), before != nullptr ? before->browser->filter() : Filter());
}

void OpenExperiments::replace(const QString& path, ExperimentPtr experiment, const Filter& part) {
    const auto same = std::ranges::find(all_, path, &OpenExperiment::path);
    if (same == all_.end()) return add(path, std::move(experiment));
    Browser* before = same->browser;
    Browser* browser = makeBrowser(path, experiment);
    Filter filter = part;
    filter.experiments = shownNames();
    browser->setFilter(filter);
    same->experiment = std::move(experiment);
    same->browser = browser;
    for (Browser** pointer : {&browser_, &before_, &beside_})
        if (*pointer == before) *pointer = browser;
    nameAll();
    share();
    Q_EMIT added(*same);
    browser->views().takeFrom(*before);
    browsers_->insertWidget(browsers_->indexOf(before), browser);
    arrange();
    Q_EMIT activeChanged();
    browser->takeFocusFrom(*before);
    delete before;
}

/// Each browser compares its own experiment with the others.
void OpenExperiments::share() {
    for (const OpenExperiment& one : all_) {
        std::vector<NamedExperiment> experiments{named(one)};
        for (const OpenExperiment& other : all_)
            if (other.browser != one.browser && isShown(other)) experiments.push_back(named(other));
        std::vector<OpenRun> runs{{one.plainName, one.path, one.experiment}};
        for (const OpenExperiment& other : all_)
            if (other.browser != one.browser && isShown(other))
                runs.push_back({other.plainName, other.path, other.experiment});
        one.browser->details()->iterations()->setRuns(iterations_, std::move(runs));
        one.browser->programs()->flame()->setOthers({experiments.begin() + 1, experiments.end()});
        one.browser->details()->scaling()->setExperiments(experiments);
        one.browser->details()->comparison()->setExperiments(std::move(experiments));
    }
}

QStringList OpenExperiments::shownNames() const {
    QStringList names;
    for (const OpenExperiment& one : all_)
        if (!shown_.isEmpty() && isShown(one)) names << one.plainName;
    return names;
}

/// Each of them says above its views what is shown.
void OpenExperiments::tellShown() {
    const QStringList names = shownNames();
    for (const OpenExperiment& one : all_) {
        Filter filter = one.browser->filter();
        if (filter.experiments == names) continue;
        filter.experiments = names;
        one.browser->setFilter(filter);
    }
}

void OpenExperiments::showOnly(const QStringList& names) {
    if (names == shownNames()) return;
    QStringList paths, missing;
    for (const QString& name : names) {
        const auto found = std::ranges::find_if(
            all_, [&name](const OpenExperiment& one) { return isSameName(one.plainName, name); });
        if (found == all_.end())
            missing << name;
        else
            paths << found->path;
    }
    if (!missing.isEmpty()) Q_EMIT failed(u"not open, and not shown: "_qs + missing.join(u", "_qs));
    if (names.isEmpty() || !paths.isEmpty()) setShown(paths);
}

void OpenExperiments::toggleShown(const QString& path) {
    QStringList paths;
    for (const OpenExperiment& one : all_)
        if (isShown(one) != (one.path == path)) paths << one.path;
    if (!paths.isEmpty()) setShown(paths);
}

void OpenExperiments::setShown(const QStringList& paths) {
    shown_.clear();
    for (const OpenExperiment& one : all_)
        if (paths.contains(one.path)) shown_ << one.path;
    if (static_cast<std::size_t>(shown_.size()) == all_.size()) shown_.clear();
    tellShown();
    share();
    for (const OpenExperiment& one : all_)
        for (Browser** pointer : {&before_, &beside_})
            if (*pointer == one.browser && !isShown(one)) *pointer = nullptr;
    if (const OpenExperiment* now = active(); now != nullptr && !isShown(*now)) {
        browser_ = nullptr;
        return activateWhere([this](const OpenExperiment& one) { return isShown(one); });
    }
    arrange();
    Q_EMIT activeChanged();
}

void OpenExperiments::openTabMenu(const QPoint& place) {
    const int at = tabs_->tabAt(place);
    if (at < 0) return;
    const OpenExperiment& one = all_[static_cast<std::size_t>(at)];
    auto* menu = new QMenu(tabs_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(u"Only this in all views"_qs, this, [this, path = one.path] { setShown({path}); });
    menu->addAction(u"Leave this out of all views"_qs, this, [this, path = one.path] { toggleShown(path); });
    menu->addAction(u"All experiments"_qs, this, [this] { setShown({}); })->setEnabled(!shown_.isEmpty());
    menu->popup(tabs_->mapToGlobal(place));
}

/// One that was left out is shown from now on.
void OpenExperiments::activate(std::size_t experiment) {
    if (experiment >= all_.size()) return;
    if (!isShown(all_[experiment])) toggleShown(all_[experiment].path);
    Browser* chosen = all_[experiment].browser;
    if (browser_ != chosen) before_ = browser_;
    if (beside_ == chosen) beside_ = browser_;
    browser_ = chosen;
    arrange();
    Q_EMIT activeChanged();
    browser_->setFocus();
    followActive();
}

void OpenExperiments::activateWhere(const std::function<bool(const OpenExperiment&)>& isMeant) {
    const auto found = std::ranges::find_if(all_, isMeant);
    activate(static_cast<std::size_t>(found - all_.begin()));
}

void OpenExperiments::activate(const QString& path) {
    activateWhere([&path](const OpenExperiment& one) { return one.path == path; });
}

void OpenExperiments::activateBy(std::size_t steps) {
    const OpenExperiment* now = active();
    if (now == nullptr) return;
    auto at = static_cast<std::size_t>(now - all_.data());
    do {
        at = (at + steps) % all_.size();
    } while (!isShown(all_[at]) && all_[at].browser != browser_);
    activate(at);
}

void OpenExperiments::activateNext() {
    activateBy(1);
}

void OpenExperiments::activatePrevious() {
    activateBy(all_.size() - 1);
}

void OpenExperiments::arrange() {
    tabs_->setVisible(all_.size() > 1);
    for (std::size_t at = 0; at < all_.size(); ++at) {
        const OpenExperiment& one = all_[at];
        one.browser->setVisible(one.browser == browser_ || one.browser == beside_);
        // Qt 6.4 forgets that places are to be found anew when another tab is told what it knows.
        if (tabs_->isTabVisible(static_cast<int>(at)) != isShown(one))
            tabs_->setTabVisible(static_cast<int>(at), isShown(one));
        if (one.browser == browser_) tabs_->setCurrentIndex(static_cast<int>(at));
    }
    showTitles();
    relate();
}

/// Differences of the active one relate to the one beside it, or else to the one that was active before it;
/// those of others to the active one.
void OpenExperiments::relate() {
    for (const OpenExperiment& one : all_) {
        const Browser* wanted = one.browser != browser_ ? browser_ : beside_ != nullptr ? beside_ : before_;
        const OpenExperiment* other = nullptr;
        for (const OpenExperiment& each : all_)
            if (each.browser != one.browser && isShown(each) && (other == nullptr || each.browser == wanted))
                other = &each;
        one.browser->setCounterpart(other == nullptr ? NamedExperiment() : named(*other));
    }
}

void OpenExperiments::close(std::size_t experiment) {
    if (experiment >= all_.size()) return;
    const OpenExperiment gone = all_[experiment];
    saveStateOfFile(gone.path, lastLook(gone));
    shown_.removeAll(gone.path);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(experiment));
    tabs_->removeTab(static_cast<int>(experiment));
    for (Browser** pointer : {&browser_, &before_, &beside_})
        if (*pointer == gone.browser) *pointer = nullptr;
    delete gone.browser;
    if (static_cast<std::size_t>(shown_.size()) == all_.size()) shown_.clear();
    nameAll();
    share();
    arrange();
    if (all_.empty() || browser_ != nullptr)
        Q_EMIT activeChanged();
    else {
        std::size_t next = std::min(experiment, all_.size() - 1);
        while (!isShown(all_[next])) next = (next + 1) % all_.size();
        activate(next);
    }
}

void OpenExperiments::closeActive() {
    if (const OpenExperiment* now = active()) close(static_cast<std::size_t>(now - all_.data()));
}

void OpenExperiments::nameAll() {
    QStringList paths;
    for (const OpenExperiment& one : all_) paths << one.path;
    const QStringList names = experimentNames(paths);
    for (std::size_t at = 0; at < all_.size(); ++at) {
        all_[at].plainName = names[static_cast<qsizetype>(at)];
        all_[at].name = all_[at].plainName;
        if (const QString part = all_[at].part(); !part.isEmpty()) all_[at].name += u" ("_qs + part + u')';
        tabs_->setTabText(static_cast<int>(at), all_[at].name);
    }
    tellShown();
}

/// Two that are seen together have names, and one scale.
void OpenExperiments::showTitles() {
    for (const OpenExperiment& one : all_) {
        const bool seen = beside_ != nullptr && (one.browser == browser_ || one.browser == beside_);
        one.browser->paneLayout()->setTitle(seen ? one.name : QString());
        one.browser->shareScales(!seen ? nullptr : one.browser == browser_ ? beside_ : browser_);
    }
}

void OpenExperiments::setSideBySide(bool both) {
    beside_ = nullptr;
    if (both && all_.size() > 1) {
        beside_ = before_;
        for (const OpenExperiment& one : all_)
            if (beside_ == nullptr && one.browser != browser_ && isShown(one)) beside_ = one.browser;
    }
    arrange();
    if (beside_ == nullptr) return;
    // Names of metrics need the width that six panes beside each other do not have on a usual screen.
    browsers_->setOrientation(width() < kWideEnough ? Qt::Vertical : Qt::Horizontal);
    browsers_->setSizes(QList<int>(browsers_->count(), kWideEnough));  // equal shares
    followActive();
    for (Browser* each : {browser_, beside_})
        QMetaObject::invokeMethod(each, &Browser::scrollToSelection, Qt::QueuedConnection);
}

void OpenExperiments::followActive() {
    if (beside_ == nullptr) return;
    following_ = true;
    follow(*beside_, *browser_);
    following_ = false;
}

/// What is chosen in one of two browsers is chosen in both, and the one where that was becomes active.
void OpenExperiments::shareSelection(Browser* leader) {
    if (following_ || beside_ == nullptr || (leader != browser_ && leader != beside_)) return;
    if (leader == browser_) return followActive();
    activateWhere([leader](const OpenExperiment& one) { return one.browser == leader; });
}

void OpenExperiments::saveViews() const {
    for (const OpenExperiment& one : all_) saveStateOfFile(one.path, lastLook(one));
    if (browser_ != nullptr) saveBrowserLayout(browser_->paneLayout()->sizes());
}

}  // namespace holos::gui
