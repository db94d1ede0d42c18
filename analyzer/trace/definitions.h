// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/trace/ids.h"

namespace holos::analyzer::trace {

/// For keys of three numbers, such as a parent, a function and where it is called.
inline std::size_t tripleHash(std::size_t a, std::size_t b, std::size_t c) {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
    std::uint64_t hash = (std::uint64_t{a} << 32U | b) * kGolden;
    hash ^= hash >> 32U;
    return (hash + c) * kGolden;
}

/// Where a call stands in the program.
struct CallSite {
    std::string file;        ///< source file; where there is no line, `library+0xoffset`
    std::uint32_t line = 0;  ///< from 1; 0: not known
    friend bool operator==(const CallSite&, const CallSite&) = default;
};
/// The call site of calls about which nothing is known; the first of every table.
inline constexpr SiteId kNoSite{0};

/// A function on the call stack: another one for every chain of calls that leads to it.
struct StackFrame {
    RegionId function;
    SiteId site;  ///< where its caller calls it
    FrameId caller;
    std::uint32_t depth = 0;  ///< number of callers
};
/// Outside of all functions: the caller of the outermost ones. The first of every table.
inline constexpr FrameId kNoFrame{0};

/// All chains of calls that a trace knows. Two places in one function share its frame. A caller stands before
/// what it calls, so that its number is smaller.
/// Thread safety: safe to read.
class FrameTree {
  public:
    /// Deeper ones are not told apart from their caller: no stack of a program that can be read is so deep.
    static constexpr std::uint32_t kDeepest = 1000;

    FrameTree() : frames_(1) {}

    const StackFrame& operator[](FrameId id) const { return frames_[id.index()]; }
    /// True when there were deeper ones.
    bool isCut() const { return isCut_; }

    /// The frame of a function that is called from there, made when it is new.
    FrameId add(FrameId caller, RegionId function, SiteId site);
    /// The innermost frame that both have in common.
    FrameId common(FrameId a, FrameId b) const {
        while (a != b)
            if (a < b)
                b = (*this)[b].caller;
            else
                a = (*this)[a].caller;
        return a;
    }

  private:
    struct Key {
        FrameId caller;
        RegionId function;
        SiteId site;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    std::vector<StackFrame> frames_;
    std::unordered_map<Key, FrameId, KeyHash> known_;
    bool isCut_ = false;
};

/// Where a call stands among those of its function: after which of them one run of the function may make it.
/// The calls of a function with one caller have numbers of their own; two calls in one line are two.
/// Thread safety: safe to read.
class CallOrder {
  public:
    /// Nothing is known: it may come after all others, and they after it.
    CallOrder() = default;
    /// As the trace has it: the call's number, and those of the calls before, such as `2: 0-2 5`. Nothing is
    /// known by a text that cannot be read.
    explicit CallOrder(std::string_view text);

    bool isKnown() const { return isKnown_; }
    /// Both are calls of one function with one caller.
    bool mayComeAfter(const CallOrder& other) const;

  private:
    std::uint32_t number_ = 0;
    bool isKnown_ = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> before_;  ///< first and last
};

/// What a trace's global definitions say, in our own words and without OTF2's types.
enum class Paradigm : std::uint8_t { Unknown, User, Compiler, Mpi, OpenMp, Pthread, Measurement, Other };

/// The part that a region plays in its paradigm (OTF2_RegionRole).
enum class Role : std::uint8_t {
    Unknown,
    Function,
    Wrapper,
    Loop,
    Code,
    Parallel,
    Sections,
    Section,
    Workshare,
    Single,
    SingleBlock,
    Master,
    Critical,
    CriticalBlock,
    Atomic,
    Barrier,
    ImplicitBarrier,
    Flush,
    Ordered,
    OrderedBlock,
    Task,
    TaskCreate,
    TaskWait,
    OneToAll,
    AllToOne,
    AllToAll,
    OtherCollective,
    FileIo,
    PointToPoint,
    Rma,
    DataTransfer,
    Artificial,
    ThreadCreate,
    ThreadWait,
    Other
};

struct Region {
    std::string name;
    std::string canonicalName;
    std::string description;
    std::string file;  ///< source file or module, empty when unknown
    std::uint32_t beginLine = 0;
    std::uint32_t endLine = 0;
    Role role = Role::Unknown;
    Paradigm paradigm = Paradigm::Unknown;
    std::string paradigmName;  ///< as CUBE spells it: `mpi`, `openmp`, `measurement`, …
    std::string roleName;      ///< as CUBE spells it: `function`, `point2point`, …
    friend bool operator==(const Region&, const Region&) = default;
};

/// What a writer says of a part of the system besides: names and values, as texts.
using Properties = std::vector<std::pair<std::string, std::string>>;

struct SystemNode {
    std::string name;
    std::string className;
    std::optional<SystemNodeId> parent;
    Properties properties;
};

struct Process {
    std::uint64_t reference = 0;
    std::string name;
    std::optional<SystemNodeId> node;
    std::vector<LocationId> threads;  ///< in the order of the experiment, master first
    bool accelerator = false;
};

struct Location {
    enum class Kind : std::uint8_t { Thread, Accelerator, Metric };
    std::uint64_t reference = 0;
    std::string name;
    Kind kind = Kind::Thread;
    std::uint64_t events = 0;  ///< as the definition claims
    ProcessId process;
    std::uint32_t rank = 0;  ///< within the process
    Properties properties;
};

/// A communicator of MPI, a team of threads, or the processes of a window for one-sided communication or of
/// an open file.
struct Comm {
    std::string name;
    Paradigm paradigm = Paradigm::Unknown;
    bool isSelf = false;                    ///< one of its own for every process
    std::vector<LocationId> members;        ///< by rank
    std::vector<LocationId> remoteMembers;  ///< of an inter-communicator: group B; `members` is group A
    std::vector<LocationId> globalRanks;    ///< where events give ranks of the world instead: its members

    bool isInter() const { return !remoteMembers.empty(); }
};

/// A grid in which the members of a communicator stand.
struct Grid {
    struct Dimension {
        std::string name;
        std::uint32_t size = 0;
        bool isPeriodic = false;
    };
    struct Place {
        LocationId member;
        std::vector<std::uint32_t> position;  ///< one number below `size` per dimension
    };
    std::string name;
    Paradigm paradigm = Paradigm::Unknown;  ///< of the communicator
    std::vector<Dimension> dimensions;
    std::vector<Place> places;
};

enum class MetricMode : std::uint8_t {
    AccumulatedSinceStart,  ///< differences of successive values count
    AccumulatedPart,        ///< each value counts as it is
    Absolute,               ///< a sample; the largest one is kept
};
enum class MetricType : std::uint8_t { Signed, Unsigned, Real };

/// The name of what samples of the call stack stand for when they are taken by time.
inline constexpr std::string_view kSampledTime = "sampled_time";

struct MetricMember {
    std::string name;
    std::string description;
    std::string unit;
    MetricMode mode = MetricMode::Absolute;
    MetricType type = MetricType::Unsigned;
    double scale = 1;  ///< base to the power of the exponent: what a value has to be multiplied with
};

struct MetricClass {
    std::vector<MemberId> members;
    /// Where a location of its own reads them, for a thread, a process or a node, and they grow: the threads
    /// there. Else empty.
    std::vector<LocationId> readFor = {};
};

/// A place on the call stack: where a sample was taken, or where a function calls another one or a region is
/// entered.
struct CallingContext {
    RegionId region;               ///< the function
    std::optional<RegionId> line;  ///< the source line in it, as a region of its own
    SiteId site = kNoSite;         ///< the same as a call site, of whatever is called there
    std::optional<ContextId> parent;
    FrameId frame = kNoFrame;  ///< of the function, or of its caller where it is only the body of a construct
    std::uint32_t depth = 0;   ///< number of parents
    CallOrder order;           ///< of the call among those of the function
};

/// Nobody knows which calls led there.
inline constexpr ContextId kNoContext{~std::uint32_t{0}};

struct Clock {
    std::uint64_t ticksPerSecond = 1;
    std::uint64_t globalOffset = 0;  ///< smallest timestamp of the trace
    std::uint64_t length = 0;        ///< ticks from it to the largest timestamp
};

struct Definitions {
    Clock clock;
    std::vector<std::string> strings;
    std::vector<Region> regions;  ///< begins with the artificial ones below
    std::vector<SystemNode> systemNodes;
    std::vector<Process> processes;
    std::vector<Location> locations;  ///< in the order of the experiment
    std::vector<Comm> comms;
    std::vector<Grid> grids;
    std::vector<std::vector<LocationId>> groups;  ///< of MPI processes; empty where a member is not defined
    std::vector<MetricMember> metricMembers;
    std::vector<MetricClass> metricClasses;
    std::vector<CallingContext> callingContexts;
    std::vector<CallSite> callSites{CallSite{}};  ///< begins with `kNoSite`
    FrameTree frames;                             ///< of all calling contexts

    References<StringId> stringOf;
    References<RegionId> regionOf;
    References<CommId> commOf;
    References<CommId> windowOf;
    References<CommId> sharedFileOf;  ///< by handle; of files that several processes opened together
    /// By which leaves name the shared file that a call without an event of files was about.
    std::optional<std::uint32_t> attributeOfFiles;
    /// By which enters say for how many calls they stand, and over which time these are spread.
    std::optional<std::uint32_t> attributeOfCalls;
    std::optional<std::uint32_t> attributeOfCallsSpan;
    /// By which events say for how many nanoseconds the thread could run and had no processor before.
    std::optional<std::uint32_t> attributeOfShortage;
    /// By which events say for how many nanoseconds the thread was off its processor before, perhaps asleep.
    std::optional<std::uint32_t> attributeOfTimeOff;
    /// By which leaves say that the timeout of the call ended its wait, and how many nanoseconds before.
    std::optional<std::uint32_t> attributeOfTimeouts;
    /// By which ends of operations such as MPI_Alltoallv say that the rank received from all others.
    std::optional<std::uint32_t> attributeOfAll;
    /// By which enters and leaves of tasks that may move between workers say which one it is (HPX, APEX).
    std::optional<std::uint32_t> attributeOfTasks;
    /// By which enters name the calls that led into the region: a calling context, where it is not the
    /// expected one.
    std::optional<std::uint32_t> attributeOfCallPaths;
    /// Traces without call paths do not tell what created a task: what it takes counts below TASKS and where
    /// it ran, and the program gives it back (Scalasca has it so). Else it counts once.
    bool tasksAreBookedTwice() const { return !attributeOfCallPaths; }
    /// Expected is what `ContextPrediction` says; else the context of the region's last enter in the
    /// location.
    bool arePathsPredicted = false;
    References<GroupId> groupOf;
    References<MetricClassId> metricClassOf;  ///< of classes and instances
    References<MetricClassId> samplesOf;      ///< by interrupt generator: what one of its samples counts
    References<ContextId> callingContextOf;

    /// Holos recorded the trace, which notes every message: calls without one had none, such as those to
    /// MPI_PROC_NULL. The definitions do not say it themselves.
    bool hasAllMessages = false;
    std::vector<std::string> problems;  ///< dangling references and the like, in words
    bool clockDefined = false;

    const Region& operator[](RegionId id) const { return regions[id.index()]; }
    const Location& operator[](LocationId id) const { return locations[id.index()]; }
    const Process& operator[](ProcessId id) const { return processes[id.index()]; }
    const Comm& operator[](CommId id) const { return comms[id.index()]; }
    const CallingContext& operator[](ContextId id) const { return callingContexts[id.index()]; }
    const CallSite& operator[](SiteId id) const { return callSites[id.index()]; }
    const std::string& text(std::uint64_t reference) const {
        static const std::string kNone;
        const auto found = stringOf.find(reference);
        return found ? strings[found->index()] : kNone;
    }
    /// Of the function that a calling context ends in.
    RegionId regionOfCallingContext(std::uint64_t reference) const;
    double seconds(Ticks ticks) const {
        return static_cast<double>(ticks) / static_cast<double>(clock.ticksPerSecond);
    }
};

/// Regions that every table begins with.
inline constexpr RegionId kUndefinedRegion{0};  ///< for references without a definition
inline constexpr RegionId kTasksRegion{1};      ///< `TASKS`: above the bodies of explicit tasks
inline constexpr RegionId kThreadsRegion{2};    ///< `THREADS`: above the functions of created threads
inline constexpr RegionId kFlushRegion{3};      ///< `TRACE BUFFER FLUSH`
inline constexpr RegionId kOffRegion{4};        ///< `MEASUREMENT OFF`
inline constexpr RegionId kShortageRegion{5};   ///< `WAITING FOR A PROCESSOR`: below what computes

inline RegionId Definitions::regionOfCallingContext(std::uint64_t reference) const {
    const auto found = callingContextOf.find(reference);
    return found ? callingContexts[found->index()].region : kUndefinedRegion;
}

}  // namespace holos::analyzer::trace
