// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/pane_search.h"

#include <QLineEdit>

#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

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
