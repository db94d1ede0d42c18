// SPDX-License-Identifier: BSD-3-Clause
// What the right mouse button offers for a row of the trees.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTreeView>
#include <functional>

#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

namespace {

void addRowAction(TreePane* pane, const QString& text, const std::function<void()>& act) {
    auto* action = new QAction(text, pane->tree());
    QObject::connect(action, &QAction::triggered, pane, [pane, act] {
        if (pane->model() != nullptr && pane->current().isValid()) act();
    });
    pane->tree()->addAction(action);
}

void addSeparator(TreePane* pane) {
    auto* line = new QAction(pane->tree());
    line->setSeparator(true);
    pane->tree()->addAction(line);
}

}  // namespace

/// Below what copies rows.
void Browser::buildContextMenus() {
    for (TreePane* pane : panes()) {
        addRowAction(pane, u"Copy path"_qs, [pane] {
            QApplication::clipboard()->setText(
                pane->model()->rows().pathOf(pane->model()->nodeOf(pane->current())));
        });
        addSeparator(pane);
        addRowAction(pane, u"Only this, or everything again"_qs, [pane] { pane->reroot(); });
        addRowAction(pane, u"This as 100 percent"_qs, [this] { selection_.setMode(ValueMode::OfSelection); });
    }
    addSeparator(callPane_);
    addRowAction(callPane_, u"Source"_qs, [this] { details_->open(u"source"_qs); });
    addRowAction(callPane_, u"Longest waits in the timeline"_qs, [this] { details_->open(u"timeline"_qs); });
}

}  // namespace holos::gui
