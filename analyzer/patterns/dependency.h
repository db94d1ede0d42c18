// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/kind.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::patterns {

using replay::kNone;
using trace::Ticks;

/// What a location does at one end of a dependency: a call, or an event that is over at once.
struct End {
    std::uint32_t location = kNone;
    replay::NodeId node;
    std::uint32_t slice = 0;     ///< of the profile: begins with it
    std::uint32_t call = kNone;  ///< position among the location's calls, where it is one of those
    std::uint64_t event = 0;     ///< number in the location
    Ticks begin = 0;
    Ticks leave = 0;           ///< `begin` of an event
    bool isInBarrier = false;  ///< of a team, which had begun before
};

/// A call, and its event that waits or is waited for.
inline End callEnd(const replay::ReplayedTrace& trace, std::uint32_t location, std::uint32_t position,
                   std::uint64_t event) {
    const replay::Call& call = trace.locations[location].messages.calls[position];
    return {location, call.node, call.slice, position, event, call.enter, call.leave};
}

/// The start of a call: it comes before all that the call does, its own waits included.
inline End startOfCall(const replay::ReplayedTrace& trace, std::uint32_t location, std::uint32_t position) {
    const std::uint64_t first = trace.locations[location].messages.calls[position].event;
    return callEnd(trace, location, position, first == 0 ? 0 : first - 1);
}

/// A wait of two that do not meet in a call: one location waits for what another one does. A pattern hands it
/// over as it is. Booking, single waits, causes and predictions need not know of what kind it is.
struct Dependency {
    End waiter;
    End causer;                      ///< in the waiter's location where it waits for nobody else
    const Metric* metric = nullptr;  ///< null where its pattern books it from a record that it has, too
    Ticks wait = 0;                  ///< what there is to explain
    Ticks booked = 0;                ///< the part of it that is the metric's
    Kind kind = Kind::LateSender;
    bool isKnownToScalasca = false;  ///< which asks for the causes of few
    bool isExplained = false;        ///< by the cause of a longer wait that the same event ended
};

}  // namespace holos::analyzer::patterns
