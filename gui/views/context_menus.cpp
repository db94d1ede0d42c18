// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/context_menus.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTreeView>
#include <functional>

#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/program_views.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {

QAction* addRowAction(TreePane* pane, const QString& text, const std::function<void()>& act) {
    auto* action = new QAction(text, pane->tree());
    QObject::connect(action, &QAction::triggered, pane, [pane, act] {
        if (pane->model() != nullptr && pane->current().isValid()) act();
    });
    pane->tree()->addAction(action);
    return action;
}

void addSeparator(TreePane* pane) {
    auto* line = new QAction(pane->tree());
    line->setSeparator(true);
    pane->tree()->addAction(line);
}

/// Shows the first of the selected call paths in the whole width of the flame graph.
void showInFlameGraph(Browser& browser) {
    const auto& paths = browser.selection().callPaths().given();
    if (paths.empty()) return;
    browser.programs()->setCurrentIndex(ProgramViews::FlameTab);
    browser.programs()->flame()->zoomWhenShown(paths.front().path);
}

}  // namespace

void addContextMenus(Browser& browser) {
    for (TreePane* pane : {browser.metricPane(), browser.callPane(), browser.systemPane()}) {
        const Pane kind = pane == browser.metricPane() ? Pane::Metrics
                          : pane == browser.callPane() ? Pane::Program
                                                       : Pane::System;
        addRowAction(pane, u"Copy path"_qs, [pane] {
            const NodeId node = pane->model()->nodeOf(pane->current());
            QApplication::clipboard()->setText(pane->model()->rows().pathOf(node));
        });
        addSeparator(pane);
        addRowAction(pane, u"Only this, or everything again"_qs, [pane] { pane->reroot(); });
        addRowAction(pane, u"Largest first, or as recorded"_qs,
                     [&browser, kind] { browser.toggleLargestFirst(kind); });
        addRowAction(pane, u"This as 100 percent"_qs,
                     [&browser] { browser.selection().setMode(ValueMode::OfSelection); });
    }
    TreePane* calls = browser.callPane();
    addSeparator(calls);
    addRowAction(calls, u"Only this in all views"_qs, [&browser] { browser.showOnlyCallPaths(); });
    addRowAction(browser.systemPane(), u"Only this in all views"_qs,
                 [&browser] { browser.showOnlyPlaces(); });
    addRowAction(calls, u"Flame graph from here"_qs, [&browser] { showInFlameGraph(browser); });
    addRowAction(calls, u"Callers and callees"_qs,
                 [&browser] { browser.programs()->setCurrentIndex(ProgramViews::CallersTab); });
    addRowAction(calls, u"Note…"_qs, [&browser] { browser.editNote(); });
    addRowAction(calls, u"Source"_qs, [&browser] { browser.details()->open(u"source"_qs); });
    addRowAction(calls, u"Longest waits in the timeline"_qs,
                 [&browser] { browser.details()->open(u"timeline"_qs); });
    // What can be done with a selected row can be done with a selected box.
    FlameView* view = browser.programs()->flame()->view();
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    view->addActions(calls->tree()->actions());
}

}  // namespace holos::gui
