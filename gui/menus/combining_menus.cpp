// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/combining_menus.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "algebra/insight/runs/change.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/merge.h"
#include "gui/experiments/file_opening.h"
#include "gui/experiments/open_experiments.h"
#include "gui/models/plain_text.h"

namespace holos::gui {

using algebra::Experiment;

CombiningMenus::CombiningMenus(QMenu* menu, OpenExperiments& experiments, FileOpening& opening)
    : QObject(menu), experiments_(experiments), opening_(opening) {
    add(menu, u"Difference to"_qs, u"The active experiment minus another one"_qs,
        &CombiningMenus::difference);
    add(menu, u"Mean with"_qs, u"The mean of the active experiment and another one"_qs,
        [](const Operand& mine, const Operand& other) {
            return algebra::mean({mine.experiment, other.experiment});
        });
    add(menu, u"Merge with"_qs, u"What both experiments measured, as one"_qs,
        [](const Operand& mine, const Operand& other) {
            return algebra::merge({mine.experiment, other.experiment});
        });
}

/// With the sentences that say what is different, as `holos diff` has them.
Experiment CombiningMenus::difference(const Operand& mine, const Operand& other) {
    Experiment result = algebra::diff(mine.experiment, other.experiment);
    const auto groupOf = [](const Operand& one) {
        return algebra::RunGroup{one.name.toStdString(), {one.experiment}};
    };
    if (const auto change = algebra::changeBetween(groupOf(mine), groupOf(other)))
        algebra::keepChange(*change, result);
    return result;
}

void CombiningMenus::add(QMenu* menu, const QString& title, const QString& help, const Operator& combine) {
    QMenu* others = menu->addMenu(title);
    others->setToolTip(help);
    connect(others, &QMenu::aboutToShow, this, [this, others, combine] { list(others, combine); });
}

/// The other open experiments, and files.
void CombiningMenus::list(QMenu* others, const Operator& operation) {
    others->clear();
    const QString title = others->title();
    for (const OpenExperiment& one : experiments_.all()) {
        if (one.browser == experiments_.browser()) continue;
        connect(others->addAction(menuText(one.name)), &QAction::triggered, this,
                [this, title, operation, name = one.name, experiment = one.experiment] {
                    combine(title, name, operation, [experiment] { return experiment; });
                });
    }
    others->addSeparator();
    QAction* file = others->addAction(u"Another file…"_qs);
    file->setEnabled(experiments_.active() != nullptr);
    connect(file, &QAction::triggered, this, [this, title, operation] { combineWithFile(title, operation); });
}

void CombiningMenus::combineWithFile(const QString& title, const Operator& operation) {
    const QString other = QFileDialog::getOpenFileName(experiments_.window(), title);
    if (!other.isEmpty())
        combine(title, QFileInfo(other).fileName(), operation, [other] { return loadExperiment(other); });
}

void CombiningMenus::combine(const QString& title, const QString& other, const Operator& operation,
                             const std::function<ExperimentPtr()>& loadOther) {
    const OpenExperiment* active = experiments_.active();
    if (active == nullptr) return;
    const QString name = u"%1 – %2 %3"_qs.arg(active->name, title.toLower(), other);
    opening_.load(name, [mine = active->experiment, myName = active->name, other, operation, loadOther] {
        const ExperimentPtr loaded = loadOther();
        return std::make_shared<const Experiment>(operation({myName, *mine}, {other, *loaded}));
    });
}

}  // namespace holos::gui
