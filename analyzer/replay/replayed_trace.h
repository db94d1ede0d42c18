// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

/// All locations after their replay: what matching, patterns and collation work on.
struct ReplayedTrace {
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;
    std::vector<LocationTrace> locations;  ///< by trace::LocationId

    LocationTrace& operator[](trace::LocationId id) { return locations[id.index()]; }
    const LocationTrace& operator[](trace::LocationId id) const { return locations[id.index()]; }

    /// Null where nobody knows what was completed.
    const Send* sendOf(const SendCompletion& completion) const {
        return completion.send != kNone ? &locations[completion.location].messages.sends[completion.send]
                                        : nullptr;
    }
    /// The call that posted a receive; null where nobody knows.
    const Call* postOf(const Receive& receive) const {
        return receive.requestCall != kNone
                   ? &locations[receive.requestLocation].messages.calls[receive.requestCall]
                   : nullptr;
    }
};

}  // namespace holos::analyzer::replay
