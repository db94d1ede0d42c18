// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timeline/summary.h"
#include "analyzer/trace/excerpt.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::timeline {

/// Where reading can begin, and what it can pass over. Rows of several locations have none.
struct Places {
    std::span<const trace::Checkpoint> checkpoints;
    std::span<const trace::QuietCalls> quiet;
    std::size_t location = 0;
};

/// The bytes of a row (`format.h`), of this many locations. `times` has the finest level.
std::string packRow(const TimeGrid& grid, RegionTimes times, std::size_t locations,
                    const std::vector<Activity>& activities, const Places& places);

/// Bytes before the first times: the starts and the dominants.
std::size_t fixedSizeOf(const TimeGrid& grid);
/// Where the dominants of a bin stand, from the start of the row.
std::size_t placeOfDominants(const TimeGrid& grid, unsigned level, std::size_t bin);
inline constexpr std::size_t kDominantsSize = 8;

/// What dominates a bin: read from bytes that may be anything.
struct Dominants {
    Dominant most;
    Dominant lost;
};
Dominants unpackDominants(const char* bytes);

/// What a level's times are in so many bins. Throws `holos::Error` without a place when they are damaged.
std::vector<ActivityTimes> unpackTimes(std::string_view bytes, std::size_t bins);
/// `regions`: how many there are; one that is none of them is damage. Throws `holos::Error` as `unpackTimes`
/// does.
std::vector<trace::Checkpoint> unpackCheckpoints(std::string_view bytes, std::size_t regions);
std::vector<trace::QuietCalls> unpackQuiet(std::string_view bytes, std::size_t regions);
/// The bytes of a location's quiet calls, without the check sum that `packRow` added. What they tell is not
/// read from the trace again, so that a damaged byte would change numbers unnoticed. Throws `holos::Error`
/// where the sum differs.
std::string_view verified(std::string_view bytes, std::size_t location);

}  // namespace holos::analyzer::timeline
