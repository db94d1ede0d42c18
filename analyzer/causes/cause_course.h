// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "analyzer/causes/path_course.h"

namespace holos::analyzer::causes {

/// Is told what a location costs others, in time: from `begin` to `end` it did what they had to wait for,
/// `cost` ticks of all of them together. Several locations tell at the same time, each by one thread.
using TellDelay = std::function<void(std::uint32_t location, Kind kind, Ticks begin, Ticks end, double cost)>;

/// Causes in time.
struct CauseCourse {
    PathCourse path;
    TellDelay tellDelay;  ///< given by whoever wants to know
};

}  // namespace holos::analyzer::causes
