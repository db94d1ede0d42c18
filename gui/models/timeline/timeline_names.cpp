// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_names.h"

#include "gui/models/timeline/timeline_counter.h"
#include "gui/models/timeline/timeline_marks.h"

namespace holos::gui {

TimelineNames::TimelineNames(const algebra::Experiment& experiment) {
    const algebra::MetricForest& metrics = experiment.metrics;
    for (const algebra::MetricId id : metrics.ids()) {
        QString name = QString::fromStdString(metrics[id].displayName);
        // Kinds of delays are named after the waits that they cause.
        if (const auto above = metrics.parent(id); above && isCostName(metrics[id].uniqueName))
            name = u"delay costs, %1: %2"_qs.arg(QString::fromStdString(metrics[*above].displayName), name);
        names_.insert(QString::fromStdString(metrics[id].uniqueName), name);
    }
}

QString TimelineNames::of(const std::string& uniqueName) const {
    const QString name = QString::fromStdString(uniqueName);
    const QString counter = QString::fromLatin1(kCounterPrefix);
    return name.startsWith(counter) ? name.mid(counter.size()) : names_.value(name, name);
}

}  // namespace holos::gui
