// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/linked_panes.h"

#include <QLineEdit>

#include "gui/models/metric_model.h"
#include "gui/views/browser.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

TreePane* LinkedPanes::treeOf(Pane pane) const {
    if (pane == Pane::Metrics) return &parts_.metricPane;
    return pane == Pane::Program ? parts_.programs.tree() : parts_.systemViews.tree();
}

std::vector<TreePane*> LinkedPanes::trees() const {
    return {treeOf(order_[0]), treeOf(order_[1]), treeOf(order_[2])};
}

void LinkedPanes::update() {
    for (const Pane pane : order_) {
        Context now = contextOf(pane, order_, selection_, cache_);
        std::optional<Context>& shown = shown_[static_cast<std::size_t>(pane)];
        if (shown && *shown == now) continue;
        showIn(pane, now);
        shown = std::move(now);
    }
    if (!parts_.metricPane.current().isValid()) return;
    for (std::size_t place = 0; place < order_.size(); ++place)
        treeOf(order_[place])->setSubject(subjectOf(place));
}

void LinkedPanes::showIn(Pane pane, const Context& context) {
    switch (pane) {
        case Pane::Metrics:
            return parts_.metrics.setContext(context.paths, context.locations);
        case Pane::Program:
            return parts_.programs.setContext(context);
        case Pane::System:
            return parts_.system.setContext(context.metric, context.paths);
    }
}

/// What is selected in a pane, for the title of the next one.
QString LinkedPanes::choiceIn(Pane pane) const {
    switch (pane) {
        case Pane::Metrics:
            return parts_.metrics.choiceText(parts_.metricPane.current());
        case Pane::Program:
            return parts_.programs.model().choiceText(parts_.programs.tree()->chosen());
        default:
            break;
    }
    if (const auto thread = parts_.systemViews.selected()) return parts_.system.namesOf({*thread});
    const QModelIndex row = parts_.systemViews.tree()->current();
    return row.siblingAtColumn(TreeModel::NameColumn).data().toString();
}

/// What the values of a pane are of: what is selected left of it, and the metric where that is not.
QString LinkedPanes::subjectOf(std::size_t place) const {
    QStringList words;
    const Pane pane = order_[place];
    if (isLeftOf(pane, Pane::Metrics, order_))
        words << nameOf(cache_.experiment().metrics[cache_.rootOf(selection_.metric().metric)]);
    if (place > 0) words << choiceIn(order_[place - 1]);
    return words.isEmpty() ? QString() : u"of "_qs + words.join(u", "_qs);
}

void PaneSearch::find(const QString& text) {
    pane_ = 0;
    for (TreePane* pane : browser_.panes()) pane->searchBox()->setText(text);
}

void PaneSearch::next() {
    const auto all = browser_.panes();
    for (std::size_t tried = 0; tried <= all.size(); ++tried) {
        if (all[pane_]->nextMatch()) return;
        pane_ = (pane_ + 1) % all.size();
    }
}

}  // namespace holos::gui
