// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/shortage.h"
#include "tracing/recorder/profile/table.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/record.h"
#include "tracing/recordings/format/waiting_notes.h"

/// How the events that come most often change a location's table.
namespace holos::tracing::core {

/// `word`: that of the record.
inline void addEnter(profile::Table& table, std::uint64_t word, std::uint64_t ticks) noexcept {
    if (!table.enterRegion(lowHalf(word), highHalf(word), ticks)) [[unlikely]]
        countLost();
}

inline void addMessage(profile::Table& table, ProfileCount first, std::uint64_t bytes) noexcept {
    // Messages without bytes stand before the first class.
    const std::size_t number = static_cast<std::size_t>(first) + sizeClassOf(bytes);
    table.count(static_cast<ProfileCount>(bytes != 0 ? number : static_cast<std::size_t>(first) - 1), 1,
                bytes);
}

inline void addCollective(profile::Table& table, std::uint32_t operation, std::uint64_t sent,
                          std::uint64_t received) noexcept {
    // Operations that make or free something are not counted.
    if (operation >= static_cast<std::uint32_t>(Collective::CreateHandle)) return;
    const ProfileCount kind =
        sent == 0       ? received == 0 ? ProfileCount::Synchronizations : ProfileCount::Destinations
        : received == 0 ? ProfileCount::Sources
                        : ProfileCount::Exchanges;
    table.count(kind, 1, sent);
    if (received != 0) table.count(ProfileCount::ReceivedTogether, 0, received);
}

/// Of MPI's events but those of regions; of most of them nothing is counted.
inline void addTraffic(profile::Table& table, RecordKind kind, const std::uint64_t* words) noexcept {
    switch (kind) {
        case RecordKind::MpiSend:
        case RecordKind::MpiIsend:
            return addMessage(table, ProfileCount::Sends, words[2]);
        case RecordKind::MpiRecv:
        case RecordKind::MpiIrecv:
            return addMessage(table, ProfileCount::Receives, words[2]);
        case RecordKind::MpiCollectiveEnd:
        case RecordKind::MpiCollectiveComplete:
            return addCollective(table, lowHalf(words[0]), words[2], words[3]);
        case RecordKind::RmaPut:
            return table.count(ProfileCount::Puts, 1, words[1]);
        case RecordKind::RmaGet:
            return table.count(ProfileCount::Gets, 1, words[1]);
        case RecordKind::RmaAtomic:
            table.count(ProfileCount::Puts, 1, words[2]);
            return table.count(ProfileCount::Gets, 1, words[3]);
        case RecordKind::MpiFailed:
            return table.drop();
        default:
            return;
    }
}

/// Whether the short way can add it up.
constexpr bool isAddedQuickly(RecordKind kind) noexcept {
    return kind == RecordKind::Enter || kind == RecordKind::Leave || isOfMpi(kind);
}

}  // namespace holos::tracing::core

namespace holos::counters {
class Reader;
}

namespace holos::tracing::stacks {
struct ThreadPaths;
}

namespace holos::tracing::core {

/// The outermost call into MPI in which a thread is, for `open_call.h`.
struct OpenCall {
    const void* frame;  ///< null outside of all calls
    RegionRef region;   ///< 0: not recorded
    bool isPaused;
};

/// What the recorder knows of the calling thread. Plain data in static thread-local storage: usable at once,
/// without allocation or initialisation.
///
/// Thread safety: one thread, the calling one, and signal handlers that interrupt it.
struct Thread {
    static constexpr std::uint32_t kBusy = 1;      ///< in `state`: inside the recorder
    static constexpr std::uint32_t kOnePause = 2;  ///< in `state`: added by each pause
    static constexpr unsigned kMaxNesting = 32;

    Location* location;            ///< where events go; null until the first event
    std::uint64_t lastTime;        ///< of the last event or of `markTime`
    volatile std::uint32_t state;  ///< 0 when events are recorded
    const void* recorder;          ///< on the stack, where the recorder began; while it is busy
    counters::Reader* counters;    ///< null when nothing is counted
    stacks::ThreadPaths* paths;    ///< null when call paths are not wanted, or not yet
    bool countersFailed;           ///< it is of no use to try again
    std::uint32_t nesting;         ///< entries of `outer`
    std::size_t stackBytes;        ///< of its stack; 0 when that is not known
    std::uint32_t number;          ///< of a thread that `pthread_create` started, from 1; else 0
    const void* ownFunction;       ///< with which such a thread began, and whose region is entered; else null
    bool isOff;                    ///< paused by the program
    bool isRuntimes;               ///< started by a runtime system: paused while it is in no team
    bool hadPlace;                 ///< has been in a team, other than as its master
    bool isSilent;                 ///< paused for good, as it may not even read a clock: what it does is lost
    std::int32_t kernelId;         ///< the kernel's number; 0 until it is needed
    WaitingNote* waiting;          ///< null until it waits for the first time
    bool hasNoNote;                ///< others have all of them
    void* constructs;              ///< of OpenMP, what it is in; of the recorder's heap, or null
                                   ///< (`tracing/recorder/openmp/team.cpp`)
    void* ranges;                  ///< in which it is by annotations; of the recorder's heap, or null
                                   ///< (`tracing/recorder/annotations/names.cpp`)
    TaskCalls taskCalls;           ///< of the explicit task that it works on
    OpenCall openCall;             ///< into MPI
    MarkHistory mark;              ///< for what it has waited for processors
    Location* outer[kMaxNesting];  ///< what `location` was before each team that was joined
    struct Joined {
        std::uint32_t team;
        std::uint32_t number;
    } joined[kMaxNesting];
};

extern constinit thread_local Thread thisThread __attribute__((tls_model("initial-exec")));

/// The thread's location, made when it has none yet; opens its counters. Null when recording has stopped.
Location* locate(Thread& thread) noexcept;

/// Has the thread's end noticed, to close what it has open. In `tracing/recorder/threads/threads.cpp`.
void watchEnd(Thread& thread) noexcept;

/// The counters' values at an event, `recordCounters` of counting.h.
void recordCounters(Thread& thread, Location& location, std::uint64_t ticks) noexcept;

/// What was asked for while events are off: lost, when an error or an interrupted recorder is the reason.
void missed(const Thread& thread) noexcept;

/// Where the calling function's frame ends.
[[gnu::always_inline]] inline const void* stackPointer() noexcept {
    const void* here = nullptr;
#if defined(__x86_64__)
    asm("mov %%rsp, %0" : "=r"(here));
#elif defined(__aarch64__)
    asm("mov %0, sp" : "=r"(here));
#else
    here = __builtin_frame_address(0);
#endif
    return here;
}

/// Marks the thread as inside the recorder: a signal handler that interrupts it records nothing.
class Busy {
  public:
    explicit Busy(Thread& thread) noexcept : thread_(thread) {
        thread_.recorder = stackPointer();
        thread_.state = thread_.state | Thread::kBusy;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~Busy() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        thread_.state = thread_.state & ~Thread::kBusy;
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

  private:
    Thread& thread_;
};

/// `Busy` for a thread whose state is 0 and stays so but for this: three stores, for the events.
class BusyOnce {
  public:
    explicit BusyOnce(Thread& thread) noexcept : thread_(thread) {
        thread_.recorder = stackPointer();
        thread_.state = Thread::kBusy;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~BusyOnce() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        thread_.state = 0;
    }
    BusyOnce(const BusyOnce&) = delete;
    BusyOnce& operator=(const BusyOnce&) = delete;

  private:
    Thread& thread_;
};

/// Writes the words of a record at `place`, its header last, and makes it the location's newest.
template <RecordKind kind, class... Words>
inline void put(Location& location, std::uint64_t* place, std::uint64_t ticks, Words... words) noexcept {
    [[maybe_unused]] std::size_t i = 1;
    ((place[i++] = static_cast<std::uint64_t>(words)), ...);
    location.commit(place, header(kind, ticks), sizeof...(Words) + 1);
}

/// Writes one record into a location that no other thread writes to.
/// False where there is no room.
template <RecordKind kind, class... Words>
inline bool write(Location& location, std::uint64_t ticks, Words... words) noexcept {
    constexpr std::size_t kWords = recordWords(kind, 0);
    static_assert(sizeof...(Words) + 1 == kWords);
    std::uint64_t* place = location.reserve(kWords);
    if (place == nullptr) [[unlikely]]
        return false;
    put<kind>(location, place, ticks, words...);
    return true;
}

/// What happens to an event of a location that no other thread writes to.
template <RecordKind kind, class... Words>
inline void emit(Location& location, std::uint64_t ticks, Words... words) noexcept {
    const std::uint64_t all[] = {static_cast<std::uint64_t>(words)..., 0};
    const bool isAdded = eventsAreAdded();
    if (isAdded) addEvent(location, kind, ticks, all);
    if (!eventsAreWritten() || write<kind>(location, ticks, words...)) return;
    if (!isAdded && eventsAreAdded())
        addEvent(location, kind, ticks, all);  // from this one on, as the disk became full
    else if (eventsAreWritten())
        countLost();
}

/// After an event: that the chunk was changed for it.
inline void emitFlush(Location& location) noexcept {
    if (location.flushEnd == 0) return;
    emit<RecordKind::BufferFlush>(location, location.flushBegin, std::exchange(location.flushEnd, 0));
}

/// Records the processor that the calling thread runs on, where it is another than the one recorded last.
/// Without room for it nothing of the program is lost.
inline void noteProcessor(Location& location, std::uint64_t ticks) noexcept {
    if (!eventsAreWritten()) return;
    const auto now = static_cast<std::uint32_t>(::sched_getcpu());
    if (now == location.processor) return;
    std::uint64_t* const place = location.reserve(recordWords(RecordKind::Processor, 0));
    if (place == nullptr) return;
    put<RecordKind::Processor>(location, place, ticks, now);
    location.hasMoved |= location.processor != kNoProcessor;
    location.processor = now;
    emitFlush(location);
}

/// The time that an event carries: that of its call, or that of the thread's last event or `markTime`.
enum class When : std::uint8_t { Now, Last };

/// `record` where something is to be done first: room, a location, counters, another clock; or nothing at
/// all.
template <RecordKind kind, When when, class... Words>
[[gnu::noinline, gnu::cold]] bool recordSlowly(Words... words) noexcept {
    Thread& thread = thisThread;
    if (thread.state != 0 || !recordingIsOn.load(std::memory_order_relaxed)) {
        missed(thread);
        return false;
    }
    const BusyOnce busy(thread);
    Location* location = locate(thread);
    if (location == nullptr) {
        countLost();
        return false;
    }
    if constexpr (when == When::Now) {
        // A location's first chunk takes milliseconds, which are not those of the first call.
        if (location->chunks == 0 && eventsAreWritten()) location->reserve(recordWords(kind, 0));
        thread.lastTime = std::max(thread.lastTime, ticksNow());
    }
    if (hasLostMark()) noteShortage(thread.mark, *location, thread.lastTime);
    if constexpr (kind == RecordKind::Enter || kind == RecordKind::Leave)
        if (thread.counters != nullptr) recordCounters(thread, *location, thread.lastTime);
    emit<kind>(*location, thread.lastTime, words...);
    emitFlush(*location);
    if (location->processor == kNoProcessor) noteProcessor(*location, thread.lastTime);
    return true;
}

/// Enter and leave of a region, after both: `passed` of events.h. `entered`: the words of the enter.
/// `counts`: at the begin, or null. `woken`: the first word of the acquisition in it, or `kNotWoken`.
inline constexpr std::uint64_t kNotWoken = 0;
void recordPassed(Thread& thread, std::uint64_t entered, std::uint64_t begin, const struct ReadCounts* counts,
                  std::uint64_t woken) noexcept;

/// Notes how long the calling thread, which lost its mark, had no processor until now: before it gives its
/// processor away itself. Call while it is recorded.
void recordShortageSoFar(Thread& thread) noexcept;

/// The time of an event that is recorded now.
template <When when>
inline std::uint64_t timeOfEvent(Thread& thread) noexcept {
    if constexpr (when == When::Now) thread.lastTime = ticksOfProcessor();
    return thread.lastTime;
}

/// The thread's table, where nothing but events is to be added; else null.
inline profile::Table* tableOf(const Thread& thread) noexcept {
    const bool isReady = thread.state == 0 && recordingIsOn.load(std::memory_order_relaxed) &&
                         thread.location != nullptr && thread.counters == nullptr;
    return isReady ? thread.location->sums : nullptr;
}

/// `record` of a location that adds up and writes no events.
template <RecordKind kind, When when, class... Words>
[[gnu::noinline]] bool add(Words... words) noexcept {
    Thread& thread = thisThread;
    profile::Table* const own = tableOf(thread);
    if (own == nullptr) [[unlikely]]
        return recordSlowly<kind, when>(words...);
    const BusyOnce busy(thread);
    profile::Table& table = *own;
    const std::uint64_t all[] = {static_cast<std::uint64_t>(words)..., 0};
    const std::uint64_t ticks = timeOfEvent<when>(thread);
    if constexpr (kind == RecordKind::Enter)
        addEnter(table, all[0], ticks);
    else if constexpr (kind == RecordKind::Leave)
        table.leave(lowHalf(all[0]), ticks);
    else
        addTraffic(table, kind, all);
    return true;
}

/// False when the table's usual way is not open to the event, and then nothing was done.
template <RecordKind kind, When when, class... Words>
inline bool addUsually(Thread& thread, profile::Table& table, Words... words) noexcept {
    const BusyOnce busy(thread);
    const std::uint64_t all[] = {static_cast<std::uint64_t>(words)..., 0};
    if constexpr (kind == RecordKind::Enter) {
        profile::Way* const way = table.usualWay(all[0]);
        if (way == nullptr) return false;
        table.enterUsually(*way, timeOfEvent<when>(thread));
    } else if constexpr (kind == RecordKind::Leave) {
        if (!table.leavesUsually(lowHalf(all[0]))) return false;
        table.leaveUsually(timeOfEvent<when>(thread));
    } else {
        timeOfEvent<when>(thread);
        addTraffic(table, kind, all);
    }
    return true;
}

/// `add`, which the usual event leaves without a call of another function: the processor then saves and
/// restores next to nothing.
template <RecordKind kind, When when, class... Words>
inline bool addQuickly(Words... words) noexcept {
    Thread& thread = thisThread;
    profile::Table* const table = tableOf(thread);
    if (table == nullptr || !addUsually<kind, when>(thread, *table, words...)) [[unlikely]]
        return add<kind, when>(words...);
    return true;
}

/// `recordQuickly` where events are written alone.
template <RecordKind kind, When when, class... Words>
inline bool writeQuickly(Words... words) noexcept {
    constexpr std::size_t kWords = recordWords(kind, 0);
    static_assert(sizeof...(Words) + 1 == kWords);
    Thread& thread = thisThread;
    if (thread.state != 0 || !recordingIsOn.load(std::memory_order_relaxed)) [[unlikely]]
        return false;
    const BusyOnce busy(thread);  // before looking for room, which a signal handler could use up
    Location* location = thread.location;
    if (location == nullptr || !location->hasRoom(kWords) || thread.counters != nullptr || hasLostMark())
        [[unlikely]]
        return false;
    put<kind>(*location, location->next, timeOfEvent<when>(thread), words...);
    return true;
}

/// `record` where nothing is in its way. False when something is, and then nothing was done.
template <RecordKind kind, When when = When::Now, class... Words>
inline bool recordQuickly(Words... words) noexcept {
    return sinks.shortWay.load(std::memory_order_relaxed) == ShortWay::Write &&
           writeQuickly<kind, when>(words...);
}

/// Records one event of the calling thread: its kind and the words behind the header. False when it is lost
/// or nothing is recorded. The usual way through calls nothing, so that it costs little more than the clock.
template <RecordKind kind, When when = When::Now, class... Words>
inline bool record(Words... words) noexcept {
    const ShortWay way = sinks.shortWay.load(std::memory_order_relaxed);
    if (way == ShortWay::Write && writeQuickly<kind, when>(words...)) [[likely]]
        return true;
    if constexpr (isAddedQuickly(kind))
        if (way == ShortWay::Add) return addQuickly<kind, when>(words...);
    return recordSlowly<kind, when>(words...);
}

/// `noteProcessor` of the calling thread. Needs no system call where the C library keeps the processor's
/// number in the thread's own memory (rseq), and costs about as much as reading it there.
[[gnu::noinline]] inline void noteProcessorNow() noexcept {
    Thread& thread = thisThread;
    Location* location = thread.location;
    if (thread.state != 0 || location == nullptr || location->chunks == 0) return;
    if (!recordingIsOn.load(std::memory_order_relaxed)) return;
    const BusyOnce busy(thread);
    noteProcessor(*location, thread.lastTime);
}
/// Notes the processor where a thread may have been moved while it waited.
inline void noteProcessor() noexcept {
    if (eventsAreWritten()) noteProcessorNow();
}

/// What the kernel has counted of a thread since the thread began; -1 where it does not tell.
struct KernelCounts {
    std::int64_t migrations = -1;    ///< moves between processors
    std::int64_t onProcessors = -1;  ///< nanoseconds
    std::int64_t waiting = -1;       ///< nanoseconds in which it could run, and waited for a processor
};

/// Of a thread of this process. A few system calls; allocates nothing. Nothing is asked for where the program
/// has forbidden itself to open files.
KernelCounts countsOf(pid_t thread) noexcept;

/// `countsOf` by a thread of the kernel with files of its own: the number that a file gets here for a moment
/// may be one that another thread of the program has just closed and still uses, or waits for.
KernelCounts countsByHelper(pid_t thread) noexcept;

/// Whether a thread of this process runs no code of it any more, although the kernel still lists it: who
/// waits for its end (`pthread_join`) goes on a moment before that.
bool isEnding(pid_t thread) noexcept;

// Which processors threads may use, how often the kernel moved them, and how long they were on processors:
// at a thread's first event and at its end, never in between. Where threads are found on the way is an event
// (`noteProcessor` of thread.h).

/// Writes that down of the calling thread where it is the first to write to the location. Otherwise two loads
/// and two branches.
void noteBinding(Thread& thread, Location& location) noexcept;

/// One more than the location that the thread of this number wrote to last, as far as that was written down;
/// 0 where that is not known. Of many locations only the newest are looked at.
std::uint32_t locationOfThread(std::uint32_t kernelId) noexcept;

/// Writes the binding at the end of the calling thread, unless that has not been there for long and was seen
/// on one processor only: then that costs more than it tells, and only how long it was on processors is
/// written. The program's descriptors are left alone.
void noteEndedBinding(Location& location) noexcept;

/// The calling thread is the only one that writes to the location for a while, as one of several in turn;
/// their times are written by who knows them all.
void beginSharing(Thread& thread, Location& location) noexcept;
void endSharing(Location& location) noexcept;

/// Notes where the calling thread, a runtime system's, ran at places in teams that it was the last to work
/// at.
void noteEndedPlaces(const Thread& thread) noexcept;

/// Notes where all threads ran that are still there at the end of the program. Allocates nothing.
void noteFinalBindings() noexcept;

}  // namespace holos::tracing::core
