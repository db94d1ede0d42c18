// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/memory/by_location.h"
#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

/// The calls of all locations: what becomes call tree and values.
struct ReplayedCalls {
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;
    ByLocation<LocationCalls> locations;
    ByLocation<std::vector<Diagnosis>> diagnoses;

    const LocationCalls& operator[](trace::LocationId id) const { return locations[id.index()]; }
};

/// The records of all locations, as replay left them: what matching, patterns and causes work on.
struct ReplayedTrace {
    const trace::Definitions& definitions;
    ByLocation<LocationTrace> locations;

    const LocationTrace& operator[](trace::LocationId id) const { return locations[id.index()]; }

    /// The send that a completion of this location is about, in whatever thread it began, where that is
    /// known.
    RecordRef sendOf(trace::LocationId location, const SendCompletion& completion) const;
    /// Where a send of this location is completed, in whatever thread, if it is.
    RecordRef completionOf(trace::LocationId location, const Send& send) const;
    /// The call that posted a receive; null where nobody knows.
    const Call* postOf(const Receive& receive) const {
        return receive.requestCall != kNone
                   ? &locations[receive.requestLocation].messages.calls[receive.requestCall]
                   : nullptr;
    }
};

}  // namespace holos::analyzer::replay
