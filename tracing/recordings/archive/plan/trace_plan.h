// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracing/code/symbols.h"
#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/plan/placement.h"
#include "tracing/recordings/archive/plan/process_selection.h"
#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/archive/run/unification.h"

/// The trace as it will be: definitions of all processes made one, under numbers that hold for all.
namespace holos::archive {

/// Members of a communicator or team, as OTF2 groups them.
struct TraceGroup {
    enum class Kind { MpiWorld, MpiSelf, Team, Threads };
    Kind kind = Kind::MpiWorld;
    std::vector<std::uint64_t> members;  ///< ranks in the trace for MPI, else location ids
};

struct TraceComm {
    std::string name;
    TraceGroup group;
    std::size_t remoteSize = 0;                ///< so many of the members, the last, are a second group
    std::optional<std::uint32_t> common = {};  ///< the MPI_COMM_WORLD of both groups, where it is one
};

/// What was found in the events of a location.
struct LocationTotals {
    std::int64_t first = 0;  ///< nanoseconds of its host
    std::int64_t last = 0;
    std::uint64_t sent = 0;  ///< messages
    std::uint64_t received = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t outside = 0;  ///< events outside of the time of their process
    bool isCut = false;         ///< older events were overwritten
};

struct TraceLocation {
    std::uint64_t id = 0;   ///< rank | index within its process << 32, so the master of rank n is n
    std::uint32_t ref = 0;  ///< in its process
    std::string name;
    bool isSamples = false;    ///< no thread: what its process sampled by time
    Placement placement = {};  ///< known once its events were read
    std::optional<ProcessorTime> processorTime = {};
    LocationTotals totals = {};  ///< the same
};

/// What one process sampled of counters that count for it, or for its node.
struct TraceSampler {
    std::uint32_t set = 0;  ///< of the plan's sampled sets
    std::uint32_t rank = 0;
    std::uint64_t location = 0;
    bool isOfNode = false;
    std::size_t first = 0;  ///< of its values in a record
};

/// A file as the members of a communicator have it open.
struct TraceHandle {
    std::uint32_t file = 0;
    std::uint32_t comm = 0;
};

/// The numbers are those of the plan.
struct TraceProcess : Numbers {
    const RecordedProcess* recorded = nullptr;  ///< null for a rank that left nothing
    std::uint32_t rank = 0;
    std::string name;
    std::uint32_t program = 0;
    std::vector<TraceLocation> locations;  ///< the master first
    NumberMap teams;                       ///< the communicator of each
    std::uint32_t threads = 0;             ///< communicator of its own threads; only where it has any
    bool hasThreads = false;
    std::uint32_t counterSet = 0;  ///< only where it has counters
    std::vector<std::uint32_t> samplers;
    std::shared_ptr<const SharedLines> sharedLines;  ///< where accesses to memory were sampled
    bool calledAbort = false;                        ///< known once its events were read, as the next
    std::int64_t unknownTime = 0;  ///< nanoseconds between the last event of its first thread and its end
};

struct TracePlan {
    /// The number of regions that the filter leaves out.
    static constexpr std::uint32_t kFilteredOut = NumberMap::kNone - 1;

    std::string run;                    ///< its id; empty where the recording does not say
    std::vector<std::string> programs;  ///< the executables, normally one
    std::vector<RecordedRegion> regions;
    /// Where constructs of OpenMP are, which may be where the functions begin that are their bodies.
    code::FileOffsets bodies;
    std::vector<TraceComm> comms;
    std::vector<RecordedMetric> metrics;  ///< that programs define
    std::vector<std::string> parameters;
    std::map<std::uint32_t, std::vector<tracing::GridDimension>> grids;  ///< by communicator
    std::vector<std::uint32_t> windows;                                  ///< the communicator of each
    std::vector<std::vector<std::uint64_t>> groups;  ///< ranks, of one-sided synchronization
    std::vector<std::string> files;
    std::vector<TraceHandle> handles;
    std::vector<std::vector<RecordedCounter>> counterSets;  ///< of all processes, normally one
    std::vector<std::vector<RecordedCounter>> sampledSets;
    std::vector<TraceSampler> samplers;
    std::optional<RecordedInterrupts> interrupts;  ///< of samples of the call stack
    std::vector<TraceProcess> processes;           ///< by rank, of several worlds behind each other
    std::vector<TraceWorld> worlds;                ///< as they began; several where processes started others
    std::uint32_t noMoreEvents = 0;                ///< region of the time between the last event and an end
                                                   ///< that others saw; only where there is any
    bool keepsEvents = true;                       ///< else the trace has only definitions
    bool keepsNewest = false;                      ///< threads wrote over their oldest events
    bool watchesShortage = false;                  ///< it is recorded when threads had no processor
    bool exchangesUnequally = false;               ///< MPI_Alltoallv and its like are called
    bool waitsWithTimeout = false;  ///< functions of POSIX threads that wait until a time at most are known
    bool usesMpi = false;
    bool usesOpenMp = false;
    std::map<std::string, Hardware> hardware;  ///< by host, where it is known
    std::vector<std::string> notes;            ///< what is missing or had to be assumed, for people

    /// Numbers of metrics in the trace: sets of counters, then the programs' own, sampled sets, samplers,
    /// samples of the call stack.
    std::uint32_t firstMetric() const { return static_cast<std::uint32_t>(counterSets.size()); }
    std::uint32_t firstSampledSet() const {
        return firstMetric() + static_cast<std::uint32_t>(metrics.size());
    }
    std::uint32_t firstSampler() const {
        return firstSampledSet() + static_cast<std::uint32_t>(sampledSets.size());
    }
    std::uint32_t callStacks() const { return firstSampler() + static_cast<std::uint32_t>(samplers.size()); }
};

/// Whether there are events whose call paths are known; of a process that may be null.
bool hasCallPaths(const RecordedProcess* process);
bool hasCallPaths(const TracePlan& plan);

/// Without the functions and user regions that the filter excludes. Takes the numbers of the recorded
/// processes and refers to the processes. Throws `Error` when nothing was recorded.
TracePlan planTrace(Recording& recording, const filter::Filter& filter = {});

/// A plan for some of the processes of a recording.
TracePlan planTrace(std::vector<RecordedProcess>& processes, const Definitions& definitions,
                    const filter::Filter& filter = {});

}  // namespace holos::archive
