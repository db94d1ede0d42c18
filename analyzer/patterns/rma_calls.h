// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// A call can only wait for what happens while it lasts.
inline bool isWithin(trace::Ticks time, const replay::Call& call) {
    return call.enter < time && time <= call.leave;
}

/// Those waits of one location that `metricOf` has a metric for; null for others.
template <class MetricOf, class Visit>
void eachRmaWait(const replay::LocationTrace& location, const LocationWaits& waits, MetricOf&& metricOf,
                 Visit&& visit) {
    for (const RmaWait& wait : waits.oneSided)
        if (const Metric* const metric = metricOf(wait))
            visit(*metric, wait, location.messages.calls[wait.call]);
}

template <class MetricOf>
void bookRmaWaits(const replay::LocationTrace& location, const LocationWaits& waits, MetricOf&& metricOf,
                  LocalSeverities& severities) {
    eachRmaWait(location, waits, metricOf,
                [&](const Metric& metric, const RmaWait& wait, const replay::Call& call) {
                    severities.add(metric, call.node, wait.wait);
                    if (trace::isWait(call.kind)) severities.add(Nonblocking::OneSided, call.node, wait.wait);
                });
}

template <class MetricOf>
void visitRmaWaits(const JudgedTrace& run, trace::LocationId location, MetricOf&& metricOf,
                   const VisitWait& visit) {
    eachRmaWait(run.trace[location], run.waits[location.index()], metricOf,
                [&](const Metric& metric, const RmaWait& wait, const replay::Call& call) {
                    visit({metric, call.node, wait.wait, call.enter, trace::LocationId(wait.causer)});
                });
}

}  // namespace holos::analyzer::patterns
