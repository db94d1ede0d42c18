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

void edit(OpenExperiments& experiments, const QString& metric,
          const std::function<void(const QString&)>& tell) {
    const OpenExperiment active = *experiments.active();
    const QFileInfo file(active.path);
    MetricEditor editor(active.experiment, file.isFile() ? active.path : QString(), experiments.window());
    if (!metric.isEmpty()) editor.beginWith(metric);
    if (editor.exec() != QDialog::Accepted || !editor.result()) return;
    experiments.replace(active.path, editor.result());
    if (!editor.isKept()) return;
    try {
        algebra::writeExperiment(*editor.result(), active.path.toStdString());
    } catch (const Error& error) {
        tell(QString::fromUtf8(error.what()));
    }
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
