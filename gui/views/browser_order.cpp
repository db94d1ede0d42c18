// SPDX-License-Identifier: BSD-3-Clause
// The order of the panes, and what follows from it: what each of them shows.
#include <QSplitter>

#include "gui/views/browser.h"
#include "gui/views/system_views.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

using namespace algebra;

TreePane* Browser::treeOf(Pane pane) const {
    return pane == Pane::Metrics ? metricPane_ : pane == Pane::Program ? callPane_ : systemPane();
}

QWidget* Browser::widgetOf(Pane pane) const {
    if (pane == Pane::Metrics) return metricSide_;
    return pane == Pane::Program ? static_cast<QWidget*>(callPane_) : systemViews_;
}

/// From left to right.
std::vector<TreePane*> Browser::panes() const {
    return {treeOf(order_[0]), treeOf(order_[1]), treeOf(order_[2])};
}

void Browser::setOrder(const PaneOrder& order) {
    if (order == order_) return;
    order_ = order;
    for (std::size_t place = 0; place < order_.size(); ++place)
        across_->insertWidget(static_cast<int>(place), widgetOf(order_[place]));
    updatePanes();
    rememberLater();
    if (!following_) Q_EMIT chosen();
}

void Browser::exchangeLastPanes() {
    setOrder({order_[0], order_[2], order_[1]});
}

/// Each pane shows the part of the experiment that is selected left of it.
void Browser::updatePanes() {
    if (cache_.experiment().metrics.empty()) return;
    for (const Pane pane : order_) {
        Context now = contextOf(pane, order_, selection_, cache_);
        std::optional<Context>& shown = shown_[static_cast<std::size_t>(pane)];
        if (shown && *shown == now) continue;
        showIn(pane, now);
        shown = std::move(now);
    }
    updateSubjects();
}

void Browser::showIn(Pane pane, const Context& context) {
    switch (pane) {
        case Pane::Metrics:
            return metrics_.setContext(context.paths, context.locations);
        case Pane::Program:
            return program().setContext(context.metric, context.locations);
        case Pane::System:
            return system_.setContext(context.metric, context.paths);
    }
}

void Browser::updateSubjects() {
    if (!metricPane_->current().isValid()) return;
    for (std::size_t place = 0; place < order_.size(); ++place)
        treeOf(order_[place])->setSubject(subjectOf(place));
}

/// What is selected in a pane, for the title of the next one.
QString Browser::choiceIn(Pane pane) {
    switch (pane) {
        case Pane::Metrics:
            return metrics_.choiceText(metricPane_->current());
        case Pane::Program:
            return program().choiceText(callPane_->chosen());
        default:
            break;
    }
    if (const auto thread = systemViews_->selected()) return system_.namesOf({*thread});
    return systemPane()->current().siblingAtColumn(TreeModel::NameColumn).data().toString();
}

/// What the values of a pane are of: what is selected left of it, and the metric where that is not.
QString Browser::subjectOf(std::size_t place) {
    QStringList words;
    const Pane pane = order_[place];
    if (isLeftOf(pane, Pane::Metrics, order_))
        words << nameOf(cache_.experiment().metrics[cache_.rootOf(selection_.metric().metric)]);
    if (place > 0) words << choiceIn(order_[place - 1]);
    return words.isEmpty() ? QString() : u"of "_qs + words.join(u", "_qs);
}

}  // namespace holos::gui
