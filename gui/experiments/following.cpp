// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/following.h"

#include <QTreeView>

#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

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

/// By its unique name, expanded as it is there.
void followMetric(Browser& browser, Browser& leader) {
    const TreePane& theirs = *leader.metricPane();
    if (!theirs.current().isValid()) return;
    const algebra::MetricId there = leader.selection().metric().metric;
    if (!browser.selectMetric(QString::fromStdString(leader.experiment().metrics[there].uniqueName))) return;
    TreePane& mine = *browser.metricPane();
    const int node = theirs.model()->nodeOf(theirs.current());
    mine.tree()->setExpanded(mine.current(), theirs.model()->rows().isExpanded(node));
}

}  // namespace

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

}  // namespace holos::gui
