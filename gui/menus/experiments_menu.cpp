// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QKeySequence>
#include <QMenu>

#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/menus/combining_menus.h"
#include "gui/views/browser.h"

namespace holos::gui {

void fillExperimentsMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening) {
    new CombiningMenus(menu, experiments, opening);
    fillCutMenu(menu->addMenu(u"Cut"_qs), actions, experiments, opening);
    menu->addSeparator();
    actions.addForBrowser(menu, u"Compare"_qs, u"Ctrl+M"_qs,
                          u"Metrics of all open experiments for the selected call path, as a table"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"experiments"_qs); });
    actions.add(menu, u"Side by side"_qs, u"Ctrl+B"_qs,
                u"Two experiments with one selection, or one alone again"_qs,
                [&experiments] { experiments.setSideBySide(!experiments.isSideBySide()); });
    actions.add(menu, u"Next experiment"_qs, u"Ctrl+Tab"_qs, u"Switch to the next open experiment"_qs,
                [&experiments] { experiments.activateNext(); });
    actions.add(menu, u"Previous experiment"_qs, u"Ctrl+Shift+Tab"_qs,
                u"Switch to the previous open experiment"_qs,
                [&experiments] { experiments.activatePrevious(); });
    actions.add(menu, u"Close experiment"_qs, u"Ctrl+W"_qs, u"Close the active experiment"_qs,
                [&experiments] { experiments.closeActive(); });
}

}  // namespace holos::gui
