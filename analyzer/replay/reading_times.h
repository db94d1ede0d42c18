// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/replayed_location.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

/// When counters were read that a location has a part in: by location, each in ascending order.
using ReadingTimes = std::vector<std::vector<Ticks>>;

/// A moment at which the counters of a class were read.
struct ClassTime {
    trace::MetricClassId metricClass;
    Ticks time;
};

/// Of counters that are read for several threads.
std::vector<ClassTime> classTimes(const std::vector<LocationCalls>& locations);
ReadingTimes readingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times);

}  // namespace holos::analyzer::replay
