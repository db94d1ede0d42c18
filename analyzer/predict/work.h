// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/predict/scales.h"
#include "analyzer/predict/timing.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::predict {

/// What a location's work takes less, by mark.
struct Savings {
    PackedTicks work;
    TicksAtMarks tasks;
};

/// The profile says how much time each call path has between two marks that synchronize; where there are
/// marks in between, they share what is saved as they share the time. Negative where work takes longer.
Savings savingsOf(const LocationGraph& graph, const replay::PackedSlices& profile,
                  const LocationScales& scales);

/// What the chosen nodes keep of their time where all else of them takes none: as long as they lacked a
/// processor there, beyond what marks have of that. Between two slices with marks it is spread evenly.
LocationScales::Layer keptLacks(const LocationGraph& graph, const replay::PackedSlices& profile,
                                std::vector<bool> isIn);

/// Work of the chosen nodes, scaled, by segment. `segments`: for each slice of the profile ascending starts;
/// `add` gets the segment's position and ticks.
struct Segment {
    std::uint32_t slice;    ///< its first one
    std::uint32_t meeting;  ///< which it leads to: equal for all who do the same; `kNone` for none
};
std::vector<double> workOf(const replay::PackedSlices& profile, const LocationScales& scales,
                           const std::vector<bool>& isIn, const std::vector<Segment>& segments);

}  // namespace holos::analyzer::predict
