// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/command_line_view.h"

#include "base/error.h"
#include "gui/app/main_window.h"
#include "gui/app/options.h"
#include "gui/experiments/filtering.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/roofline_pane.h"
#include "gui/views/details/source_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

void showPartOf(MainWindow& window, const Options& options, const std::function<void()>& then) {
    const OpenExperiment* active = window.experiments().active();
    if (active == nullptr || !options.state) return then();
    // What replaces the browser has its proportions, which leave no room for a view that is not open.
    if (!options.state->filter.isEmpty()) active->browser->details()->open(options.state->detail);
    window.filtering().want(active->path, options.state->filter, then);
}

void applyOptions(MainWindow& window, const Options& options) {
    Browser* browser = window.browser();
    QStringList missing;
    if (browser != nullptr) {
        if (!options.reference.isEmpty()) browser->setReference(loadExperiment(options.reference));
        if (options.state) {
            ViewState state = *options.state;
            state.filter = browser->filter();
            browser->views().restore(state);
            missing = browser->views().missing(state);
        }
        if (options.colors) browser->colors().setMap(*options.colors);
    }
    window.setMode(options.mode);
    if (browser == nullptr) return;
    Place place;
    place.file = options.files.value(0).toStdString();
    if (!options.metric.isEmpty() && !browser->selectMetric(options.metric))
        throw Error("no metric is called \"" + options.metric.toStdString() + "\"", place);
    if (options.expandHottest) browser->expandHottest();
    browser->details()->roofline()->setRoofs(algebra::roofsOf(browser->experiment(), options.roofs));
    SourcePane* source = browser->details()->source();
    std::vector<SourceMapping> mappings = source->mappings();
    mappings.insert(mappings.end(), options.sources.begin(), options.sources.end());
    source->setPlaces(std::move(mappings), source->folders());
    if (options.sideBySide) window.experiments().setSideBySide(true);
    // What is selected is the same in both; the hottest thread need not be in both.
    if (options.sideBySide && options.expandHottest)
        for (const OpenExperiment& one : window.experiments().all())
            if (one.browser != browser) one.browser->expandSystem();
    if (!options.detail.isEmpty()) browser->details()->open(options.detail);
    if (!missing.isEmpty())
        throw Error("does not have what the state names: " + missing.join(u", "_qs).toStdString(), place);
}

}  // namespace holos::gui
