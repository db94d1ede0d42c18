// SPDX-License-Identifier: BSD-3-Clause
// What one sees of an experiment, to be told and to be brought back.
#include <QDataStream>
#include <QSplitter>
#include <QTimer>
#include <QTreeView>

#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/system_views.h"
#include "gui/views/topology_page.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

namespace {
constexpr std::size_t kRememberedSteps = 200;
}

ViewState Browser::state() {
    ViewState state;
    if (cache_.experiment().metrics.empty()) return state;
    state.metric = QString::fromStdString(cache_.experiment().metrics[selection_.metric().metric].uniqueName);
    for (const QModelIndex& row : callPane_->chosen())
        state.calls << program().rows().keyOf(program().nodeOf(row));
    if (const QModelIndex at = systemPane()->current(); at.isValid())
        state.system = system_.rows().keyOf(system_.nodeOf(at));
    state.openMetrics = metrics_.rows().expanded();
    state.openCalls = program().rows().expanded();
    state.openSystem = system_.rows().expanded();
    state.mode = selection_.mode();
    state.digits = selection_.digits();
    state.wholeNames = selection_.wholeNames();
    state.colors = nameOf(colors_.map());
    state.systemView = systemViews_->currentIndex();
    state.topology = systemViews_->topology()->state();
    state.program = programView_;
    state.order = order_;
    state.detail = details_->opened();
    return state;
}

void Browser::restore(const ViewState& state) {
    if (const auto map = colorMapNamed(state.colors)) colors_.setMap(*map);
    selection_.setMode(state.mode);
    selection_.setDigits(state.digits);
    selection_.setWholeNames(state.wholeNames);
    systemViews_->setCurrentIndex(state.systemView);
    systemViews_->topology()->restore(state.topology);
    details_->open(state.detail);
    restoreRows(state);
}

void Browser::restoreRows(const ViewState& state) {
    if (cache_.experiment().metrics.empty()) return;
    setOrder(state.order);
    setProgramView(state.program);
    metricPane_->setExpanded(state.openMetrics);
    callPane_->setExpanded(state.openCalls);
    systemPane()->setExpanded(state.openSystem);
    if (!state.metric.isEmpty()) metricPane_->reveal(metrics_.findMetric(state.metric));
    std::vector<int> calls;
    for (const QString& name : state.calls)
        if (const auto node = program().rows().withKey(name)) calls.push_back(*node);
    if (calls.empty() && program().rowCount() > 0) calls.push_back(program().nodeOf(program().index(0, 0)));
    callPane_->choose(calls);
    if (const auto node = system_.rows().withKey(state.system)) systemPane()->reveal(system_.indexOf(*node));
}

QByteArray Browser::layoutState() const {
    QByteArray layout;
    QDataStream out(&layout, QIODevice::WriteOnly);
    for (const QSplitter* splitter : {across_, metricSide_, down_}) out << splitter->saveState();
    return layout;
}

void Browser::restoreLayout(const QByteArray& layout) {
    QDataStream in(layout);
    for (QSplitter* splitter : {across_, metricSide_, down_}) {
        QByteArray sizes;
        in >> sizes;
        splitter->restoreState(sizes);
    }
}

QStringList Browser::missing(const ViewState& state) {
    QStringList parts;
    if (!state.metric.isEmpty() && !metrics_.findMetric(state.metric).isValid())
        parts << u"metric="_qs + state.metric;
    for (const QString& call : state.calls)
        if (!program().rows().withKey(call)) parts << u"call="_qs + call;
    if (!state.system.isEmpty() && !system_.rows().withKey(state.system))
        parts << u"system="_qs + state.system;
    if (!systemViews_->topology()->has(state.topology)) parts << u"topology="_qs + state.topology;
    if (!state.colors.isEmpty() && !colorMapNamed(state.colors)) parts << u"colors="_qs + state.colors;
    return parts;
}

namespace {

/// What is chosen, and whether it is shown with what is below it.
void followRows(TreePane& mine, const TreePane& theirs) {
    std::vector<int> nodes;
    for (const QModelIndex& row : theirs.chosen()) {
        const int there = theirs.model()->nodeOf(row);
        const auto here = mine.model()->rows().withKey(theirs.model()->rows().keyOf(there));
        if (!here) continue;
        nodes.push_back(*here);
        mine.tree()->setExpanded(mine.model()->indexOf(*here), theirs.model()->rows().isExpanded(there));
    }
    mine.choose(nodes);
}

}  // namespace

void Browser::follow(Browser& leader) {
    if (cache_.experiment().metrics.empty() || leader.experiment().metrics.empty()) return;
    following_ = true;
    setProgramView(leader.programView());
    setOrder(leader.order());
    // An external reference is not there on both sides.
    if (leader.selection().mode() != ValueMode::External) selection_.setMode(leader.selection().mode());
    selection_.setDigits(leader.selection().digits());
    selection_.setWholeNames(leader.selection().wholeNames());
    const QModelIndex metric = leader.metricPane_->current();
    if (metric.isValid()) {
        const QModelIndex here = metrics_.findMetric(QString::fromStdString(
            leader.experiment().metrics[leader.metrics_.choice(metric).metric].uniqueName));
        metricPane_->reveal(here);
        if (here.isValid())
            metricPane_->tree()->setExpanded(
                here, leader.metrics_.rows().isExpanded(leader.metrics_.nodeOf(metric)));
    }
    followRows(*callPane_, *leader.callPane_);
    followRows(*systemPane(), *leader.systemPane());
    following_ = false;
}

void Browser::scrollToSelection() {
    for (TreePane* pane : panes()) pane->tree()->scrollTo(pane->current());
}

/// Everything that one action changes is one step.
void Browser::rememberLater() {
    if (remembering_ || restoring_) return;
    remembering_ = true;
    QTimer::singleShot(0, this, [this] {
        remembering_ = false;
        ViewState now = state();
        if (at_ < steps_.size() && steps_[at_] == now) return;
        if (!steps_.empty()) steps_.resize(at_ + 1);
        if (steps_.size() >= kRememberedSteps) steps_.erase(steps_.begin());
        steps_.push_back(std::move(now));
        at_ = steps_.size() - 1;
    });
}

void Browser::goTo(std::size_t step) {
    if (step >= steps_.size()) return;
    at_ = step;
    restoring_ = true;
    restoreRows(steps_[step]);
    restoring_ = false;
}

void Browser::undo() {
    if (at_ > 0) goTo(at_ - 1);
}

void Browser::redo() {
    goTo(at_ + 1);
}

}  // namespace holos::gui
