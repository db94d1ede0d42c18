// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "analyzer/matching/epochs.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// A call can only wait for what happens while it lasts.
inline bool isWithin(trace::Ticks time, const replay::Call& call) {
    return call.enter < time && time <= call.leave;
}

/// A call of one-sided communication waits for the start of another process's call.
struct OneSidedWait {
    const Metric* metric = nullptr;
    matching::CallRef waiter;
    matching::CallRef causer;
    Ticks wait = 0;
    const replay::RmaRecord* release = nullptr;  ///< of a lock, in the causer's call: for that instead
};

/// Hands it over, and what of it calls for nonblocking operations have taken.
inline void addWait(const replay::ReplayedTrace& trace, const OneSidedWait& found, Kind kind,
                    AllFindings& all) {
    const replay::Call& call = found.waiter.in(trace);
    const auto waiter = static_cast<std::uint32_t>(found.waiter.location.index());
    const Ticks others = trace.locations[waiter].notOwn(call.node, {call.enter, call.leave});
    const Ticks ticks = std::min(found.wait, call.leave - call.enter - others);
    if (ticks <= 0) return;
    Dependency wait{
        callEnd(trace, waiter, found.waiter.position, call.event),
        startOfCall(trace, static_cast<std::uint32_t>(found.causer.location.index()), found.causer.position),
        found.metric,
        ticks,
        ticks,
        kind};
    if (found.release != nullptr) {
        wait.causer.slice = found.release->slice;
        wait.causer.event = found.release->event;
        wait.causer.begin = found.release->time;
    }
    all.own(waiter).waits.dependencies.push_back(wait);
    if (trace::isWait(call.kind)) all.own(waiter).severities.add(Nonblocking::OneSided, call.node, ticks);
}

}  // namespace holos::analyzer::patterns
