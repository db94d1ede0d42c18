// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/plan/placement.h"

namespace holos::archive {

/// The region that a location entered last, and the calls that led to it.
struct LastRegion {
    std::uint32_t region = 0;
    std::uint32_t context = 0;  ///< `SampledContext::kNone` where they are not known
    bool isOpen = true;
};

/// What happened while one location's events were translated.
struct LocationResult {
    std::uint64_t events = 0;         ///< in the trace
    std::uint64_t dropped = 0;        ///< records whose begin, or what else they refer to, is missing
    std::vector<std::uint32_t> open;  ///< regions that were not left, the outermost first
    std::optional<LastRegion> lastRegion;
    std::map<std::uint32_t, std::uint64_t> unended;  ///< regions of users, as `OpenRegions` has them
    bool damaged = false;
    std::uint64_t lostBytes = 0;  ///< of records that were written, and are not in the file
    bool isCut = false;           ///< older records were overwritten
    bool hasPolls = false;        ///< several of which are one call in the trace
    std::uint64_t shortage = 0;   ///< nanoseconds in which it could run and had no processor
    std::int64_t first = 0;       ///< nanoseconds of the host; equal to `last` when there are no events
    std::int64_t last = 0;
    std::uint64_t sent = 0;  ///< messages
    std::uint64_t received = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t outside = 0;     ///< events outside of the time of their process
    std::int64_t unknownTime = 0;  ///< nanoseconds between the last event and an end that others saw
    SeenProcessors processors;
};

}  // namespace holos::archive
