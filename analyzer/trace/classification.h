// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Some writers put into a region's name what OTF2 has fields for. TAU's `MPI_Send()` and APEX's
/// `int MPI_Send(const void*, …)` are `MPI_Send`; of TAU's `int f(int) C [{f.c} {3,1}-{9,1}]` the file and
/// the lines 3 to 9 go where they belong, if nothing is there.
void separateName(Region& region);

/// What the replay has to do at a region's enter and leave beyond keeping time.
enum class Special : std::uint8_t {
    None,
    Parallel,
    ExplicitBarrier,
    ImplicitBarrier,
    MpiInit,
    MpiFinalize,
    RmaEpoch,    ///< MPI_Win_post, _complete and _wait
    Poll,        ///< looks or waits for messages of which it has no event itself, or for the end of requests
    LockTest,    ///< acquires a lock where nobody has it
    TaskCreate,  ///< creates explicit tasks
    TaskWait,    ///< waits for explicit tasks
    ThreadJoin,  ///< waits for the end of a thread
    Pause,       ///< sleeps for a time, whatever others do, or lets others have its processor
    MayWait,     ///< nothing but that it may wait
    WithinMpi,   ///< nothing but that a call of MPI called it
    Silence      ///< nothing is recorded until the process, which was killed, has ended
};

/// How a region's synchronization events are to be judged.
enum class CallKind : std::uint8_t {
    NotMpi,
    OtherMpi,
    Send,
    Wait,
    Waitany,
    WaitSeveral,
    Test,            ///< Send: MPI_Send or MPI_Ssend; several: all or some; tests that complete nothing, too
    Probe,           ///< MPI_Iprobe or MPI_Improbe
    BlockingProbe,   ///< MPI_Probe or MPI_Mprobe
    MatchedReceive,  ///< MPI_Imrecv: begins to receive what was probed for
    BufferedSend,    ///< MPI_Bsend or MPI_Ibsend
    Start,           ///< MPI_Start or MPI_Startall: begins requests that were made before
    BufferDetach,    ///< waits until all messages have left the program's own buffer, which it may keep
    Neighbours,      ///< collective operations of a topology
    FileEnd,         ///< the second half of a collective operation on a file, such as MPI_File_read_all_end
    FileOrdered,     ///< reads or writes with the shared pointer, rank after rank; its first half, too
    FileSeekShared,  ///< moves the shared pointer
    RmaStart,
    RmaComplete,
    RmaPost,
    RmaWait,
    RmaTest,
    RmaFlush,
    PthreadJoin,  ///< waits for the end of a thread, or for a time
    RmaRequest,   ///< accesses a window, with a request that another call may complete
    OmpCritical,  ///< of atomics, too
    OmpLock,      ///< a function for locks, such as omp_set_lock
    OmpOther,
    PthreadMutex,
    PthreadCondition,
    PthreadSignal,  ///< no call, but what ends waits in calls at conditions, and its arrival there
    OmpOrdered,     ///< waits for the turn of the thread
    PthreadShared,  ///< a lock for reading and writing
    PthreadBarrier,
    PthreadSemaphore,
    Futex
};

/// MPI_Wait and its like, which complete requests of any kind.
constexpr bool isWait(CallKind call) {
    return call == CallKind::Wait || call == CallKind::Waitany || call == CallKind::WaitSeveral;
}

/// Looks for a message that another call receives.
constexpr bool isProbe(CallKind call) {
    return call == CallKind::Probe || call == CallKind::BlockingProbe;
}

/// Calls in which a lock of POSIX threads is acquired.
constexpr bool isPthread(CallKind call) {
    return call == CallKind::PthreadMutex || call == CallKind::PthreadCondition;
}

/// Calls that last until another thread does something, after which nobody has what they waited for: OTF2's
/// events of locks are there, but not in pairs.
constexpr bool isWoken(CallKind call) {
    return call == CallKind::OmpOrdered || call == CallKind::PthreadShared ||
           call == CallKind::PthreadBarrier || call == CallKind::PthreadSemaphore || call == CallKind::Futex;
}

/// Calls that last until a lock is acquired, or as if there were one.
constexpr bool isOfLocks(CallKind call) {
    return call == CallKind::OmpCritical || call == CallKind::OmpLock || isPthread(call) || isWoken(call);
}

/// The parts of a program's time, each a metric of the time hierarchy. A region belongs to several.
enum class TimeClass : std::uint8_t {
    Overhead,
    Mpi,
    MpiInitExit,
    MpiCommunicators,
    MpiFiles,
    MpiWindows,
    MpiSyncCollective,
    MpiRmaActive,
    MpiRmaPassive,
    MpiPointToPoint,
    MpiCollective,
    MpiRma,
    MpiRmaPut,
    MpiRmaGet,
    MpiRmaAtomic,
    MpiIoIndividual,
    MpiIoCollective,
    MpiFileRead,
    MpiFileWrite,
    MpiFileCollRead,
    MpiFileCollWrite,
    MpiFileOp,
    MpiFileCollOp,
    OmpRegion,
    OmpExplicitBarrier,
    OmpImplicitBarrier,
    OmpCritical,
    OmpLockApi,
    OmpOrdered,
    OmpTaskwait,
    OmpFlush,
    PthreadRegion,
    PthreadManagement,
    PthreadMutex,  ///< of locks for reading and writing, too
    PthreadCondition,
    PthreadBarrier,
    PthreadSemaphore,
    SystemWaiting,    ///< functions that put the thread to sleep, as long as it slept
    FileIo,           ///< functions that work on files, other than MPI's
    Unrecorded,       ///< `MEASUREMENT OFF`, and the next
    NoMoreEvents,     ///< between the last event of a process that was killed and its end
    WithoutProcessor  ///< `WAITING FOR A PROCESSOR`
};

/// Calls in which threads wait for others, other than for messages, in collective operations, at barriers of
/// teams, and at the begin and end of MPI.
inline constexpr TimeClass kWaitingClasses[] = {
    TimeClass::MpiCommunicators,  TimeClass::MpiFiles,        TimeClass::MpiWindows,
    TimeClass::MpiRmaActive,      TimeClass::MpiRmaPassive,   TimeClass::MpiRma,
    TimeClass::MpiIoIndividual,   TimeClass::MpiIoCollective, TimeClass::OmpCritical,
    TimeClass::OmpLockApi,        TimeClass::OmpOrdered,      TimeClass::OmpTaskwait,
    TimeClass::PthreadManagement, TimeClass::PthreadMutex,    TimeClass::PthreadCondition,
    TimeClass::PthreadBarrier,    TimeClass::PthreadSemaphore};

struct RegionClass {
    Special special = Special::None;
    CallKind call = CallKind::NotMpi;
    bool isSeen = false;         ///< a function that was not entered, but seen on the call stack
    bool tellsTimeouts = false;  ///< it is recorded whether its timeout ended its wait
    bool parallelModel = false;  ///< an OpenMP region by name or file, as the idle-threads rule asks
    std::uint64_t timeClasses = 0;

    /// Its own time is computation, and nothing that is measured apart.
    bool isComputation() const {
        RegionClass others = *this;
        others.clear(TimeClass::OmpRegion);
        others.clear(TimeClass::PthreadRegion);
        return others.timeClasses == 0;
    }
    bool has(TimeClass c) const { return (timeClasses >> static_cast<unsigned>(c) & 1U) != 0; }
    void set(TimeClass c) { timeClasses |= std::uint64_t{1} << static_cast<unsigned>(c); }
    void clear(TimeClass c) { timeClasses &= ~(std::uint64_t{1} << static_cast<unsigned>(c)); }
};

/// By OTF2's paradigm and role; by name where the writer left these unknown.
RegionClass classify(const Region& region);
/// One for each region of the table. Where a writer calls every MPI region a function, names tell the roles;
/// where it calls them the user's, which MPI's are.
std::vector<RegionClass> classifyRegions(const Definitions& definitions);

}  // namespace holos::analyzer::trace
