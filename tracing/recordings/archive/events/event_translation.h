// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <limits>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/events/open_regions.h"
#include "tracing/recordings/archive/events/partners.h"
#include "tracing/recordings/archive/events/record_translations.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

/// The records of a location.
EventFile eventsOf(const TraceProcess& process, const TraceLocation& location);

/// Writes one location's events, in nanoseconds since `epoch` of the host's clock. Each kind of records has a
/// class or function that knows what to make of them. Regions that are open at the end are closed there, or
/// at the process's end. The master gets the program's start and end.
class EventTranslation {
  public:
    /// `contexts` gets what call paths and samples met.
    EventTranslation(OTF2_EvtWriter* out, const TracePlan& plan, const TraceProcess& process,
                     const TraceLocation& location, const HostClock& clock, const RecordedExtent& extent,
                     LocationContexts& contexts);
    EventTranslation(EventTranslation&&) = delete;

    /// `alone`: what is not to be in the trace, as it has lost its partner.
    LocationResult run(bool isMaster, std::uint32_t programName, RecordsWithoutPartner alone = {});

  private:
    /// Of records that have no event of their own time. False for others.
    bool takeAside(const Record& record);
    void passTo(const Record& record, const EventFile& file);
    void count(const Record& record);
    void translate(const Record& record);
    void translateAlone(const Record& record);
    void translateUser(const Record& record);
    void translateFlush(const Record& record);
    void markLoss(std::uint64_t ticks);
    void markUnrecordedEnd(const EventFile& file);
    void passUnknownTime();
    void endProgram();
    std::int64_t exitStatus() const;

    const TracePlan& plan_;
    const TraceProcess& process_;
    const TraceLocation& location_;
    RecordedExtent extent_;
    bool isMaster_ = false;
    bool goesOn_ = true;  ///< after the last record its thread does what it did
    LocationResult result_;
    LocationWriter out_;
    OpenRegions open_;
    UnrecordedTimes unrecorded_;
    RegionEvents regions_;
    ValueEvents values_;
    SampleEvents samples_;
    std::uint64_t begin_;                                                 ///< of the process, in ticks
    std::uint64_t knownEnd_ = std::numeric_limits<std::uint64_t>::max();  ///< where it ended in order
};

}  // namespace holos::archive
