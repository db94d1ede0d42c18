// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/selection.h"

#include <utility>

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

}  // namespace holos::gui
