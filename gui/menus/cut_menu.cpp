// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QAction>
#include <QMenu>
#include <QTreeView>

#include "algebra/operators/cut.h"
#include "algebra/operators/rows/copy.h"
#include "base/short_name.h"
#include "gui/experiments/file_opening.h"
#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

using algebra::Cut;

namespace {

constexpr double kLeastShare = 0.01;

/// The region of the call path that is selected first; empty: none is.
std::string selectedRegion(Browser& browser) {
    const auto& paths = browser.selection().callPaths().given();
    return paths.empty() ? std::string() : browser.experiment().regionOf(paths.front().path).name;
}

/// `%1` in the title stands for the region.
struct RegionCut {
    QString text;
    QString help;
    QString title;
    std::vector<std::string> Cut::*regions;
};

}  // namespace

void fillCutMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening) {
    const auto cutActive = [&experiments, &opening](const QString& title, const Cut& how) {
        const OpenExperiment& active = *experiments.active();
        opening.load(u"%1 – %2"_qs.arg(active.name, title), [mine = active.experiment, how] {
            return std::make_shared<const algebra::Experiment>(algebra::cut(algebra::copyOf(*mine), how));
        });
    };
    QList<QAction*> ofRegion;
    for (const RegionCut& cut :
         {RegionCut{u"Cut to the selected region"_qs,
                    u"Only the selected region, wherever it is called, and what is below it"_qs,
                    u"below %1"_qs, &Cut::roots},
          RegionCut{u"Cut the selected region into its callers"_qs,
                    u"The selected region, with what is below it, becomes part of those who call it"_qs,
                    u"without %1"_qs, &Cut::prune}})
        ofRegion << actions.addForBrowser(menu, cut.text, {}, cut.help, [cutActive, cut](Browser& browser) {
            const std::string region = selectedRegion(browser);
            Cut how;
            how.*cut.regions = {region};
            if (!region.empty())
                cutActive(cut.title.arg(QString::fromStdString(folded(region, Folding::All))), how);
        });
    actions.addForBrowser(
        menu, u"Cut small call paths into their callers"_qs, {},
        u"What has less than one percent of the selected metric becomes part of its caller"_qs,
        [cutActive](Browser& browser) {
            if (browser.experiment().metrics.empty()) return;
            Cut how;
            how.share = Cut::Share{
                browser.experiment().metrics[browser.selection().metric().metric].uniqueName, kLeastShare};
            cutActive(u"without small call paths"_qs, how);
        });
    QObject::connect(&experiments, &OpenExperiments::added, menu, [ofRegion](const OpenExperiment& added) {
        added.browser->callPane()->tree()->addActions(ofRegion);
    });
}

}  // namespace holos::gui
