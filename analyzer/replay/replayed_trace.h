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
};

}  // namespace holos::analyzer::replay
