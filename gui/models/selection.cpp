// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/selection.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "gui/models/value_cache.h"

namespace holos::gui {

using algebra::MetricChoice;

bool isSame(const MetricChoice& one, const MetricChoice& other) {
    return one.metric == other.metric && one.extent == other.extent;
}

void Selection::setMetric(MetricChoice metric) {
    if (isSame(metric, metric_)) return;
    metric_ = metric;
    Q_EMIT metricChanged();
}

void Selection::setCallPaths(algebra::ChosenPaths paths) {
    if (paths == callPaths_) return;
    callPaths_ = std::move(paths);
    Q_EMIT callPathsChanged();
}

void Selection::setLocations(algebra::ChosenLocations locations) {
    if (locations == locations_) return;
    locations_ = std::move(locations);
    Q_EMIT locationsChanged();
}

void Selection::setMode(ValueMode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    Q_EMIT modeChanged();
}

void Selection::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    Q_EMIT digitsChanged();
}

void Selection::setWholeNames(bool whole) {
    if (whole == wholeNames_) return;
    wholeNames_ = whole;
    Q_EMIT namesChanged();
}

namespace {

struct PaneNames {
    const char* name;   ///< as saved states call what is selected in it
    const char* title;  ///< as its heading
};
constexpr std::array kPaneNames{PaneNames{"metric", "metrics"}, PaneNames{"call", "call paths"},
                                PaneNames{"system", "system"}};

template <class Panes>
QString joined(const Panes& order, const char* PaneNames::*which, const QString& between) {
    QStringList words;
    for (const Pane pane : order)
        words << QString::fromLatin1(kPaneNames[static_cast<std::size_t>(pane)].*which);
    return words.join(between);
}

/// What has all roots with what is below them is the whole tree, whose values are remembered.
bool isWholeTree(const algebra::ChosenPaths& paths, const algebra::CallTree& tree) {
    return paths.isAll() || std::ranges::all_of(tree.roots(), [&paths](algebra::CallPathId root) {
               return paths.has({root, algebra::Extent::Inclusive});
           });
}

}  // namespace

std::vector<PaneOrder> paneOrders() {
    std::vector<PaneOrder> orders;
    PaneOrder order = kUsualOrder;
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
}

QString nameOf(const PaneOrder& order) {
    return joined(order, &PaneNames::name, u"."_qs);
}

std::optional<PaneOrder> paneOrderNamed(const QString& name) {
    for (const PaneOrder& order : paneOrders())
        if (nameOf(order) == name) return order;
    return std::nullopt;
}

QString nameOf(const PaneSet& panes) {
    return joined(panes, &PaneNames::name, u"."_qs);
}

std::optional<PaneSet> paneSetNamed(const QString& name) {
    PaneSet panes;
    for (const QString& word : name.split(u'.', Qt::SkipEmptyParts)) {
        const auto known = std::ranges::find_if(
            kPaneNames, [&word](const PaneNames& pane) { return word == QLatin1String(pane.name); });
        if (known == kPaneNames.end()) return std::nullopt;
        panes.insert(static_cast<Pane>(known - kPaneNames.begin()));
    }
    return panes;
}

QString titleOf(const PaneOrder& order) {
    const QString title = joined(order, &PaneNames::title, u", "_qs);
    return title.left(1).toUpper() + title.mid(1);
}

bool isLeftOf(Pane pane, Pane other, const PaneOrder& order) {
    return std::ranges::find(order, pane) < std::ranges::find(order, other);
}

bool operator==(const Context& one, const Context& other) {
    return isSame(one.metric, other.metric) && one.paths == other.paths && one.locations == other.locations;
}

Context contextOf(Pane pane, const PaneOrder& order, const Selection& selection, const ValueCache& cache) {
    Context context;
    if (pane != Pane::Metrics) context.metric = {cache.rootOf(selection.metric().metric)};
    if (isLeftOf(Pane::Metrics, pane, order)) context.metric = selection.metric();
    if (isLeftOf(Pane::Program, pane, order) &&
        !isWholeTree(selection.callPaths(), cache.experiment().callTree))
        context.paths = selection.callPaths();
    if (isLeftOf(Pane::System, pane, order)) context.locations = selection.locations();
    return context;
}

}  // namespace holos::gui
