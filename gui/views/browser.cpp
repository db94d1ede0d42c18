// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/browser.h"

#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/views/description_pane.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

using namespace algebra;

Browser::Browser(ExperimentPtr experiment, QWidget* parent)
    : QWidget(parent),
      cache_(std::move(experiment)),
      metrics_(cache_),
      calls_(cache_),
      system_(cache_),
      metricPane_(new TreePane(u"Metrics"_qs, false, colors_, this)),
      callPane_(new TreePane(u"Call paths"_qs, true, colors_, this)),
      systemPane_(new TreePane(u"System"_qs, false, colors_, this)),
      description_(new DescriptionPane(this)) {
    buildPanes();
    connectPanes();
    metricPane_->reveal(metrics_.index(0, 0));
    callPane_->reveal(calls_.index(0, 0));
    followMetric();
    systemPane_->reveal(system_.index(0, 0));
    setFocusProxy(metricPane_->tree());
    prefetch_ = std::make_unique<Prefetch>(cache_);
}

Browser::~Browser() {
    for (TreePane* pane : {metricPane_, callPane_, systemPane_}) pane->setModel(nullptr);
}

void Browser::buildPanes() {
    auto* left = new QSplitter(Qt::Vertical, this);
    left->addWidget(metricPane_);
    left->addWidget(description_);
    left->setStretchFactor(0, 4);
    left->setStretchFactor(1, 1);
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->addWidget(left);
    across->addWidget(callPane_);
    across->addWidget(systemPane_);
    across->setStretchFactor(0, 10);
    across->setStretchFactor(1, 13);
    across->setStretchFactor(2, 9);
    for (QSplitter* splitter : {left, across}) {
        splitter->setHandleWidth(5);
        splitter->setChildrenCollapsible(false);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across);
    if (cache_.experiment().metrics.empty()) return;  // there is nothing of which values could be shown
    metricPane_->setModel(&metrics_);
    callPane_->setModel(&calls_);
    systemPane_->setModel(&system_);
}

void Browser::connectPanes() {
    connect(&cache_, &ValueCache::failed, this, &Browser::failed);
    connect(metricPane_, &TreePane::choiceChanged, this, &Browser::metricChosen);
    connect(callPane_, &TreePane::choiceChanged, this, &Browser::callPathsChosen);
    connect(&selection_, &Selection::metricChanged, this, &Browser::followMetric);
    connect(&selection_, &Selection::callPathsChanged, this, &Browser::followCallPaths);
    connect(&selection_, &Selection::modeChanged, this, &Browser::followMode);
}

void Browser::metricChosen() {
    const QModelIndex at = metricPane_->current();
    if (at.isValid()) selection_.setMetric(metrics_.choice(at));
}

void Browser::callPathsChosen() {
    std::vector<CallPathChoice> paths;
    for (const QModelIndex& row : callPane_->chosen()) paths.push_back(calls_.choice(row));
    selection_.setCallPaths(std::move(paths));
}

void Browser::followMetric() {
    if (cache_.experiment().metrics.empty()) return;
    calls_.setMetric(selection_.metric());
    const MetricId metric = selection_.metric().metric;
    description_->describe(cache_.experiment().metrics[metric], cache_.reasonOf(metric));
    followCallPaths();
}

void Browser::followCallPaths() {
    system_.setContext(selection_.metric(), selection_.callPaths());
    updateSubjects();
}

std::array<TreeModel*, 3> Browser::models() {
    return {&metrics_, &calls_, &system_};
}

void Browser::followMode() {
    for (TreeModel* model : models()) {
        model->setOwnRange(std::nullopt);  // it was in another unit
        model->setMode(selection_.mode());
    }
}

void Browser::setReference(ExperimentPtr reference) {
    cache_.setReference(std::move(reference));
    for (TreeModel* model : models()) model->setOwnRange(std::nullopt);
}

void Browser::updateSubjects() {
    if (metricPane_->current().isValid())
        callPane_->setSubject(u"of "_qs + metrics_.choiceText(metricPane_->current()));
    systemPane_->setSubject(u"of "_qs + calls_.choiceText(callPane_->chosen()));
}

bool Browser::selectMetric(const QString& name) {
    const QModelIndex found = metrics_.findMetric(name);
    metricPane_->reveal(found);
    return found.isValid();
}

void Browser::expandHottest() {
    if (cache_.experiment().metrics.empty()) return;
    const auto path = cache_.hottest(selection_.metric().metric);
    if (!path) return;
    callPane_->reveal(calls_.indexOfPath(*path));
    systemPane_->reveal(system_.largestLocation());
}

void Browser::setHideZeros(bool hide) {
    for (TreePane* pane : {metricPane_, callPane_, systemPane_}) pane->setHideZeros(hide);
}

TreePane* Browser::activePane() const {
    for (TreePane* pane : {metricPane_, callPane_, systemPane_})
        if (pane->isAncestorOf(focusWidget())) return pane;
    return callPane_;
}

}  // namespace holos::gui
