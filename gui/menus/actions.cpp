// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/actions.h"

#include <QAction>
#include <QMenu>

#include "gui/experiments/open_experiments.h"

namespace holos::gui {

Actions::Actions(OpenExperiments& experiments, QObject* parent) : QObject(parent), experiments_(experiments) {
    connect(&experiments, &OpenExperiments::activeChanged, this, &Actions::enable);
}

QAction* Actions::add(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                      const std::function<void()>& act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(key);
    const QString keys = key.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? help : u"%1 (%2)"_qs.arg(help, keys));
    action->setStatusTip(help);
    connect(action, &QAction::triggered, this, act);
    return action;
}

QAction* Actions::addForBrowser(QMenu* menu, const QString& text, const QKeySequence& key,
                                const QString& help, const std::function<void(Browser&)>& act) {
    forBrowser_.push_back(add(menu, text, key, help, [this, act] { act(*experiments_.browser()); }));
    forBrowser_.back()->setEnabled(experiments_.browser() != nullptr);
    return forBrowser_.back();
}

QMenu* Actions::addChoices(QMenu* menu, const QString& title, const QString& help, const QStringList& choices,
                           const std::function<int(Browser&)>& chosen,
                           const std::function<void(Browser&, int)>& choose) {
    QMenu* below = menu->addMenu(title);
    below->setToolTip(help);
    for (int at = 0; at < choices.size(); ++at)
        addForBrowser(below, choices[at], {}, help, [choose, at](Browser& browser) {
            choose(browser, at);
        })->setCheckable(true);
    connect(below, &QMenu::aboutToShow, this, [this, below, chosen] {
        Browser* browser = experiments_.browser();
        const int ticked = browser == nullptr ? -1 : chosen(*browser);
        const QList<QAction*> actions = below->actions();
        for (int at = 0; at < actions.size(); ++at) actions[at]->setChecked(at == ticked);
    });
    return below;
}

void Actions::enable() {
    for (QAction* action : forBrowser_) action->setEnabled(experiments_.browser() != nullptr);
}

}  // namespace holos::gui
