// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/view_keeper.h"

#include <QTimer>
#include <QUrl>
#include <map>

#include "gui/models/counterpart.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/iterations/iterations_pane.h"
#include "gui/views/pane_layout.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {

std::vector<NodeId> expandedIn(const TreePane& pane) {
    return pane.model()->rows().expanded();
}

/// Rows of a pane that stand for those of another one, by their names.
class SameRows {
  public:
    SameRows(const TreePane& pane, const TreePane& other) : pane_(pane), other_(other) {}

    std::vector<NodeId> of(const std::vector<NodeId>& nodes) {
        std::vector<NodeId> here;
        for (const NodeId node : nodes)
            if (const auto same = sameAs(node)) here.push_back(*same);
        return here;
    }

  private:
    std::optional<NodeId> sameAs(NodeId node) {
        const auto [known, isNew] = known_.try_emplace(node);
        if (isNew) known->second = pane_.model()->rows().withKey(other_.model()->rows().keyOf(node));
        return known->second;
    }

    const TreePane& pane_;
    const TreePane& other_;
    std::map<NodeId, std::optional<NodeId>> known_;
};

std::optional<NodeId> rowIn(const TreePane& pane, const QString& key) {
    return pane.model() == nullptr ? std::nullopt : pane.model()->rows().withKey(key);
}

}  // namespace

ViewKeeper::ViewKeeper(Browser& browser) : QObject(&browser), browser_(browser) {}

bool ViewKeeper::isEmpty() const {
    return browser_.experiment().metrics.empty();
}

ViewState ViewKeeper::state() const {
    ViewState state;
    if (isEmpty()) return state;
    state.filter = browser_.filter();
    const Selection& selection = browser_.selection();
    const TreePane& calls = *browser_.callPane();
    const TreePane& system = *browser_.systemPane();
    state.metric =
        QString::fromStdString(browser_.experiment().metrics[selection.metric().metric].uniqueName);
    for (const QModelIndex& row : calls.chosen())
        state.calls << calls.model()->rows().keyOf(calls.model()->nodeOf(row));
    if (const QModelIndex at = system.current(); at.isValid())
        state.system = system.model()->rows().keyOf(system.model()->nodeOf(at));
    state.openMetrics = expandedIn(*browser_.metricPane());
    state.openCalls = expandedIn(calls);
    state.openSystem = expandedIn(system);
    state.mode = selection.mode();
    state.digits = selection.digits();
    state.wholeNames = selection.wholeNames();
    state.colors = colorMapName(browser_.colors().map());
    state.programTab = browser_.programs()->currentIndex();
    state.flame = browser_.programs()->flame()->colors();
    state.systemView = browser_.systemViews()->currentIndex();
    state.topology = browser_.systemViews()->topology()->state();
    state.program = browser_.programView();
    state.order = browser_.order();
    state.columns = browser_.columns();
    state.largestFirst = browser_.largestFirst();
    state.detail = browser_.details()->opened();
    state.timeline = browser_.details()->timeline()->window();
    state.look = browser_.details()->timeline()->look();
    state.events = browser_.details()->events()->link();
    state.against = browser_.details()->iterations()->against();
    if (const auto zoomed = browser_.programs()->flame()->zoomed()) {
        const CallModel& tree = browser_.programs()->calls();
        state.zoomed = tree.rows().keyOf(tree.nodeOf(tree.indexOfPath(*zoomed)));
    }
    return state;
}

void ViewKeeper::restore(const ViewState& state) {
    if (state.filter == browser_.filter()) return restoreHere(state);
    // Rows of another part of the run have other numbers.
    ViewState names = state;
    for (auto* open : {&names.openMetrics, &names.openCalls, &names.openSystem}) open->clear();
    restoreHere(names);
    Q_EMIT browser_.otherPartWanted(state);
}

void ViewKeeper::restoreHere(const ViewState& state) {
    if (const auto map = colorMapNamed(state.colors)) browser_.colors().setMap(*map);
    browser_.selection().setMode(state.mode);
    browser_.selection().setDigits(state.digits);
    browser_.selection().setWholeNames(state.wholeNames);
    browser_.programs()->setCurrentIndex(state.programTab);
    browser_.programs()->flame()->setColors(state.flame);
    browser_.systemViews()->setCurrentIndex(state.systemView);
    browser_.systemViews()->topology()->restore(state.topology);
    browser_.details()->open(state.detail);
    if (state.timeline) browser_.details()->timeline()->showWindow(*state.timeline);
    browser_.details()->timeline()->setLook(state.look);
    browser_.details()->events()->setLink(state.events);
    browser_.details()->iterations()->setAgainst(state.against);
    restoreRows(state);
    if (isEmpty() || state.zoomed.isEmpty()) return;
    const CallModel& tree = browser_.programs()->calls();
    if (const auto node = tree.rows().withKey(state.zoomed))
        browser_.programs()->flame()->zoomWhenShown(tree.pathAt(tree.indexOf(*node)));
}

void ViewKeeper::takeFrom(const Browser& other) {
    browser_.paneLayout()->restoreSizes(other.paneLayout()->sizes());
    if (other.experiment().metrics.empty() || isEmpty()) return;
    browser_.setProgramView(other.programView());
    SameRows metrics(*browser_.metricPane(), *other.metricPane());
    SameRows calls(*browser_.callPane(), *other.callPane());
    SameRows system(*browser_.systemPane(), *other.systemPane());
    const auto translate = [&](ViewState& state) {
        state.filter = browser_.filter();
        state.openMetrics = metrics.of(state.openMetrics);
        // Rows of another order of the program are not at hand.
        state.openCalls =
            state.program == other.programView() ? calls.of(state.openCalls) : std::vector<NodeId>();
        state.openSystem = system.of(state.openSystem);
    };
    ViewState state = other.views().state();
    translate(state);
    restoreHere(state);
    history_ = other.views().history_;
    history_.changeAll(translate);
    browser_.systemViews()->sortAs(*other.systemViews());
    const auto zoomed = other.programs()->flame()->zoomed();
    const auto here =
        zoomed ? sameCallPath(other.experiment(), *zoomed, browser_.experiment()) : std::nullopt;
    if (here) browser_.programs()->flame()->zoomWhenShown(*here);
}

void ViewKeeper::restoreRows(const ViewState& state) {
    if (isEmpty()) return;
    browser_.setOrder(state.order);
    browser_.setProgramView(state.program);
    browser_.setColumns(state.columns);
    browser_.setLargestFirst(state.largestFirst);
    TreePane& calls = *browser_.callPane();
    TreePane& system = *browser_.systemPane();
    browser_.metricPane()->setExpanded(state.openMetrics);
    calls.setExpanded(state.openCalls);
    system.setExpanded(state.openSystem);
    if (!state.metric.isEmpty()) browser_.selectMetric(state.metric);
    std::vector<NodeId> chosen;
    for (const QString& key : state.calls)
        if (const auto node = rowIn(calls, key)) chosen.push_back(*node);
    if (chosen.empty() && calls.model()->rowCount() > 0)
        chosen.push_back(calls.model()->nodeOf(calls.model()->index(0, 0)));
    calls.choose(chosen);
    if (const auto node = rowIn(system, state.system)) system.reveal(system.model()->indexOf(*node));
}

QStringList ViewKeeper::missing(const ViewState& state) const {
    QStringList parts;
    if (!state.metric.isEmpty() && !browser_.hasMetric(state.metric)) parts << u"metric="_qs + state.metric;
    for (const QString& call : state.calls)
        if (!rowIn(*browser_.callPane(), call)) parts << u"call="_qs + call;
    if (!state.system.isEmpty() && !rowIn(*browser_.systemPane(), state.system))
        parts << u"system="_qs + state.system;
    if (!state.zoomed.isEmpty() && !browser_.programs()->calls().rows().withKey(state.zoomed))
        parts << u"zoom="_qs + state.zoomed;
    if (!browser_.systemViews()->topology()->has(state.topology)) parts << u"topology="_qs + state.topology;
    if (!state.colors.isEmpty() && !colorMapNamed(state.colors)) parts << u"colors="_qs + state.colors;
    return parts;
}

QString ViewKeeper::lost(const ViewState& state) const {
    const auto plain = [](const QString& key) {
        return QUrl::fromPercentEncoding(key.toUtf8()).replace(u'/', u" / "_qs);
    };
    QStringList parts;
    if (!state.metric.isEmpty() && !browser_.hasMetric(state.metric)) parts << state.metric;
    for (const QString& call : state.calls)
        if (!rowIn(*browser_.callPane(), call)) parts << plain(call);
    if (!state.system.isEmpty() && !rowIn(*browser_.systemPane(), state.system)) parts << plain(state.system);
    return parts.join(u", "_qs);
}

void ViewKeeper::rememberLater() {
    if (remembering_ || restoring_) return;
    remembering_ = true;
    QTimer::singleShot(0, this, [this] {
        remembering_ = false;
        history_.add(state());
    });
}

void ViewKeeper::goTo(const ViewState* step) {
    if (step == nullptr) return;
    restoring_ = true;
    restoreRows(*step);
    restoring_ = false;
}

void ViewKeeper::undo() {
    goTo(history_.back());
}

void ViewKeeper::redo() {
    goTo(history_.forward());
}

}  // namespace holos::gui
