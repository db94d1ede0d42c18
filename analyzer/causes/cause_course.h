// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analyzer/causes/point.h"

namespace holos::analyzer::causes {

/// A part of the critical path: from `begin` to `end` it is at one location, and goes on at another one.
struct PathPart {
    std::uint32_t location = kNone;
    std::uint32_t next = kNone;  ///< the location at which it goes on; `kNone` at the end of the run
    Ticks begin = 0;
    Ticks end = 0;
};

/// The critical path in time, from the end of the run to its start. Parts overlap where several threads are
/// equally late.
using PathCourse = std::vector<PathPart>;

/// Is told what a location costs others, in time: from `begin` to `end` it did what they had to wait for,
/// `cost` ticks of all of them together. Several locations tell at the same time, each by one thread.
using TellDelay = std::function<void(std::uint32_t location, Kind kind, Ticks begin, Ticks end, double cost)>;

/// Causes in time.
struct CauseCourse {
    PathCourse path;
    TellDelay tellDelay;  ///< given by whoever wants to know
};

}  // namespace holos::analyzer::causes
