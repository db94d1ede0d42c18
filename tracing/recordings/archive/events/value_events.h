// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// The values of one record of counters.
const std::vector<RecordedCounter>& countersOf(const TraceProcess& process, const TraceLocation& location);

/// A location's values: counters, and the user's metrics and parameters.
class ValueEvents {
  public:
    ValueEvents(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                const TraceLocation& location);

    void translateCounters(const Record& record);
    /// Of a location that has only samples of counters of its process or node.
    void translateSamples(const Record& record);
    void translateUser(const Record& record);

  private:
    void writeCounters(OTF2_MetricRef set, const std::uint64_t* words, std::size_t count);

    LocationWriter& out_;
    const TracePlan& plan_;
    const TraceProcess& process_;
    std::vector<OTF2_Type> counterTypes_;
    std::vector<OTF2_MetricValue> counterValues_;
    std::vector<OTF2_Type> metricTypes_;
};

}  // namespace holos::archive
