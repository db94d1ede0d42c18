// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/memory/by_location.h"
#include "analyzer/replay/replayed_location.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

/// A moment at which the counters of a class were read.
struct ClassTime {
    trace::MetricClassId metricClass;
    Ticks time;
};

/// Of counters that are read for several threads.
std::vector<ClassTime> classTimes(const ByLocation<LocationCalls>& locations);

/// When counters were read that a location has a part in. Threads for which the same counters are read share
/// a list.
/// Thread safety: safe to read.
class ReadingTimes {
  public:
    /// None.
    ReadingTimes() = default;
    ReadingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times);

    /// In ascending order.
    std::span<const Ticks> of(trace::LocationId location) const;

  private:
    std::vector<std::uint32_t> listOf_;  ///< by location
    std::vector<std::vector<Ticks>> lists_;
};

}  // namespace holos::analyzer::replay
