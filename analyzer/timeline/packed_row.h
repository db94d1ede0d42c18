// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timeline/summary.h"
#include "analyzer/trace/excerpt.h"

namespace holos::analyzer::timeline {

/// The bytes of a row (`format.h`), of this many locations. `times` has the finest level.
std::string packRow(const TimeGrid& grid, RegionTimes times, std::size_t locations,
                    const std::vector<Activity>& activities,
                    const std::vector<trace::Checkpoint>& checkpoints);

/// Bytes before the first times: the starts and the dominants.
std::size_t fixedSizeOf(const TimeGrid& grid);
/// Where the dominants of a bin stand, from the start of the row.
std::size_t placeOfDominants(const TimeGrid& grid, unsigned level, std::size_t bin);
inline constexpr std::size_t kDominantsSize = 8;

/// Of hostile bytes, too.
struct Dominants {
    Dominant most;
    Dominant lost;
};
Dominants unpackDominants(const char* bytes);

/// What a level's times are in so many bins. Throws `holos::Error` without a place when they are damaged.
std::vector<ActivityTimes> unpackTimes(std::string_view bytes, std::size_t bins);
/// Regions below `regions`. Throws as above.
std::vector<trace::Checkpoint> unpackCheckpoints(std::string_view bytes, std::size_t regions);

}  // namespace holos::analyzer::timeline
