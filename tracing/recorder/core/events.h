// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recorder/interpose/pause.h"
#include "tracing/recordings/format/vocabulary.h"

/// What the adapters (mpi, openmp, functions, user) tell the recorder about the running program.
///
/// Every function here may be called from any thread at any time, before the recorder started and after it
/// stopped (then it does nothing), and returns quickly: the event functions touch only the calling thread's
/// buffer, take no lock, allocate nothing and make no system call but for the rare change of buffer chunk.
/// None throws, prints or sets errno. Strings are copied.
///
/// Inside the recorder's own work (and between `Pause` and its end) the calling thread records nothing, so
/// that calls the recorder makes itself never show up in the trace.
#pragma GCC visibility push(default)  // the MPI adapters are libraries of their own
namespace holos::tracing {

struct RegionDefinition {
    const char* name;             ///< `MPI_Send`, `!$omp parallel @ppm.f90:120`, `runhyd`
    const char* file = nullptr;   ///< null when unknown
    std::uint32_t beginLine = 0;  ///< 0 when unknown
    std::uint32_t endLine = 0;
    Paradigm paradigm = Paradigm::User;
    Role role = Role::Function;
};

/// Process-local references. 0 is "none": events about it are dropped.
using RegionRef = std::uint32_t;
using CommRef = std::uint32_t;
using LocationRef = std::uint32_t;
using TeamRef = std::uint32_t;
using WinRef = std::uint32_t;
using GroupRef = std::uint32_t;
using FileRef = std::uint32_t;
using HandleRef = std::uint32_t;
using MetricRef = std::uint32_t;
using ParameterRef = std::uint32_t;
using RequestId = std::uint64_t;

/// Equal definitions get the same reference; 0 for functions and user regions that the filter leaves out.
/// Takes a lock; callers keep the result.
RegionRef defineRegion(const RegionDefinition&) noexcept;
/// A region known only by an address of code: name, file and line are found after the run.
RegionRef defineRegionAt(const void* address, const RegionDefinition& fallback) noexcept;

/// Something that could not be recorded, for people: it is shown with the finished trace.
void trouble(const char* text) noexcept;

/// What the MPI library says about itself.
void mpiLibrary(const char* version) noexcept;

/// An interface by which the program says what it does, for people.
void heardInterface(const char* name) noexcept;

/// What the program calls the calling thread: in place of `Thread 3`. Nothing for the first thread, and where
/// one works in a team, whose places are no threads.
void nameThread(const char* name) noexcept;

/// True while this thread's events are recorded. Adapters ask once at the start of a wrapper.
bool recording() noexcept;

/// Whether it was recorded.
bool enter(RegionRef) noexcept;
/// Enters a function that the program calls; `frame`: its `HOLOS_OWN_FRAME` (`open_call.h`). Its caller
/// is found more quickly so.
bool enterFrom(RegionRef, const void* frame) noexcept;
/// Enters what belongs to the region around it, whatever functions of the program are between them.
bool enterDirectly(RegionRef) noexcept;
void leave(RegionRef) noexcept;

/// The calls that led somewhere, as events name them; 0: not known.
using PathRef = std::uint32_t;
PathRef pathHere() noexcept;
/// The call path of a function that the program calls, as for `enterFrom`.
PathRef pathFrom(const void* frame) noexcept;
/// `enter` where these led.
void enterAlong(RegionRef, PathRef) noexcept;

/// Reading the clock is most of what an event costs, so events that belong together share one reading: those
/// of MPI, of tasks and of the end of a team below carry the time of the calling thread's last event or of
/// `markTime`, whatever came last, and `enterAtMark` and `leaveAtMark` do the same.
void markTime() noexcept;
void enterAtMark(RegionRef, PathRef) noexcept;
void leaveAtMark(RegionRef) noexcept;

/// A region that the calling thread entered at that time and leaves now, told afterwards; what was recorded
/// meanwhile, as by a signal handler, lies before it. What counters count in it is that of the region around.
/// Nothing where the thread has recorded nothing yet.
void passed(RegionRef, std::uint64_t begin) noexcept;

/// Ticks of the calling thread's last event.
std::uint64_t lastEventTicks() noexcept;
/// A function's further calls are not recorded: so many were, which took so long on average.
void throttled(RegionRef, std::uint32_t calls, double meanNanoseconds) noexcept;

// --- what programs say of themselves ----------------------------------------------------------------

struct MetricDefinition {
    const char* name;
    const char* unit;  ///< null when it has none
    MetricType type;
    bool isTotal;  ///< grows from the program's start: differences count; else a state
};
MetricRef defineMetric(const MetricDefinition&) noexcept;
/// `bits` are those of an int64_t or of a double, after the metric's type.
void metricValue(MetricRef, std::uint64_t bits) noexcept;

ParameterRef defineParameter(const char* name) noexcept;
/// A property of what the region around it does, such as the number of an iteration.
void parameterValue(ParameterRef, std::int64_t) noexcept;

/// Nothing is recorded of the calling thread in between; the trace says so.
void measurementOff() noexcept;
void measurementOn() noexcept;

// --- what is waited for -----------------------------------------------------------------------------

struct Awaited {
    std::uint32_t peer;
    CommRef comm;
    std::uint32_t tag;
    std::uint32_t code;  ///< `awaitedCode` of `waiting_notes.h`, which says what the others are
};
/// The calling thread is about to wait for that, in the call that it entered last. It is noted for those who
/// look at the program meanwhile, and no event.
void awaits(Awaited) noexcept;
/// The thread awaits `count` things, of which the first `known` are given.
void awaits(const Awaited* things, std::size_t known, std::uint32_t count, bool oneIsEnough) noexcept;

// --- MPI (ranks are those of the communicator; sizes in bytes) --------------------------------------

/// The process's identity in MPI_COMM_WORLD, and what tells that from the worlds of other jobs: equal in all
/// its processes, 0 where it is not known. Called once, in MPI_Init, before any other MPI function here.
struct WorldDefinition {
    std::uint32_t rank;
    std::uint32_t size;
    std::uint64_t id;
};
void mpiWorld(const WorldDefinition&) noexcept;

/// A measurement against rank 0: `offset` nanoseconds to add to this process's clock (`clockNow`) to get
/// rank 0's, seen at this process's `ticks`. The adapter measures at init and at finalize.
void clockOffset(std::uint64_t ticks, std::int64_t offset, double standardDeviation) noexcept;
/// The event clock: what a tick is worth is found after the run.
std::uint64_t clockTicks() noexcept;
/// Nanoseconds of a clock that runs evenly and that all processes of a host share.
std::int64_t clockNow() noexcept;

struct CommDefinition {
    const char* name;  ///< null when it has none
    /// The identity that all members know: the world rank of the communicator's rank 0 and a number that
    /// this process gave it (agreed upon by the adapter when the communicator is made). (0, 0) is
    /// MPI_COMM_WORLD, (own rank, 1) MPI_COMM_SELF.
    std::uint32_t rootWorldRank;
    std::uint32_t number;
    const std::uint32_t* worldRanks;  ///< of the members, in order; null: this process leaves them to another
    std::uint32_t size;               ///< members; of a communicator between two groups those of the first
    std::uint32_t remoteSize = 0;  ///< members of the second group, behind those of the first; 0: one group
    std::uint32_t place = 0;       ///< the caller's among all members
};
CommRef defineComm(const CommDefinition&) noexcept;

/// A communicator with processes of another world, as one side knows it.
struct MeetingDefinition {
    std::uint32_t rootWorldRank;  ///< of this side's rank 0
    std::uint32_t number;         ///< that this process gave it
    MeetingSide side;
    const char* key;                  ///< what both sides know; empty where this process does not
    const std::uint32_t* worldRanks;  ///< of this side's members; null: this process leaves them to another
    std::uint32_t size;
    std::uint32_t remoteSize;
    std::uint32_t place;  ///< the caller's in its side
};
CommRef defineMeeting(const MeetingDefinition&) noexcept;

/// What was made of a communicator with processes of several worlds. Places are those among its members,
/// those of the first side in front.
struct DerivedCommDefinition {
    CommRef parent;
    std::uint32_t count;          ///< how many were made of it before
    std::uint32_t root;           ///< place of the new one's rank 0
    const std::uint32_t* places;  ///< of its members; null: this process leaves them to another
    std::uint32_t size;
    std::uint32_t remoteSize;
    std::uint32_t place;  ///< the caller's among the members of the new one
};
CommRef defineDerivedComm(const DerivedCommDefinition&) noexcept;

/// The processes of a communicator stand in a grid; the last coordinate of the next rank changes first.
void defineGrid(CommRef, const GridDimension* dimensions, std::uint32_t count) noexcept;

void mpiSend(std::uint32_t receiver, CommRef, std::uint32_t tag, std::uint64_t bytes) noexcept;
void mpiRecv(std::uint32_t sender, CommRef, std::uint32_t tag, std::uint64_t bytes) noexcept;
/// A number that no other request of this process has.
RequestId newRequest() noexcept;
void mpiIsend(std::uint32_t receiver, CommRef, std::uint32_t tag, std::uint64_t bytes, RequestId) noexcept;
void mpiIsendComplete(RequestId) noexcept;
void mpiIrecvRequest(RequestId) noexcept;
void mpiIrecv(std::uint32_t sender, CommRef, std::uint32_t tag, std::uint64_t bytes, RequestId) noexcept;
void mpiRequestTest(RequestId) noexcept;
void mpiRequestCancelled(RequestId) noexcept;
void mpiCollectiveBegin() noexcept;
/// `root`: may have `kReceivesFromAll`, too.
void mpiCollectiveEnd(Collective, CommRef, std::uint64_t root, std::uint64_t sent,
                      std::uint64_t received) noexcept;
/// A collective operation begins that a later call completes.
void mpiCollectiveRequest(RequestId, CommRef) noexcept;
void mpiCollectiveComplete(Collective, CommRef, std::uint64_t root, std::uint64_t sent,
                           std::uint64_t received, RequestId) noexcept;

// --- MPI's one-sided communication (targets are ranks of the window's communicator) ------------------

struct WindowDefinition {
    std::uint32_t rootWorldRank;  ///< with `number`: the identity that all members know
    std::uint32_t number;
    CommRef comm;
};
WinRef defineWindow(const WindowDefinition&) noexcept;
/// Processes by their world ranks.
GroupRef defineGroup(const std::uint32_t* worldRanks, std::uint32_t size) noexcept;

void rmaWinCreate(WinRef) noexcept;
void rmaWinDestroy(WinRef) noexcept;
void rmaCollectiveBegin() noexcept;
void rmaCollectiveEnd(Collective, RmaSyncLevel, WinRef) noexcept;
void rmaGroupSync(RmaSyncLevel, WinRef, GroupRef) noexcept;
/// `target` may be `kAllProcesses`.
void rmaRequestLock(std::uint32_t target, WinRef, bool isExclusive) noexcept;
void rmaReleaseLock(std::uint32_t target, WinRef) noexcept;
/// `operation` is a number that no other operation of this process has.
void rmaPut(std::uint32_t target, WinRef, std::uint64_t bytes, std::uint64_t operation) noexcept;
void rmaGet(std::uint32_t target, WinRef, std::uint64_t bytes, std::uint64_t operation) noexcept;
void rmaAtomic(std::uint32_t target, WinRef, RmaAtomic, std::uint64_t sent, std::uint64_t received,
               std::uint64_t operation) noexcept;
/// Its memory here may be used again; it has arrived at its target, too.
void rmaCompleteHere(WinRef, std::uint64_t operation) noexcept;
void rmaCompleteRemote(WinRef, std::uint64_t operation) noexcept;
/// The window's public and private copies of this process are made the same.
void rmaSyncMemory(std::uint32_t ownRank, WinRef) noexcept;

// --- MPI's files -------------------------------------------------------------------------------------

/// Equal names are one file.
FileRef defineFile(const char* name) noexcept;
/// A file as the members of a communicator opened it together: the `opening`-th time that they opened one.
struct HandleDefinition {
    FileRef file;
    CommRef comm;
    std::uint32_t opening;
};
HandleRef defineHandle(const HandleDefinition&) noexcept;

void fileOpened(HandleRef, FileAccess, std::uint32_t flags) noexcept;
void fileClosed(HandleRef) noexcept;
void fileDeleted(FileRef) noexcept;
/// Offsets in elementary types of the file's view, as the program gives them.
void fileSeek(HandleRef, SeekFrom, std::int64_t offset, std::uint64_t result) noexcept;
/// `operation` is a number that no other operation of this process has.
void fileBegin(HandleRef, FileOperation, IoOperationFlag, std::uint64_t bytes, RequestId operation) noexcept;
/// The call that began it returned before it was complete.
void fileIssued(HandleRef, RequestId operation) noexcept;
void fileTested(HandleRef, RequestId operation) noexcept;
void fileComplete(HandleRef, std::uint64_t bytes, RequestId operation) noexcept;
/// The call that the thread leaves next is one of all who have the file open, and moves no data.
void collectiveHandle(HandleRef) noexcept;

// --- threads ----------------------------------------------------------------------------------------

/// A team is the threads that `master` forks at one nesting level, by number. A location of the trace is a
/// place in a team, not an operating-system thread: worker n of the same team is the same location each time.
/// Called by the master before the fork, to which `path` led; `level` is 1 for the outermost.
TeamRef defineTeam(std::uint32_t level, std::uint32_t size, PathRef path) noexcept;
/// The level of a team that the calling thread makes now: one below that of the team that it is in.
std::uint32_t levelOfNextTeam() noexcept;

void threadFork(Paradigm, std::uint32_t requestedThreads) noexcept;
void threadJoin(Paradigm) noexcept;
/// From here on the calling thread records as thread `number` of the team, until `leaveTeam`, which brings
/// back what it was before. Number 0 is the master and stays where it is. Both write the team events.
void joinTeam(TeamRef, std::uint32_t number) noexcept;
void leaveTeam(TeamRef) noexcept;

/// A worker's share of a parallel region is done. It waits in the runtime's closing barrier, where nobody
/// sees it until it is given other work, so its last events are written by two: the worker records that it
/// entered `barrier` and is again what it was before `joinTeam` (nothing is left); once the master came back
/// from the region, `closeShares` writes the rest into the workers' locations: leave `barrier`, leave
/// `region`, the team's end, all at the time of the master's last event or mark. (The runtime's join orders
/// the two; no lock is needed.) Shares that are never closed, as in a program that is killed, are open
/// regions like any other. The worker's counters are read when it enters the barrier and are not advanced by
/// the events of `closeShares`.
void endShare(TeamRef, RegionRef region, RegionRef barrier) noexcept;
/// Called by the master, after it returned from the runtime's join and before its own `leaveTeam`.
void closeShares(TeamRef) noexcept;

/// An explicit task: the number of the thread that created it in its team, and its number among those that
/// this thread created, from 1. Generation 0 stands for a thread's own share of the parallel region.
struct TaskId {
    TeamRef team;
    std::uint32_t creator;
    std::uint32_t generation;
};
/// The calling thread's own share of its innermost parallel region; team 0 outside of all.
TaskId ownTask() noexcept;
void taskCreate(const TaskId&) noexcept;
/// From here on the thread works on that task, until the next switch; regions of each task nest for
/// themselves.
void taskSwitch(const TaskId&) noexcept;
void taskComplete(const TaskId&) noexcept;
/// The calls of an explicit task: those from `end` on, an address of the thread's stack in the runtime
/// system's or the recorder's function that calls the task's. Their paths go on from where the task was
/// created.
struct TaskCalls {
    const void* end;
    PathRef creation;
};
/// Of the task that the calling thread works on from here on; `end` null: none. Returns what was before.
TaskCalls replaceTaskCalls(TaskCalls) noexcept;
/// A worker whose share has ended works on tasks while it waits in the closing barrier: brings it back to
/// its place between these two. False when it has nothing to come back to.
bool resumeShare(TeamRef) noexcept;
void suspendShare(TeamRef) noexcept;

/// A thread of the runtime system that is in no team works for the program, as LLVM's helper threads do on
/// what `target nowait` makes: between these two it records, at a location of its own. False for other
/// threads.
bool beginHelp() noexcept;
void endHelp() noexcept;

/// `order` counts acquisitions of this lock in this process, from 1; acquire and release of one share it.
void acquireLock(Paradigm, std::uint32_t lock, std::uint32_t order) noexcept;
void releaseLock(Paradigm, std::uint32_t lock, std::uint32_t order) noexcept;
/// The call that the thread is in waited until its timeout, which was so many nanoseconds ago: since then it
/// waited for the mutex of its condition.
void timedOut(std::uint64_t nanoseconds) noexcept;

}  // namespace holos::tracing
#pragma GCC visibility pop
