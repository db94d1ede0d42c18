// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/browser.h"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/csv.h"
#include "gui/views/description_pane.h"
#include "gui/views/detail_views.h"
#include "gui/views/findings_pane.h"
#include "gui/views/focus_mark.h"
#include "gui/views/system_views.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

using namespace algebra;

namespace {
constexpr int kProgramLetters = 11;  ///< of the name of an order, that are seen in a narrow pane
}

Browser::Browser(ExperimentPtr experiment, const algebra::MetricGuide& guide, QWidget* parent)
    : QWidget(parent),
      cache_(experiment),
      metrics_(cache_),
      calls_(cache_),
      system_(cache_),
      metricPane_(new TreePane(u"Metrics"_qs, false, colors_, this)),
      callPane_(new TreePane(u"Call paths"_qs, true, colors_, this)),
      systemViews_(new SystemViews(cache_, system_, colors_, this)),
      details_(new DetailViews(cache_, colors_, this)),
      description_(new DescriptionPane(colors_, guide, this)) {
    if (experiment->files.contains(kSpecificationFile))
        findings_ = new FindingsPane(std::move(experiment), this);
    buildPanes();
    buildProgramBox();
    buildContextMenus();
    connectPanes();
    metricPane_->reveal(metrics_.index(0, 0));
    callPane_->reveal(calls_.index(0, 0));
    followMetric();
    systemPane()->reveal(system_.index(0, 0));
    setFocusProxy(metricPane_->tree());
    prefetch_ = std::make_unique<Prefetch>(cache_);
}

Browser::~Browser() {
    for (TreePane* pane : panes()) pane->setModel(nullptr);
}

void Browser::buildPanes() {
    metricSide_ = new QSplitter(Qt::Vertical, this);
    metricSide_->addWidget(metricPane_);
    QWidget* texts = buildTexts();
    metricSide_->addWidget(texts);
    metricSide_->setStretchFactor(0, 5);
    metricSide_->setStretchFactor(1, 2);
    across_ = new QSplitter(Qt::Horizontal, this);
    across_->addWidget(metricSide_);
    across_->addWidget(callPane_);
    across_->addWidget(systemViews_);
    across_->setStretchFactor(0, 10);
    across_->setStretchFactor(1, 13);
    across_->setStretchFactor(2, 9);
    down_ = new QSplitter(Qt::Vertical, this);
    down_->addWidget(across_);
    down_->addWidget(details_);
    down_->setStretchFactor(0, 3);
    down_->setStretchFactor(1, 2);
    for (QSplitter* splitter : {metricSide_, across_, down_}) {
        splitter->setHandleWidth(5);
        splitter->setChildrenCollapsible(false);
    }
    for (QWidget* pane :
         std::initializer_list<QWidget*>{metricPane_, texts, callPane_, systemViews_, details_})
        new FocusMark(pane);
    title_ = new QLabel(this);
    title_->setContentsMargins(8, 4, 8, 2);
    title_->setTextFormat(Qt::PlainText);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title_);
    layout->addWidget(down_, 1);
    if (cache_.experiment().metrics.empty()) return;  // there is nothing of which values could be shown
    metricPane_->setModel(&metrics_);
    callPane_->setModel(&calls_);
    systemPane()->setModel(&system_);
}

/// Heads the pane of the program, which it says the order of.
void Browser::buildProgramBox() {
    programBox_ = new QComboBox(this);
    programBox_->setFocusPolicy(Qt::NoFocus);
    programBox_->setAccessibleName(u"Order of the program"_qs);
    programBox_->setToolTip(u"The order in which the program is shown"_qs);
    programBox_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    programBox_->setMinimumContentsLength(kProgramLetters);
    for (const ProgramViewText& text : programViews()) programBox_->addItem(QString::fromUtf8(text.title));
    callPane_->setHeading(programBox_);
    connect(programBox_, &QComboBox::activated, this,
            [this](int at) { setProgramView(programViews()[static_cast<std::size_t>(at)].value); });
}

/// The description of the metric, with the findings in a tab beside it.
QWidget* Browser::buildTexts() {
    if (findings_ == nullptr) return description_;
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(u"Texts"_qs);
    tabs->addTab(description_, u"Description"_qs);
    tabs->addTab(findings_, u"Findings"_qs);
    connect(findings_, &FindingsPane::callPathActivated, this, &Browser::revealCallPath);
    return tabs;
}

void Browser::revealCallPath(CallPathId path) {
    setProgramView(ProgramView::CallTree);
    callPane_->reveal(calls_.indexOfPath(path));
}

void Browser::connectPanes() {
    connect(&cache_, &ValueCache::failed, this, &Browser::failed);
    connect(metricPane_, &TreePane::choiceChanged, this, &Browser::metricChosen);
    connect(callPane_, &TreePane::choiceChanged, this, &Browser::callPathsChosen);
    connect(systemPane(), &TreePane::choiceChanged, this, &Browser::locationsChosen);
    for (TreePane* pane : panes()) connect(pane, &TreePane::choiceChanged, this, &Browser::rememberLater);
    connect(&selection_, &Selection::metricChanged, this, &Browser::followMetric);
    connect(&selection_, &Selection::callPathsChanged, this, &Browser::updatePanes);
    connect(&selection_, &Selection::locationsChanged, this, &Browser::updatePanes);
    connect(&selection_, &Selection::modeChanged, this, &Browser::followMode);
    for (TreePane* pane : panes()) connect(pane, &TreePane::choiceChanged, this, &Browser::updateDetails);
    for (TreePane* pane : panes())
        connect(pane, &TreePane::choiceChanged, this, [this] {
            if (!following_) Q_EMIT chosen();
        });
    connect(&selection_, &Selection::modeChanged, this, [this] {
        if (!following_) Q_EMIT chosen();
    });
    connect(&selection_, &Selection::digitsChanged, this, &Browser::followDigits);
    connect(&selection_, &Selection::namesChanged, this, &Browser::followNames);
    connect(details_, &DetailViews::callPathWanted, this, &Browser::revealCallPath);
    connect(details_, &DetailViews::locationWanted, systemViews_, &SystemViews::reveal);
    connect(details_, &DetailViews::metricWanted, this, &Browser::selectMetric);
}

ProgramModel& Browser::program() {
    if (programView_ == ProgramView::CallTree) return calls_;
    auto& model = otherPrograms_[programView_];
    if (!model) {
        model = makeProgramModel(programView_, cache_);
        model->setMode(selection_.mode());
        model->setDigits(selection_.digits());
        model->setWholeNames(selection_.wholeNames());
    }
    return *model;
}

TreePane* Browser::systemPane() const {
    return systemViews_->tree();
}

void Browser::metricChosen() {
    const QModelIndex at = metricPane_->current();
    if (at.isValid()) selection_.setMetric(metrics_.choice(at));
}

void Browser::callPathsChosen() {
    std::vector<CallPathChoice> paths;
    for (const QModelIndex& row : callPane_->chosen())
        for (const CallPathChoice& choice : program().choices(row)) paths.push_back(choice);
    selection_.setCallPaths(std::move(paths));
}

void Browser::locationsChosen() {
    const QModelIndex at = systemPane()->current();
    const bool all = !at.isValid() || (!at.parent().isValid() && system_.rowCount() == 1);
    selection_.setLocations(all ? std::vector<LocationId>() : system_.locationsAt(at));
}

void Browser::followMetric() {
    if (cache_.experiment().metrics.empty()) return;
    const MetricId metric = selection_.metric().metric;
    description_->describe(cache_.experiment().metrics[metric], cache_.reasonOf(metric),
                           cache_.incompletenessOf(metric));
    updatePanes();
}

std::vector<TreeModel*> Browser::models() {
    std::vector<TreeModel*> all{&metrics_, &calls_, &system_};
    for (const auto& [view, model] : otherPrograms_) all.push_back(model.get());
    return all;
}

void Browser::followMode() {
    for (TreeModel* model : models()) {
        model->setOwnRange(std::nullopt);  // it was in another unit
        model->setMode(selection_.mode());
    }
}

void Browser::followDigits() {
    for (TreeModel* model : models()) model->setDigits(selection_.digits());
    updateDetails();
    if (!following_) Q_EMIT chosen();
}

void Browser::followNames() {
    calls_.setWholeNames(selection_.wholeNames());
    for (const auto& [view, model] : otherPrograms_) model->setWholeNames(selection_.wholeNames());
    if (findings_ != nullptr) findings_->setWholeNames(selection_.wholeNames());
    updateDetails();
    if (!following_) Q_EMIT chosen();
}

void Browser::setReference(ExperimentPtr reference) {
    cache_.setReference(std::move(reference));
    for (TreeModel* model : models()) model->setOwnRange(std::nullopt);
}

/// Of what is selected the first call path, and the location when it is one.
void Browser::updateDetails() {
    if (cache_.experiment().metrics.empty()) return;
    const auto& paths = selection_.callPaths();
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
    const auto path = calls_.hottest();
    if (!path) return;
    callPane_->reveal(calls_.indexOfPath(*path));
    systemPane()->reveal(system_.largestLocation());
}

void Browser::nextHotSpot(bool larger) {
    if (cache_.experiment().metrics.empty()) return;
    setProgramView(ProgramView::CallTree);
    const std::vector<CallPathId> spots = calls_.hotSpots();
    if (spots.empty()) return;
    const QModelIndex at = callPane_->current();
    const auto here = at.isValid() ? std::find(spots.begin(), spots.end(), calls_.pathAt(at)) : spots.end();
    const auto size = static_cast<std::ptrdiff_t>(spots.size());
    const std::ptrdiff_t now = here == spots.end() ? (larger ? 0 : -1) : here - spots.begin();
    callPane_->reveal(
        calls_.indexOfPath(spots[static_cast<std::size_t>((now + (larger ? size - 1 : 1)) % size)]));
}

void Browser::setProgramView(ProgramView view) {
    if (view == programView_ || cache_.experiment().metrics.empty()) return;
    const std::vector<CallPathChoice> chosen = selection_.callPaths();
    programView_ = view;
    programBox_->setCurrentIndex(static_cast<int>(view));
    shown_[static_cast<std::size_t>(Pane::Program)].reset();
    callPane_->setModel(&program());
    updatePanes();
    linkScales();
    callPane_->reveal(chosen.empty() ? program().index(0, 0) : program().indexOfPath(chosen.front().path));
}

void Browser::setTitle(const QString& title) {
    title_->setText(title);
    title_->setHidden(title.isEmpty());
}

QString Browser::title() const {
    return title_->text();
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

void Browser::findEverywhere(const QString& text) {
    matchPane_ = 0;
    for (TreePane* pane : panes()) pane->searchBox()->setText(text);
}

void Browser::nextMatchAnywhere() {
    const auto all = panes();
    for (std::size_t tried = 0; tried <= all.size(); ++tried) {
        if (all[matchPane_]->nextMatch()) return;
        matchPane_ = (matchPane_ + 1) % all.size();
    }
}

void Browser::setHideBelow(std::optional<double> part) {
    for (TreePane* pane : panes()) pane->setHideBelow(part);
}

TreePane* Browser::activePane() const {
    for (TreePane* pane : panes())
        if (pane->isAncestorOf(focusWidget())) return pane;
    return callPane_;
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
