// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/events/open_regions.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// A location's enters and leaves, and its polls and critical sections, of which one record has several:
///
///     recorded    ┤P├──┤P├───┤P├─┤P├      four calls between other events
///     trace       ┤P├────────┤PPPPP├      the first, and one as long as the other three, which ends with the
///     last
///
/// Each call path keeps its time in that way, whatever a reader knows of the attributes that say how many
/// they were.
class RegionEvents {
  public:
    RegionEvents(LocationWriter& out, OpenRegions& open, const TracePlan& plan, const TraceProcess& process,
                 LocationContexts& contexts)
        : out_(out), open_(open), plan_(plan), process_(process), callPaths_(contexts) {}

    void translate(const Record& record);
    void translatePolls(const Record& record);
    /// Their blocks are in them as the first one's is in it:
    ///
    ///     recorded    ┤C├B┤C├──┤C├B┤C├───┤C├BB┤C├
    ///     trace       ┤C├B┤C├────────┤CC├BBB┤CC├
    void translateSections(const Record& record);

    const std::optional<LastRegion>& last() const { return last_; }

    /// Whether a call in the trace stands for several.
    bool havePolls() const { return havePolls_; }

  private:
    void enter(std::uint32_t region, std::uint32_t path);
    void leave(std::uint32_t region);
    void enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number, const Record& record);

    LocationWriter& out_;
    OpenRegions& open_;
    const TracePlan& plan_;
    const TraceProcess& process_;
    CallPathAttributes callPaths_;
    std::optional<LastRegion> last_;
    bool havePolls_ = false;
};

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

/// Marks the times in a location of which nothing was recorded: it was switched off, events were overwritten,
/// or their file was full.
class UnrecordedTimes {
  public:
    UnrecordedTimes(LocationWriter& out, OpenRegions& open, const RecordedProcess& process)
        : out_(out), open_(open), process_(process) {}

    /// The location itself was switched off or on.
    void switchOwn(bool on) { write(on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF); }
    /// The process was switched off and on, up to that moment.
    void switchUpTo(std::uint64_t ticks) {
        if (next_ < process_.switches.size()) switchOn(ticks);
    }
    /// The process was switched off and on, up to its end.
    void switchToEnd();
    /// What happened to the process before the location was there.
    void passSwitches(std::uint64_t ticks);
    /// From now to that moment.
    void mark(std::uint64_t ticks);

  private:
    void switchOn(std::uint64_t ticks);
    void write(OTF2_MeasurementMode mode) { out_.write(OTF2_EvtWriter_MeasurementOnOff, mode); }

    LocationWriter& out_;
    OpenRegions& open_;
    const RecordedProcess& process_;
    std::size_t next_ = 0;  ///< of the process's switches
};

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

/// Each writes the event of a location that a record of its kind is.
namespace holos::archive {

/// MPI's messages and collective operations.
void translateMessage(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                      const Record& record);

/// MPI's windows.
void translateOneSided(LocationWriter& out, const TraceProcess& process, const Record& record);

/// MPI's files.
void translateFile(LocationWriter& out, OpenRegions& open, const TraceProcess& process, const Record& record);

/// Teams of threads, their explicit tasks, the lives of threads that begin and end by themselves, and locks.
void translateTeams(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateTasks(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateLives(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateLocks(LocationWriter& out, OpenRegions& open, const Record& record);

}  // namespace holos::archive
