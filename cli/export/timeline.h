// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "analyzer/trace/call_events.h"
#include "analyzer/trace/definitions.h"
#include "cli/export/export_format.h"

namespace holos::cli {

struct CounterValue {
    analyzer::trace::Ticks time;
    double value;
};

/// Writes a run over time. Processes come one after the other, each before its threads, and each thread
/// before what it did. Calls of a thread are nested and in the order of time; calls that are open where the
/// exported part begins or ends, begin or end there. Locations, regions, processes and metrics are positions
/// in the definitions of the trace.
class TimelineSink {
  public:
    using Ticks = analyzer::trace::Ticks;
    using LocationId = analyzer::trace::LocationId;

    virtual ~TimelineSink() = default;
    virtual void process(analyzer::trace::ProcessId process) = 0;
    virtual void thread(LocationId location) = 0;
    virtual void begin(LocationId location, Ticks time, analyzer::trace::RegionId region) = 0;
    virtual void end(LocationId location, Ticks time) = 0;
    /// One side of a message. Both sides have the same `number`, and no other message has it.
    virtual void message(LocationId location, const analyzer::trace::MessageEnd& end,
                         std::uint64_t number) = 0;
    /// A metric of a location, in the order of time: each value holds until the next one.
    virtual void counter(LocationId location, const analyzer::trace::MetricMember& metric,
                         const std::vector<CounterValue>& values) = 0;
    virtual void finish() = 0;  ///< writes what is left
};

/// A format for the trace of a run.
class TimelineFormat : public ExportFormat {
  public:
    bool isOverTime() const final { return true; }
    void write(const ExportRequest& request, ExportOutput& output) const final;

  private:
    /// `output` and `definitions` must outlive the sink.
    virtual std::unique_ptr<TimelineSink> timelineTo(
        ExportOutput& output, const analyzer::trace::Definitions& definitions) const = 0;
};

/// A metric as viewers show it: its name, and that it is a rate where it accumulates.
std::string counterName(const analyzer::trace::MetricMember& metric);

}  // namespace holos::cli
