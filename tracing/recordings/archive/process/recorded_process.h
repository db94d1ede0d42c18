// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tracing/counters/source.h"
#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/process/process_ends.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/record.h"
#include "tracing/recordings/format/vocabulary.h"

namespace holos::archive {

/// The references of one process, which count from 1, and the numbers that they have for several processes.
class NumberMap {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// Larger references than any process has are damage and forgotten.
    void set(std::uint32_t ref, std::uint32_t number) {
        constexpr std::uint32_t kMost = 1u << 24;
        if (ref >= kMost) return;
        if (ref >= numbers_.size()) numbers_.resize(std::size_t{ref} + 1, kNone);
        numbers_[ref] = number;
    }
    std::optional<std::uint32_t> find(std::uint32_t ref) const {
        const bool isKnown = ref < numbers_.size() && numbers_[ref] != kNone;
        return isKnown ? std::optional(numbers_[ref]) : std::nullopt;
    }
    std::uint32_t at(std::uint32_t ref) const {
        if (const auto number = find(ref)) return *number;
        throw std::out_of_range("a reference without a number");
    }
    /// Calls `visit(ref, number)`.
    template <class Visit>
    void forEach(Visit visit) const {
        for (std::uint32_t ref = 0; ref < numbers_.size(); ++ref)
            if (numbers_[ref] != kNone) visit(ref, numbers_[ref]);
    }
    /// `change(number)` takes the place of each number; `kNone` removes it.
    template <class Change>
    void renumber(Change change) {
        for (auto& number : numbers_)
            if (number != kNone) number = change(number);
    }

  private:
    std::vector<std::uint32_t> numbers_;  ///< by reference
};

/// The numbers of everything that a process defined.
struct Numbers {
    NumberMap regions;
    NumberMap metrics;
    NumberMap parameters;
    NumberMap comms;
    NumberMap places;  ///< the process's own among the members of each communicator
    NumberMap windows;
    NumberMap groups;
    NumberMap files;
    NumberMap handles;
};

/// What the kernel says of a thread, at one moment.
struct RecordedProcessorTime {
    std::int64_t on = 0;        ///< nanoseconds that it has been on processors; -1: not known
    std::int64_t waiting = -1;  ///< that it has waited for one; -1 where the kernel does not tell
};

/// From a thread's start (of a program's first thread: from the start of the recording) to its end.
struct ProcessorTime {
    std::uint64_t on = 0;                  ///< nanoseconds on processors
    std::optional<std::uint64_t> waiting;  ///< nanoseconds in which it could run and waited for one
    std::optional<std::uint64_t> betweenEvents = {};  ///< those that events tell of
};

/// `recorded`: at the thread's end, and before that at its start where the recording began later. Nothing
/// where the end was not seen. `isFirst`: the program's first thread.
std::optional<ProcessorTime> processorTimeOf(const std::vector<RecordedProcessorTime>& recorded,
                                             bool isFirst);

/// What the preloaded library left of a run, as it is before it becomes a trace. References are those of the
/// process, so two processes' references have nothing to do with each other.
struct RecordedRegion {
    std::string name;
    std::string file;
    std::uint32_t beginLine = 0;
    std::uint32_t endLine = 0;
    tracing::Paradigm paradigm = tracing::Paradigm::User;
    tracing::Role role = tracing::Role::Function;
    std::string object;        ///< for a region known by its address: the file that holds the code
    std::uint64_t offset = 0;  ///< and where in it
    std::string symbol;        ///< of a function, once its address was looked up: the name before demangling
    auto operator<=>(const RecordedRegion&) const = default;
};

struct RecordedComm {
    std::uint32_t root = 0;  ///< world rank of its rank 0, which with `number` is its identity
    std::uint32_t number = 0;
    std::uint32_t size = 0;
    std::string name;
    std::vector<std::uint32_t> worldRanks;  ///< by rank; empty where this process does not know
    std::uint32_t remoteSize = 0;  ///< of a second group, whose ranks stand behind those of the first; else 0
    std::uint32_t place = 0;       ///< of the process among all members

    std::size_t members() const { return std::size_t{size} + remoteSize; }
};

/// Where the thread of a location may run, at one moment.
struct RecordedBinding {
    std::int64_t migrations = -1;     ///< how often the kernel has moved it; -1 where it does not tell
    std::vector<std::uint64_t> mask;  ///< of processors, by the kernel's numbers
};

struct RecordedLocation {
    tracing::LocationKind kind = tracing::LocationKind::Main;
    std::uint32_t master = tracing::kNoLocation;
    std::uint32_t level = 0;
    std::uint32_t number = 0;
    std::string name;
    std::vector<RecordedBinding> bindings = {};  ///< at its start, and at its end unless it was killed
    std::vector<RecordedProcessorTime> processorTimes = {};  ///< of its start and end, as far as was seen
};

struct RecordedCounter {
    std::string name;
    std::string unit;
    std::string description;
    counters::Mode mode = counters::Mode::Accumulated;
    counters::Scope scope = counters::Scope::Thread;
    counters::Values values = counters::Values::Unsigned;
    bool operator==(const RecordedCounter&) const = default;

    /// The number that the bits of a value are; states may be below zero.
    double number(std::uint64_t value) const noexcept {
        if (values == counters::Values::Real) return std::bit_cast<double>(value);
        const bool isCount = mode == counters::Mode::Accumulated && values == counters::Values::Unsigned;
        return isCount ? static_cast<double>(value) : static_cast<double>(static_cast<std::int64_t>(value));
    }
};

/// A metric that the program defines.
struct RecordedMetric {
    std::string name;
    std::string unit;
    tracing::MetricType type = tracing::MetricType::Integer;
    bool isTotal = false;
    auto operator<=>(const RecordedMetric&) const = default;
};

/// A function whose later calls were not recorded.
struct RecordedThrottling {
    std::uint32_t region = 0;
    std::uint32_t calls = 0;
    double nanoseconds = 0;
};

struct RecordedTeam {
    std::uint32_t master = 0;
    std::uint32_t level = 0;
    std::uint32_t size = 0;
};

/// A communicator with processes of another world, as one side knows it.
struct RecordedMeeting {
    std::uint32_t root = 0;  ///< world rank of this side's rank 0
    std::uint32_t number = 0;
    tracing::MeetingSide side = tracing::MeetingSide::Parent;
    std::uint64_t ticks = 0;
    std::string key;  ///< what both sides know; empty where this process does not
    std::uint32_t size = 0;
    std::uint32_t remoteSize = 0;
    std::uint32_t place = 0;                ///< in this side
    std::vector<std::uint32_t> worldRanks;  ///< of this side; empty where this process does not know
};

/// What was made of a communicator with processes of several worlds. Places are those among its members.
struct RecordedDerivedComm {
    std::uint32_t parent = 0;
    std::uint32_t count = 0;  ///< how many were made of it before
    std::uint32_t root = 0;   ///< place of its rank 0
    std::uint32_t size = 0;
    std::uint32_t remoteSize = 0;
    std::uint32_t place = 0;             ///< of the process among the members of the new one
    std::vector<std::uint32_t> members;  ///< places; empty where this process does not know
};

/// A window of one-sided communication.
struct RecordedWindow {
    std::uint32_t root = 0;  ///< world rank of its rank 0, which with `number` is its identity
    std::uint32_t number = 0;
    std::uint32_t comm = 0;
};

/// A file that the members of a communicator opened together.
struct RecordedHandle {
    std::uint32_t file = 0;
    std::uint32_t comm = 0;
    std::uint32_t opening = 0;  ///< how many they had opened before
};

/// The processes of a communicator stand in a grid, row by row.
struct RecordedGrid {
    std::uint32_t comm = 0;
    std::vector<tracing::GridDimension> dimensions;
};

/// From here on all threads' events were recorded, or no longer were.
struct RecordedSwitch {
    std::uint64_t ticks = 0;
    bool isOn = false;
};

struct RecordedOffset {
    std::uint64_t ticks = 0;
    std::int64_t nanoseconds = 0;
    double deviation = 0;
};

struct World {
    std::uint32_t rank = 0;
    std::uint32_t size = 0;
    std::uint64_t id = 0;  ///< tells it from the worlds of other jobs; 0 where that is not known

    /// Of worlds without an id those of one size count as one.
    std::uint64_t key() const { return id != 0 ? id : size; }
};

/// What samples of the call stack are taken by.
struct RecordedInterrupts {
    std::string name;  ///< `time`, `cycles`
    std::uint64_t period = 0;
    bool isTime = false;  ///< the period is nanoseconds
    bool operator==(const RecordedInterrupts&) const = default;
};

/// Where a file of code lay in memory.
struct RecordedFile {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string path;
    std::string buildId = {};  ///< hexadecimal digits; empty where it is not known
};

/// A function of Python.
struct RecordedPythonFunction {
    std::string file;
    std::string name;
    std::uint32_t firstLine = 0;
};

/// A call in a call path: the address that it returns to (or what stands for a Python function,
/// `tracing/recordings/format/path_numbers.h`), and the path of the call to its function.
struct RecordedCall {
    std::uint32_t caller = 0;
    std::uint64_t returnAddress = 0;
    std::uint32_t files = 0;  ///< how many of the process's files were known then
};

/// By counter a number from 0 to 1 for each thread.
using SharesOfCounters = std::map<std::uint32_t, std::vector<double>>;

/// What a counter that took turns would have counted all the time in all threads of a process.
struct RecordedEstimate {
    double value = 0;
    double variance = 0;
};

/// A thread that has no location.
struct RecordedOtherThread {
    tracing::ThreadOrigin origin = tracing::ThreadOrigin::Unknown;
    RecordedProcessorTime time;
    std::string name;     ///< as the kernel says it; empty where that is not known
    std::string starter;  ///< the file of the code that started it; empty where that is not known
};

/// How long all threads of a process had been on processors, at one moment.
struct RecordedProcessTime {
    std::int64_t onProcessors = 0;  ///< nanoseconds
    std::int64_t monotonic = 0;     ///< nanoseconds of CLOCK_MONOTONIC_RAW
};

/// What limited the processors of the process, as that of a container, and what that did to it until one
/// moment.
struct RecordedProcessorLimit {
    std::uint64_t thousandths = 0;  ///< of a processor, on average
    std::uint64_t stopped = 0;      ///< nanoseconds
};

/// Of a process that has ended: the thread that copied its events did not do so to the end, as the process
/// was killed or forbade it. What the status counts is not all then.
bool isOlderThanTheEnd(const tracing::Status& status);

/// One program image of one process.
struct RecordedProcess {
    std::filesystem::path directory;
    std::uint64_t pid = 0;
    std::int64_t launcherRank = -1;
    std::string host;
    std::string boot;  ///< identifies the running kernel, so the clock
    std::string executable;
    std::string clock;
    std::string mpi;  ///< what its MPI library says about itself; empty without one that is recorded
    std::vector<std::string> arguments;
    std::optional<World> world;  ///< once it called MPI_Init
    std::vector<tracing::ClockSync> syncs;
    std::optional<std::uint64_t> stop;  ///< ticks; later events were not wanted
    std::vector<RecordedSwitch> switches;
    bool watchesShortage = false;  ///< its records say when threads had no processor
    bool isWanted = true;          ///< else nothing of it is to be in the trace but that it was there
    std::vector<RecordedOffset> offsets;
    std::map<std::uint32_t, RecordedLocation> locations;
    /// By the kernel's number.
    std::map<std::pair<std::uint32_t, tracing::ThreadOrigin>, RecordedOtherThread> otherThreads;
    std::vector<RecordedProcessTime>
        processTimes;  ///< when its recording began, and at its end unless it was killed
    std::vector<RecordedProcessorLimit>
        processorLimits;  ///< at the moments of `processTimes`; empty where nothing limited it
    /// At the moments of `processTimes`: nanoseconds in which processors of its machine had been in use.
    std::vector<std::uint64_t> machineUse;
    /// At the moments of `processTimes`: nanoseconds on processors of children that it had waited for, and of
    /// theirs.
    std::vector<std::uint64_t> childrenTimes;
    std::uint32_t parent = 0;  ///< its number when the recording began; 0: not known
    std::map<std::uint32_t, RecordedTeam> teams;
    /// From here to the parameters: nothing once they are unified with those of other processes. Then only
    /// their numbers are known.
    std::map<std::uint32_t, RecordedRegion> regions;
    std::map<std::uint32_t, RecordedComm> comms;
    std::map<std::uint32_t, RecordedMeeting>
        meetings;  ///< their numbers are known where `joinWorlds` has found them
    std::map<std::uint32_t, RecordedDerivedComm> derivedComms;
    std::vector<RecordedGrid> grids;
    std::map<std::uint32_t, RecordedWindow> windows;
    std::map<std::uint32_t, std::string> files;
    std::map<std::uint32_t, RecordedHandle> handles;
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;  ///< world ranks
    std::map<std::uint32_t, RecordedMetric> metrics;
    std::map<std::uint32_t, std::string> parameters;
    Numbers numbers;
    std::vector<RecordedThrottling> throttled;
    std::vector<RecordedCounter> counters;                ///< values of one record, in their order
    SharesOfCounters activeShares;                        ///< of the time, of those that took turns
    std::map<std::uint32_t, RecordedEstimate> estimates;  ///< of the same, by counter
    SharesOfCounters userSpaceShares;                     ///< of the readings, where that is known
    std::vector<RecordedCounter> sampled;  ///< counters that are sampled by time; the process's first
    std::optional<RecordedInterrupts> interrupts;
    std::vector<RecordedFile> loadedFiles;  ///< of code in call paths and samples
    std::size_t writtenCalls = 0;
    std::vector<RecordedCall> callPaths;  ///< by number, see `tracing/recorder/stacks/walk/path_tree.h`
    std::map<std::uint32_t, RecordedPythonFunction> pythonFunctions;
    std::vector<std::string> troubles;  ///< what could not be recorded
    std::set<std::string> annotations;  ///< interfaces by which the program said what it does
    tracing::Status status{};
    std::string becomes;  ///< the program that it was about to become at its end; empty where it was not
    std::uint32_t becomesAs = 0;  ///< the effective user then
    bool replaced = false;        ///< by another program (exec) that recorded after it
    ProcessEnd end;               ///< how it ended
    std::string damage;           ///< what is wrong with its files; empty when nothing is

    bool lossIsUnknown = false;  ///< its recording stopped, and nobody knows how many events are missing
    ChunkPlaces chunks;          ///< in its file of events
    ChunkProofs proofs;          ///< of those that were written as a whole

    /// Of one that is read while it goes on: ticks at which it was seen to live.
    std::optional<std::uint64_t> seenAlive;
    std::optional<std::uint64_t>
        newest;                    ///< of one that is read while others go on: ticks of the last record
    std::filesystem::path events;  ///< its file of events

    const std::filesystem::path& eventFile() const { return events; }
    /// In its file, or lost.
    /// It copied its events, and nobody knows whether all of them: it went on after the last status.
    bool mayMissTheLast() const { return isOlderThanTheEnd(status) && !seenAlive && becomes.empty(); }
    bool hasEvents() const { return !chunks.empty() || status.lostEvents != 0 || lossIsUnknown; }
    const std::vector<ChunkPlace>& chunksOf(std::uint32_t location) const;
};

/// Parses a `definitions` file's bytes into `process`; used by `readRecording` (`reading.h`).
void parseDefinitions(const std::vector<unsigned char>& bytes, RecordedProcess& process);

}  // namespace holos::archive
