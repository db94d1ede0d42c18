// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/browser.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/counterpart.h"
#include "gui/models/csv.h"
#include "gui/models/program_view.h"
#include "gui/views/code/machine_code_pane.h"
#include "gui/views/context_menus.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/communication_pane.h"
#include "gui/views/details/metric_texts.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/filter_bar.h"
#include "gui/views/iterations/iterations_pane.h"
#include "gui/views/pane_layout.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/note_dialog.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/trees/butterfly_page.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

using namespace algebra;

Browser::Browser(ExperimentPtr experiment, const algebra::MetricGuide& guide, QWidget* parent)
    : QWidget(parent),
      experiment_(experiment),
      cache_(experiment),
      metrics_(cache_),
      system_(cache_),
      metricPane_(new TreePane(u"Metrics"_qs, false, colors_, this)),
      programs_(new ProgramViews(cache_, selection_, colors_, this)),
      systemViews_(new SystemViews(cache_, system_, colors_, this)),
      details_(new DetailViews(cache_, colors_, this)),
      texts_(new MetricTexts(experiment, colors_, guide, this)),
      linked_({metrics_, *metricPane_, *programs_, system_, *systemViews_}, selection_, cache_),
      filterBar_(new FilterBar(this)),
      layout_(new PaneLayout({metricPane_, texts_, programs_, systemViews_, details_}, this)),
      views_(new ViewKeeper(*this)) {
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(filterBar_);
    whole->addWidget(layout_, 1);
    if (!experiment->metrics.empty()) {  // or else there is nothing of which values could be shown
        metricPane_->setModel(&metrics_);
        systemPane()->setModel(&system_);
    }
    addContextMenus(*this);
    connectPanes();
    connectViews();
    metricPane_->reveal(metrics_.index(0, 0));
    callPane()->reveal(program().index(0, 0));
    followMetric();
    systemPane()->reveal(system_.index(0, 0));
    setFocusProxy(metricPane_->tree());
    prefetch_ = std::make_unique<Prefetch>(cache_);
}

/// Views before the models that they show.
Browser::~Browser() {
    delete programs_;
    for (TreePane* pane : {metricPane_, systemPane()}) pane->setModel(nullptr);
}

TreePane* Browser::callPane() const {
    return programs_->tree();
}

TreePane* Browser::systemPane() const {
    return systemViews_->tree();
}

FindingsPane* Browser::findingsPane() const {
    return texts_->findings();
}

ProgramModel& Browser::program() const {
    return programs_->model();
}

ProgramView Browser::programView() const {
    return programs_->view();
}

void Browser::revealCallPath(CallPathId path) {
    setProgramView(ProgramView::CallTree);
    callPane()->reveal(program().indexOfPath(path));
}

void Browser::setNotes(const PathNotes& notes) {
    programs_->calls().setNotes(notes);
}

const PathNotes& Browser::notes() const {
    return programs_->calls().notes();
}

void Browser::editNote() {
    const auto& paths = selection_.callPaths().given();
    if (selection_.callPaths().isAll() || paths.empty()) return;
    const CallModel& calls = programs_->calls();
    const QString key = calls.rows().keyOf(CallModel::nodeOf(calls.indexOfPath(paths.front().path)));
    PathNotes notes = calls.notes();
    const auto text = askForNote(this, notes.contains(key) ? notes[key] : QString());
    if (!text) return;
    if (text->isEmpty())
        notes.erase(key);
    else
        notes[key] = *text;
    setNotes(notes);
    Q_EMIT notesChanged(notes);
}

void Browser::revealNote(const QString& key) {
    const CallModel& calls = programs_->calls();
    if (const auto node = calls.rows().withKey(key)) revealCallPath(calls.pathAt(calls.indexOf(*node)));
}

void Browser::revealCallPaths(const std::vector<CallPathId>& paths) {
    if (paths.empty()) return;
    revealCallPath(paths.front());
    if (paths.size() == 1) return;
    std::vector<NodeId> rows;
    for (const CallPathId path : paths) rows.push_back(program().nodeOf(program().indexOfPath(path)));
    callPane()->choose(rows);
}

void Browser::connectPanes() {
    connect(metricPane_, &TreePane::choiceChanged, this, &Browser::metricChosen);
    connect(callPane(), &TreePane::choiceChanged, this, &Browser::callPathsChosen);
    connect(systemPane(), &TreePane::choiceChanged, this, &Browser::locationsChosen);
    for (const TreePane* pane : panes()) {
        connect(pane, &TreePane::choiceChanged, views_, &ViewKeeper::rememberLater);
        connect(pane, &TreePane::choiceChanged, this, &Browser::updateDetails);
        connect(pane, &TreePane::choiceChanged, this, &Browser::chosen);
    }
    connect(&selection_, &Selection::metricChanged, this, &Browser::followMetric);
    connect(&selection_, &Selection::callPathsChanged, this, &Browser::updatePanes);
    connect(&selection_, &Selection::callPathsChanged, programs_, &ProgramViews::updateLater);
    connect(&selection_, &Selection::locationsChanged, this, &Browser::updatePanes);
    connect(&selection_, &Selection::locationsChanged, programs_, &ProgramViews::updateLater);
    connect(&selection_, &Selection::modeChanged, this, &Browser::followMode);
    connect(&selection_, &Selection::digitsChanged, this, &Browser::followDigits);
    connect(&selection_, &Selection::namesChanged, this, &Browser::followNames);
}

void Browser::connectViews() {
    connect(&cache_, &ValueCache::failed, this, &Browser::failed);
    connect(&cache_, &ValueCache::arrived, this, &Browser::renewValues);
    connect(&cache_, &ValueCache::readingChanged, this, &Browser::readingChanged);
    connect(programs_, &ProgramViews::viewWanted, this, &Browser::setProgramView);
    connect(texts_, &MetricTexts::callPathWanted, this, &Browser::revealCallPath);
    connect(details_, &DetailViews::roomWanted, layout_, &PaneLayout::makeRoomForDetails);
    connect(details_, &DetailViews::callPathWanted, this, &Browser::revealCallPath);
    connect(details_, &DetailViews::callPathsWanted, this, &Browser::revealCallPaths);
    connect(details_, &DetailViews::partWanted, this,
            [this](const Filter& part) { Q_EMIT partWanted(with(filter_, part)); });
    connect(details_, &DetailViews::selectedPlaceWanted, this, &Browser::showOnlyPlaces);
    connect(details_, &DetailViews::locationWanted, systemViews_, &SystemViews::reveal);
    connect(details_, &DetailViews::metricWanted, this, &Browser::selectMetric);
}

void Browser::metricChosen() {
    const QModelIndex at = metricPane_->current();
    if (at.isValid()) selection_.setMetric(metrics_.choice(at));
}

void Browser::callPathsChosen() {
    std::vector<CallPathChoice> paths;
    for (const QModelIndex& row : callPane()->chosen())
        for (const CallPathChoice& choice : program().choices(row)) paths.push_back(choice);
    selection_.setCallPaths(ChosenPaths::orAll(std::move(paths)));
}

void Browser::locationsChosen() {
    const QModelIndex at = systemPane()->current();
    const bool all = !at.isValid() || (!at.parent().isValid() && system_.rowCount() == 1);
    selection_.setLocations(all ? ChosenLocations(kAll) : system_.locationsAt(at));
}

void Browser::followMetric() {
    if (cache_.experiment().metrics.empty()) return;
    texts_->describe(cache_, selection_.metric().metric);
    updatePanes();
}

std::vector<TreeModel*> Browser::models() {
    std::vector<TreeModel*> all{&metrics_, &system_};
    for (ProgramModel* model : programs_->models()) all.push_back(model);
    return all;
}

void Browser::followMode() {
    for (TreeModel* model : models()) {
        model->setOwnRange(std::nullopt);  // it was in another unit
        model->setMode(selection_.mode());
    }
    Q_EMIT chosen();
}

void Browser::followDigits() {
    for (TreeModel* model : models()) model->setDigits(selection_.digits());
    programs_->updateLater();
    updateDetails();
    Q_EMIT chosen();
}

void Browser::followNames() {
    for (ProgramModel* model : programs_->models()) model->setWholeNames(selection_.wholeNames());
    texts_->setWholeNames(selection_.wholeNames());
    programs_->updateLater();
    updateDetails();
    Q_EMIT chosen();
}

void Browser::setFilter(const Filter& filter) {
    filter_ = filter;
    filterBar_->setFilter(filter);
    details_->code()->setPart(ofOneRun(filter));
    details_->events()->setPart(ofOneRun(filter));
    details_->iterations()->setPart(ofOneRun(filter));
    details_->communication()->setPart(ofOneRun(filter));
    details_->timeline()->setPart(ofOneRun(filter));
    setProperty(kShownPart, filterText(filter));
}

void Browser::showOnlyCallPaths() {
    if (program().rowCount() == 0) return;
    const Filter added = filterOf(experiment_, program(), programView(), callPane()->chosen());
    if (!added.isEmpty()) Q_EMIT partWanted(with(filter_, added));
}

void Browser::showOnlyPlaces() {
    const QModelIndex at = systemPane()->current();
    if (!at.isValid()) return;
    Filter filter = filter_;
    filter.places = {system_.rows().keyOf(system_.nodeOf(at))};
    Q_EMIT partWanted(filter);
}

void Browser::setReference(ExperimentPtr reference) {
    cache_.setReference(std::move(reference));
    for (TreeModel* model : models()) model->setOwnRange(std::nullopt);
}

void Browser::setCounterpart(const NamedExperiment& other) {
    const Counterpart* now = cache_.counterpart();
    if (now == nullptr ? other.experiment == nullptr
                       : now->experiment() == other.experiment && now->name() == other.name)
        return;
    cache_.setCounterpart(other.experiment ? std::make_unique<Counterpart>(experiment(), other) : nullptr);
}

/// Of what is selected the first call path, and the location when it is one.
void Browser::updateDetails() {
    if (cache_.experiment().metrics.empty()) return;
    const auto& paths = selection_.callPaths().given();
    details_->follow({selection_.metric(), paths.empty() ? std::nullopt : std::optional(paths.front().path),
                      systemViews_->selected(), selection_.digits(), selection_.wholeNames()});
}

void Browser::toggleDetail(const QString& name) {
    details_->open(details_->opened() == name ? QString() : name);
}

bool Browser::selectMetric(const QString& name) {
    const QModelIndex found = metrics_.findMetric(name);
    metricPane_->reveal(found);
    return found.isValid();
}

void Browser::expandHottest() {
    if (cache_.experiment().metrics.empty()) return;
    setProgramView(ProgramView::CallTree);
    const CallModel& calls = programs_->calls();
    const auto again = [this] {
        connect(&cache_, &ValueCache::arrived, this, &Browser::expandHottest, Qt::SingleShotConnection);
    };
    const auto path = calls.hottest();
    if (cache_.isReading()) return again();
    if (!path) return;
    callPane()->reveal(calls.indexOfPath(*path));
    const QModelIndex place = system_.largestLocation();
    if (cache_.isReading()) return again();
    systemPane()->reveal(place);
}

void Browser::expandSystem() {
    systemPane()->expandAll();
}

void Browser::nextHotSpot(bool larger) {
    if (cache_.experiment().metrics.empty()) return;
    setProgramView(ProgramView::CallTree);
    const CallModel& calls = programs_->calls();
    const std::vector<CallPathId> spots = calls.hotSpots();
    if (spots.empty()) return;
    const QModelIndex at = callPane()->current();
    const auto here = at.isValid() ? std::ranges::find(spots, calls.pathAt(at)) : spots.end();
    const auto size = static_cast<std::ptrdiff_t>(spots.size());
    const std::ptrdiff_t now = here == spots.end() ? (larger ? 0 : -1) : here - spots.begin();
    callPane()->reveal(
        calls.indexOfPath(spots[static_cast<std::size_t>((now + (larger ? size - 1 : 1)) % size)]));
}

void Browser::setProgramView(ProgramView view) {
    if (view == programView() || cache_.experiment().metrics.empty()) return;
    const std::vector<CallPathChoice> chosen = selection_.callPaths().given();
    programs_->setView(view);
    sortRows();
    linked_.forget(Pane::Program);
    updatePanes();
    linkScales();
    callPane()->reveal(chosen.empty() ? program().index(0, 0) : program().indexOfPath(chosen.front().path));
}

void Browser::setOrder(const PaneOrder& order) {
    if (order == linked_.order()) return;
    linked_.setOrder(order);
    const auto widgetOf = [this](Pane pane) -> QWidget* {
        if (pane == Pane::Metrics) return layout_->metricSide();
        return pane == Pane::Program ? static_cast<QWidget*>(programs_) : systemViews_;
    };
    layout_->setOrder({widgetOf(order[0]), widgetOf(order[1]), widgetOf(order[2])});
    updatePanes();
    views_->rememberLater();
    Q_EMIT chosen();
}

void Browser::exchangeLastPanes() {
    const PaneOrder& now = linked_.order();
    setOrder({now[0], now[2], now[1]});
}

void Browser::updatePanes() {
    if (!cache_.experiment().metrics.empty()) linked_.update();
}

/// Panes ask again for what was being read.
void Browser::renewValues() {
    for (const Pane pane : linked_.order()) linked_.forget(pane);
    updatePanes();
    programs_->updateLater();
    updateDetails();
}

void Browser::shareScales(Browser* other) {
    twin_ = other;
    linkScales();
}

void Browser::linkScales() {
    metrics_.shareScaleWith(twin_ ? &twin_->metrics_ : nullptr);
    system_.shareScaleWith(twin_ ? &twin_->system_ : nullptr);
    program().shareScaleWith(twin_ ? &twin_->program() : nullptr);
    if (twin_) twin_->program().shareScaleWith(&program());
}

void Browser::setHideBelow(std::optional<double> part) {
    for (TreePane* pane : panes()) pane->setHideBelow(part);
    for (TreePane* pane : {programs_->butterfly()->callers(), programs_->butterfly()->callees()})
        pane->setHideBelow(part);
}

void Browser::setColumns(const PaneColumns& columns) {
    if (columns == columns_) return;
    columns_ = columns;
    callPane()->setColumns(columns_[Pane::Program]);
    programs_->butterfly()->setColumns(columns_[Pane::Program]);
    for (const auto& [kind, pane] :
         {std::pair(Pane::Metrics, metricPane_), std::pair(Pane::System, systemPane())}) {
        columns_[kind].erase(TreeModel::VisitsColumn);
        pane->setColumns(columns_[kind]);
    }
    Q_EMIT chosen();
}

void Browser::toggleColumn(Pane pane, int column) {
    PaneColumns columns = columns_;
    if (columns[pane].erase(column) == 0) columns[pane].insert(column);
    setColumns(columns);
}

void Browser::setLargestFirst(const PaneSet& panes) {
    if (panes == largestFirst_) return;
    largestFirst_ = panes;
    sortRows();
    views_->rememberLater();
    Q_EMIT chosen();
}

void Browser::toggleLargestFirst(Pane pane) {
    PaneSet panes = largestFirst_;
    if (panes.erase(pane) == 0) panes.insert(pane);
    setLargestFirst(panes);
}

void Browser::sortRows() {
    metrics_.setLargestFirst(largestFirst_.contains(Pane::Metrics));
    system_.setLargestFirst(largestFirst_.contains(Pane::System));
    programs_->setLargestFirst(largestFirst_.contains(Pane::Program));
}

Pane Browser::activePaneKind() const {
    const TreePane* active = activePane();
    return active == metricPane_ ? Pane::Metrics : active == systemPane() ? Pane::System : Pane::Program;
}

void Browser::scrollToSelection() {
    for (TreePane* pane : panes()) pane->tree()->scrollTo(pane->current());
}

void Browser::takeFocusFrom(const Browser& other) {
    const auto mine = panes();
    const auto others = other.panes();
    std::vector<int> places;
    for (std::size_t at = 0; at < mine.size(); ++at) {
        mine[at]->searchBox()->setText(others[at]->searchBox()->text());
        if (QApplication::focusWidget() == others[at]->searchBox())
            mine[at]->searchBox()->setFocus();
        else if (others[at]->isAncestorOf(QApplication::focusWidget()))
            mine[at]->tree()->setFocus();
        places.push_back(others[at]->tree()->verticalScrollBar()->value());
    }
    if (other.details_->isAncestorOf(QApplication::focusWidget())) details_->currentWidget()->setFocus();
    // When the rows have their places.
    const auto scroll = [mine, places] {
        for (std::size_t at = 0; at < mine.size(); ++at)
            mine[at]->tree()->verticalScrollBar()->setValue(places[at]);
    };
    QMetaObject::invokeMethod(this, scroll, Qt::QueuedConnection);
}

TreePane* Browser::activePane() const {
    for (TreePane* pane : panes())
        if (pane->isAncestorOf(focusWidget())) return pane;
    for (TreePane* pane : programs_->panesInSight())
        if (pane->isAncestorOf(focusWidget())) return pane;
    return callPane();
}

QString Browser::activeTable() const {
    if (details_->isAncestorOf(focusWidget()))
        if (const QString table = details_->asCsv(); !table.isEmpty()) return table;
    if (systemViews_->isAncestorOf(focusWidget()) && systemViews_->currentIndex() == SystemViews::TableView)
        return tableAsCsv(*systemViews_->table()->model());
    const TreeModel* model = activePane()->model();
    return model == nullptr ? QString() : visibleRowsAsCsv(*model);
}

}  // namespace holos::gui
