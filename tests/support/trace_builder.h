// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/known_regions.h"
#include "tests/support/location_script.h"

namespace holos::testing {

/// One counter of a metric class.
struct Counter {
    std::string name;
    std::string unit = "#";
    OTF2_MetricMode mode = OTF2_METRIC_ACCUMULATED_START;
    std::int64_t exponent = 0;          ///< values are multiples of ten to its power
    OTF2_Type type = OTF2_TYPE_UINT64;  ///< of doubles, the values are their bits
};

/// A trace with an answer known by construction: processes with equal numbers of threads, and for each
/// location what happens there at which tick. `write` turns it into an OTF2 archive.
///
///     TraceBuilder trace(2);
///     trace.on(0).enter(0, "main").send(5, 6, {.peer = 1}).leave(10);
///     trace.on(1).enter(0, "main").recv(1, 6, {.peer = 0}).leave(10);
///     trace.write(directory);
class TraceBuilder {
  public:
    explicit TraceBuilder(unsigned processes, unsigned threads = 1);
    TraceBuilder(const TraceBuilder&) = delete;
    TraceBuilder& operator=(const TraceBuilder&) = delete;

    /// The location's events, to append to.
    LocationScript& on(unsigned rank, unsigned thread = 0);
    /// A stream of an accelerator that a process uses; one for each process at most.
    LocationScript& stream(unsigned rank);
    /// A location that only reads counters; one for each process at most.
    LocationScript& sampler(unsigned rank);
    static OTF2_LocationRef samplerOf(unsigned rank) { return locationOf(rank, kSampler); }
    /// OTF2's number of a process, and of a node.
    static std::uint64_t processOf(unsigned rank) { return rank; }
    static std::uint64_t nodeOf(unsigned node) { return node + 1; }

    /// A communicator of these ranks of MPI_COMM_WORLD, in this order.
    OTF2_CommRef communicator(std::vector<std::uint64_t> worldRanks);
    /// A communicator between two groups of ranks of MPI_COMM_WORLD.
    OTF2_CommRef interCommunicator(std::vector<std::uint64_t> groupA, std::vector<std::uint64_t> groupB);
    /// Some threads of a process as a team, its master first.
    OTF2_CommRef team(unsigned rank, const std::vector<unsigned>& threads);
    /// The usual team of a rank is of its first threads only, not of all.
    void limitUsualTeams(unsigned threads) { usualTeam_ = threads; }
    /// What the trace says how long it is, whatever its events are.
    void claimLength(std::uint64_t ticks) { claimed_ = ticks; }
    /// A window for one-sided communication of all ranks.
    OTF2_RmaWinRef window() { return windows_++; }
    /// A file that the members of a communicator have open together.
    OTF2_IoHandleRef file(OTF2_CommRef comm = kWorld);
    /// A group of ranks of MPI_COMM_WORLD, to give access to a window.
    OTF2_GroupRef group(std::vector<std::uint64_t> worldRanks);

    /// A class of counters that are recorded together. All values are unsigned.
    OTF2_MetricRef counters(std::vector<Counter> counters,
                            OTF2_MetricOccurrence occurrence = OTF2_METRIC_SYNCHRONOUS_STRICT);
    /// Counters that are read by a location, of a location, a process or a node (see OTF2's MetricInstance).
    OTF2_MetricRef countersOf(OTF2_MetricRef counters, OTF2_LocationRef reader, OTF2_MetricScope scope,
                              std::uint64_t of);

    /// A function on the call stack, called by the parent at a line of its file (0: not known).
    OTF2_CallingContextRef callingContext(std::string_view function, std::uint32_t line = 0,
                                          OTF2_CallingContextRef parent = OTF2_UNDEFINED_CALLING_CONTEXT);
    /// A context of another file than `code.c`; without a line, `library+0xoffset`.
    OTF2_CallingContextRef callingContextIn(std::string file, std::string_view function, std::uint32_t line,
                                            OTF2_CallingContextRef parent = OTF2_UNDEFINED_CALLING_CONTEXT);
    /// Which calls of the function may come before the context's in one run of it, as `2: 0-1`.
    TraceBuilder& callOrder(OTF2_CallingContextRef context, std::string order) {
        contexts_[context].order = std::move(order);
        return *this;
    }
    /// Enters that name no calls have those of their region's last enter, as in traces of earlier versions.
    TraceBuilder& callPathsAreOfTheLastEnter() {
        arePathsPredicted_ = false;
        return *this;
    }
    /// Defines the attribute by which tasks have numbers.
    void tasksMove() { tasksMove_ = true; }
    /// Nanoseconds of so many ticks without a processor. Defines the attribute that tells of them.
    std::uint64_t shortageOf(Tick without) {
        hasShortage_ = true;
        return nanosecondsOf(without);
    }
    /// Nanoseconds of so many ticks since a timeout. Defines the attribute that tells of them.
    std::uint64_t timeoutSince(Tick since) {
        tellsTimeouts();
        return nanosecondsOf(since);
    }
    void tellsTimeouts() { tellsTimeouts_ = true; }
    void tellsOfExchanges() { tellsOfExchanges_ = true; }
    /// What takes samples of the call stack: one each `period` seconds or events, times ten to the power.
    OTF2_InterruptGeneratorRef interrupts(std::string name, OTF2_InterruptGeneratorMode mode,
                                          std::uint64_t period, std::int64_t exponent);

    /// The region of this name; equal names are one region. Defined as `kindOf` says.
    OTF2_RegionRef region(std::string_view name);
    /// As above, defined as told.
    OTF2_RegionRef region(std::string_view name, const RegionKind& kind);

    /// The clock: how long a tick is, and the time stamp of tick 0.
    TraceBuilder& clock(std::uint64_t ticksPerSecond, std::uint64_t offset);
    OTF2_TimeStamp timestamp(Tick tick);

    /// Puts the processes on so many nodes, equally many on each, one after the other.
    TraceBuilder& nodes(unsigned count) {
        nodes_ = count;
        return *this;
    }

    /// Something that the recorder knows of a thread.
    TraceBuilder& property(unsigned rank, unsigned thread, std::string_view name, std::string_view value) {
        properties_[locationOf(rank, thread)].emplace_back(name, value);
        return *this;
    }

    /// Each location says that it has so many events, whatever it has.
    TraceBuilder& claimEvents(std::uint64_t count) {
        claimedEvents_ = count;
        return *this;
    }

    /// Ticks until the last time stamp that was asked for.
    Tick length() const { return claimed_.value_or(length_); }

    unsigned processes() const { return processes_; }
    unsigned threads() const { return threads_; }

    /// OTF2's number of a location: the master's is the rank.
    static OTF2_LocationRef locationOf(unsigned rank, unsigned thread = 0) {
        return rank + (std::uint64_t{thread} << 32);
    }

    /// Writes `directory/traces.otf2` and its files; returns the path of the former. The directory must
    /// exist.
    std::filesystem::path write(const std::filesystem::path& directory) const;

  private:
    friend class TraceWriter;
    static constexpr unsigned kSampler = 1000;  ///< behind all threads of the process
    struct Region {
        std::string name;
        RegionKind kind;
    };

    std::uint64_t nanosecondsOf(Tick ticks) const {
        constexpr std::uint64_t kPerSecond = 1'000'000'000;
        return ticks * (kPerSecond / ticksPerSecond_);
    }

    bool tasksMove_ = false;
    bool hasShortage_ = false;
    bool tellsTimeouts_ = false;
    bool tellsOfExchanges_ = false;
    unsigned processes_;
    unsigned threads_;
    unsigned nodes_ = 1;
    std::uint64_t ticksPerSecond_ = 1000;
    std::uint64_t offset_ = 5000;
    Tick length_ = 0;
    std::optional<Tick> claimed_;
    std::optional<std::uint64_t> claimedEvents_;
    std::map<OTF2_LocationRef, std::vector<std::pair<std::string, std::string>>> properties_;
    std::deque<LocationScript> locations_;         ///< process by process, master first
    std::map<unsigned, LocationScript> streams_;   ///< by rank
    std::map<unsigned, LocationScript> samplers_;  ///< by rank
    std::vector<Region> regions_;
    /// An inter-communicator when there are remote ranks. Of a team, ranks are those of all threads.
    struct Communicator {
        std::vector<std::uint64_t> ranks;
        std::vector<std::uint64_t> remoteRanks;
        bool isTeam = false;
    };
    std::vector<Communicator> communicators_;
    std::vector<std::vector<std::uint64_t>> groups_;
    OTF2_RmaWinRef windows_ = 0;
    struct CallingContext {
        OTF2_RegionRef function;
        std::uint32_t line;
        OTF2_CallingContextRef parent;
        std::string file;   ///< empty: nothing is known
        std::string order;  ///< as above
    };
    std::vector<CallingContext> contexts_;
    bool arePathsPredicted_ = true;
    std::optional<unsigned> usualTeam_;  ///< threads; none: all
    struct Interrupts {
        std::string name;
        OTF2_InterruptGeneratorMode mode;
        std::uint64_t period;
        std::int64_t exponent;
    };
    std::vector<Interrupts> interrupts_;
    std::vector<OTF2_CommRef> files_;  ///< by handle
    struct CounterClass {
        std::vector<Counter> counters;
        OTF2_MetricOccurrence occurrence;
    };
    std::vector<CounterClass> counterClasses_;
    struct CounterInstance {
        OTF2_MetricRef counters;
        OTF2_LocationRef reader;
        OTF2_MetricScope scope;
        std::uint64_t of;
    };
    std::vector<CounterInstance> counterInstances_;
};

/// The file with the events of a location in an archive `anchor`, and its local definitions.
std::filesystem::path eventFile(const std::filesystem::path& anchor, unsigned rank, unsigned thread = 0);
std::filesystem::path localDefinitionFile(const std::filesystem::path& anchor, unsigned rank,
                                          unsigned thread = 0);
std::filesystem::path globalDefinitionFile(const std::filesystem::path& anchor);

}  // namespace holos::testing
