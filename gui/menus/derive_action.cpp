// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QTreeView>

#include "algebra/files/experiment_file.h"
#include "base/error.h"
#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/metrics/metric_editor.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {

KeptIn keptIn(const OpenExperiment& one) {
    return QFileInfo(one.path).isFile() ? KeptIn{one.path, one.whyNotKept()} : KeptIn{};
}

/// What the panes show now, and the file is now, may no longer be what they were when the editor opened.
QString whyNotTaken(const OpenExperiment* now, const OpenExperiment& before) {
    return now != nullptr && now->experiment == before.experiment
               ? QString()
               : u"%1: something else is shown meanwhile; no metric was added"_qs.arg(before.path);
}

void keep(OpenExperiments& experiments, const OpenExperiment& one,
          const std::function<void(const QString&)>& tell) {
    if (const QString why = one.whyNotKept(); !why.isEmpty())
        return tell(u"%1: the metrics were not written: %2"_qs.arg(one.path, why));
    try {
        const QString path = one.path;
        algebra::writeExperiment(*one.experiment, path.toStdString(), Links::Refused);
        experiments.noteKept(path);
    } catch (const Error& error) {
        tell(QString::fromUtf8(error.what()));
    }
}

void edit(OpenExperiments& experiments, const QString& metric,
          const std::function<void(const QString&)>& tell) {
    const OpenExperiment active = *experiments.active();
    MetricEditor editor(active.experiment, keptIn(active), experiments.window());
    if (!metric.isEmpty()) editor.beginWith(metric);
    if (editor.exec() != QDialog::Accepted || !editor.result()) return;
    if (const QString why = whyNotTaken(experiments.find(active.path), active); !why.isEmpty())
        return tell(why);
    experiments.replace(active.path, editor.result());
    if (editor.isKept()) keep(experiments, *experiments.find(active.path), tell);
}

}  // namespace

void addDeriveAction(QMenu* menu, Actions& actions, OpenExperiments& experiments,
                     const std::function<void(const QString&)>& tell) {
    actions.addForBrowser(menu, u"Derive metrics…"_qs, {},
                          u"Write metrics that are made of others, and see their values as you type"_qs,
                          [&experiments, tell](Browser&) { edit(experiments, {}, tell); });
    QObject::connect(
        &experiments, &OpenExperiments::added, menu, [&experiments, tell](const OpenExperiment& added) {
            QTreeView* tree = added.browser->metricPane()->tree();
            auto* action = new QAction(u"Derive a metric from it…"_qs, tree);
            QObject::connect(
                action, &QAction::triggered, tree, [&experiments, tell, browser = added.browser] {
                    const auto& metrics = browser->experiment().metrics;
                    if (metrics.empty()) return;
                    edit(experiments,
                         QString::fromStdString(metrics[browser->selection().metric().metric].uniqueName),
                         tell);
                });
            tree->addAction(action);
        });
}

}  // namespace holos::gui
