// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/selection.h"

#include <algorithm>

namespace holos::gui {

using algebra::CallPathChoice;
using algebra::MetricChoice;

void Selection::setMetric(MetricChoice metric) {
    if (metric.metric == metric_.metric && metric.extent == metric_.extent) return;
    metric_ = metric;
    Q_EMIT metricChanged();
}

void Selection::setCallPaths(std::vector<CallPathChoice> paths) {
    const auto same = [](const CallPathChoice& a, const CallPathChoice& b) {
        return a.path == b.path && a.extent == b.extent;
    };
    if (std::equal(paths.begin(), paths.end(), callPaths_.begin(), callPaths_.end(), same)) return;
    callPaths_ = std::move(paths);
    Q_EMIT callPathsChanged();
}

void Selection::setLocations(std::vector<algebra::LocationId> locations) {
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

}  // namespace holos::gui
