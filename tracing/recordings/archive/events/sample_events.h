// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {

/// A location's samples of the call stack. OTF2's own events for samples exclude enter and leave events from
/// a trace (OTF2_EvtWriter.h, CallingContextSample). So a sample is an event of a metric, which says how many
/// samples it stands for and how much of what they are taken by, and an attribute of that event is its
/// calling context.
class SampleEvents {
  public:
    /// `contexts` gets what samples met.
    SampleEvents(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                 LocationContexts& contexts)
        : out_(out), plan_(plan), process_(process), contexts_(contexts) {}

    /// What the next sample read from memory, or wrote there.
    void keepAccess(const SampledAccess& access) { access_ = access; }
    /// The sample waits for the time of the next record.
    void keep(const Record& record);
    bool oneWaits() const { return sample_.has_value(); }
    /// Writes the sample that waits, if there is one, at `latest` nanoseconds or before.
    void write(std::int64_t latest);

  private:
    struct Sample {
        std::int64_t time;
        std::uint64_t weight;
        std::uint32_t context;
        std::optional<SampledAccess> access;
    };

    void addAccess(const SampledAccess& access, std::uint64_t weight,
                   std::vector<OTF2_MetricValue>& values) const;

    LocationWriter& out_;
    const TracePlan& plan_;
    const TraceProcess& process_;
    LocationContexts& contexts_;
    std::optional<SampledAccess> access_;  ///< of the sample that comes next
    std::optional<Sample> sample_;
};

}  // namespace holos::archive
