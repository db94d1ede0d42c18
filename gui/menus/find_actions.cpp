// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QKeySequence>
#include <QLineEdit>
#include <QMenu>
#include <QToolBar>

#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {

constexpr int kSearchWidth = 14;  ///< letters

QLineEdit* makeSearchBox(QWidget* parent, OpenExperiments& experiments) {
    auto* box = new QLineEdit(parent);
    box->setPlaceholderText(u"Find everywhere"_qs);
    box->setClearButtonEnabled(true);
    box->setMaximumWidth(box->fontMetrics().horizontalAdvance(u"M"_qs) * kSearchWidth);
    box->setAccessibleName(u"Find everywhere"_qs);
    box->setToolTip(u"Mark names in all panes that match this regular expression"_qs);
    QObject::connect(box, &QLineEdit::textChanged, box, [&experiments](const QString& text) {
        if (Browser* browser = experiments.browser()) browser->search().find(text);
    });
    QObject::connect(box, &QLineEdit::returnPressed, box, [&experiments] {
        if (Browser* browser = experiments.browser()) browser->search().next();
    });
    return box;
}

}  // namespace

void addFindActions(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments) {
    QLineEdit* everywhere = makeSearchBox(tools, experiments);
    tools->addSeparator();
    tools->addWidget(everywhere);
    actions.addForBrowser(menu, u"Next match"_qs, QKeySequence::FindNext,
                          u"The next name that is marked, in any pane"_qs,
                          [](Browser& browser) { browser.search().next(); });
    actions.add(menu, u"Find everywhere"_qs, u"Ctrl+Shift+F"_qs, u"Search in all panes"_qs,
                [everywhere] { everywhere->setFocus(); });
    actions.addForBrowser(menu, u"Find"_qs, QKeySequence::Find, u"Search in the active pane"_qs,
                          [](Browser& browser) { browser.activePane()->searchBox()->setFocus(); });
}

}  // namespace holos::gui
