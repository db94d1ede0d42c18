// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tracing/archive/call_paths.h"
#include "tracing/archive/event_file.h"
#include "tracing/archive/placement.h"
#include "tracing/archive/plan.h"
#include "tracing/archive/recorded_extent.h"
#include "tracing/archive/sampled_access.h"
#include "tracing/archive/sampled_code.h"
#include "tracing/archive/timeline.h"

namespace holos::archive {

/// What happened while one location's events were translated.
struct LocationResult {
    std::uint64_t events = 0;         ///< in the trace
    std::uint64_t dropped = 0;        ///< records that referred to something undefined
    std::vector<std::uint32_t> open;  ///< regions that were not left, the outermost first
    bool damaged = false;
    bool isCut = false;      ///< older records were overwritten
    bool hasPolls = false;   ///< several of which are one call in the trace
    std::int64_t first = 0;  ///< nanoseconds of the host; equal to `last` when there are no events
    std::int64_t last = 0;
    SeenProcessors processors;
};

/// The records of a location.
EventFile eventsOf(const TraceProcess& process, const TraceLocation& location);

/// Writes one location's events, in nanoseconds since `epoch` of the host's clock. Regions that are open at
/// the end are closed there, or at the process's end. The master gets the program's start and end.
class EventTranslation {
  public:
    /// `code` gets what samples met.
    EventTranslation(OTF2_EvtWriter* out, const TracePlan& plan, const TraceProcess& process,
                     const TraceLocation& location, const HostClock& clock, const RecordedExtent& extent,
                     SampledCode& code);

    LocationResult run(bool isMaster, std::uint32_t programName);

  private:
    void translate(const Record& record);
    void switchUpTo(std::uint64_t ticks);
    void passSwitches(std::uint64_t ticks);
    void writeSwitch(const RecordedSwitch& one);
    void writeMode(OTF2_MeasurementMode mode);
    void passOverwritten(std::uint64_t first);
    void writeUnrecordedEnd(const EventFile& file);
    void translateRegion(const Record& record);
    void translateMpi(const Record& record);
    void translateUser(const Record& record);
    void translateRma(const Record& record);
    void translateFiles(const Record& record);
    void translateTeams(const Record& record);
    void translateLocks(const Record& record);
    void translateLives(const Record& record);
    void translateTasks(const Record& record);
    std::optional<std::uint32_t> teamOf(const Record& record);
    void keepSample(const Record& record);
    void writeAccess(const SampledAccess& access, std::uint64_t weight,
                     std::vector<OTF2_MetricValue>& values) const;
    void writeSample(std::int64_t latest);
    void translateFlush(const Record& record);
    void translateCounters(const Record& record);
    void translateSamples(const Record& record);
    void writeCounters(OTF2_MetricRef set, const std::uint64_t* words, std::size_t count);
    void enter(std::uint32_t region, std::uint32_t path);
    void translatePolls(const Record& record);
    void translateSections(const Record& record);
    void enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number, const Record& record);
    void leaveCollective(std::uint32_t region, OTF2_IoHandleRef file);
    void leave(std::uint32_t region);
    void noteOpen();
    void leaveAll();
    void programBegin(std::uint32_t programName);
    void programEnd();
    /// Time never runs backwards in a location.
    OTF2_TimeStamp timeOf(std::uint64_t ticks);
    OTF2_TimeStamp now() const { return static_cast<OTF2_TimeStamp>(result_.last); }

    OTF2_EvtWriter* out_;
    const TracePlan& plan_;
    const TraceProcess& process_;
    const TraceLocation& location_;
    const HostClock& clock_;
    std::vector<OTF2_Type> counterTypes_;
    std::vector<OTF2_MetricValue> counterValues_;
    std::vector<OTF2_Type> metricTypes_;
    RecordedExtent extent_;
    bool goesOn_ = true;               ///< after the last record its thread does what it did
    std::size_t nextSwitch_ = 0;       ///< of the process
    std::vector<std::uint32_t> open_;  ///< regions, of what the thread works on
    using TaskKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< team, creator, generation
    static constexpr TaskKey kOwnShare{0, 0, 0};
    void workOn(const TaskKey& task);
    void completeTask(const TaskKey& task);
    TaskKey present_ = kOwnShare;
    std::map<TaskKey, std::vector<std::uint32_t>> suspended_;
    /// A fork that was not joined, or a team that was not left.
    struct OpenTeam {
        bool isFork;
        OTF2_Paradigm paradigm;  ///< of a fork
        std::uint32_t team;      ///< else
        TaskKey task;            ///< that the thread worked on when it began,
        std::size_t depth;       ///< in so many regions of it
    };
    void endTeam(bool isFork);
    void closeTeam();
    std::vector<OpenTeam> teams_;               ///< the outermost first
    std::optional<OTF2_IoHandleRef> together_;  ///< the file that the next leave is to name
    SampledCode& code_;
    CallPathAttributes callPaths_;
    /// A sample whose time waits for the next record.
    struct Sample {
        std::int64_t time;
        std::uint64_t weight;
        std::uint32_t context;
        std::optional<SampledAccess> access;
    };
    std::optional<SampledAccess> access_;  ///< of the sample that comes next
    std::optional<Sample> sample_;
    LocationResult result_;
};

}  // namespace holos::archive
