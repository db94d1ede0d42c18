// SPDX-License-Identifier: BSD-3-Clause
// Smaller call trees, made by the algebra and opened beside the active experiment.
#include <QFileInfo>
#include <QMenu>

#include "algebra/operators/copy.h"
#include "algebra/operators/cut.h"
#include "base/short_name.h"
#include "gui/app/main_window.h"
#include "gui/views/browser.h"

namespace holos::gui {

using algebra::Cut;

namespace {

constexpr double kLeastShare = 0.01;

/// The region of the call path that is selected first; empty: none is.
std::string selectedRegion(Browser& browser) {
    const auto& paths = browser.selection().callPaths();
    return paths.empty() ? std::string() : browser.experiment().regionOf(paths.front().path).name;
}

}  // namespace

void MainWindow::buildCutMenu(QMenu* menu) {
    const auto addRegionAction = [&](const QString& text, const QString& help, const QString& title,
                                     std::vector<std::string> Cut::*regions) {
        cutActions_ << addBrowserAction(menu, text, {}, help, [this, title, regions](Browser& browser) {
            const std::string region = selectedRegion(browser);
            Cut how;
            how.*regions = {region};
            if (!region.empty())
                cutActive(title.arg(QString::fromStdString(folded(region, Folding::All))), how);
        });
    };
    addRegionAction(u"Cut to the selected region"_qs,
                    u"Only the selected region, wherever it is called, and what is below it"_qs,
                    u"below %1"_qs, &Cut::roots);
    addRegionAction(u"Cut the selected region into its callers"_qs,
                    u"The selected region, with what is below it, becomes part of those who call it"_qs,
                    u"without %1"_qs, &Cut::prune);
    addBrowserAction(menu, u"Cut small call paths into their callers"_qs, {},
                     u"What has less than one percent of the selected metric becomes part of its caller"_qs,
                     [this](Browser& browser) {
                         if (browser.experiment().metrics.empty()) return;
                         Cut how;
                         how.share = Cut::Share{
                             browser.experiment().metrics[browser.selection().metric().metric].uniqueName,
                             kLeastShare};
                         cutActive(u"without small call paths"_qs, how);
                     });
}

void MainWindow::cutActive(const QString& title, const Cut& how) {
    load(u"%1 – %2"_qs.arg(QFileInfo(path_).fileName(), title), [mine = experiment_, how] {
        return std::make_shared<const algebra::Experiment>(algebra::cut(algebra::copyOf(*mine), how));
    });
}

}  // namespace holos::gui
