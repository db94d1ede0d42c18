// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "tracing/recorder/core/events.h"

/// Locks and critical sections of the program, with the order in which they were acquired.

namespace holos::tracing {

/// A critical section: its region, that of the block inside, or 0, and the calls that led there.
struct Section {
    RegionRef region;
    RegionRef block;
    PathRef path;
};

/// What the recorder knows of a lock.
///
/// Thread safety: `id` and what is atomic are safe; the rest is for one thread, the one that holds the lock.
struct Lock {
    const void* address;
    Lock* next;  ///< in the table's chain
    std::uint32_t id = 0;
    std::uint32_t order = 0;    ///< of the present or last acquisition, from 1
    std::uint32_t nesting = 0;  ///< times that the holder of a nestable lock acquired it
    std::atomic<std::uint32_t> waiters{0};
    std::atomic<std::uint32_t> holder{0};   ///< the kernel's number of who has it; 0: not known
    std::atomic<bool> isTested{false};      ///< somebody found it taken, since a release was recorded
    std::atomic<std::uint32_t> steps{0};    ///< where threads wait for what others do (`locks.h`)
    std::atomic<std::uint32_t> members{0};  ///< of a barrier, since `firstStep`; 0: not known
    std::atomic<std::uint32_t> firstStep{0};
    bool isRecorded = false;     ///< the present acquisition is in the trace
    bool isOfCondition = false;  ///< waits for the condition need all acquisitions

    /// Of a critical section: who holds it, waits for it or gives it back.
    std::atomic<std::uint32_t> present{0};
    bool isPresent = false;  ///< the holder is one of them
    Section section{};       ///< that the holder is in; region 0: none that is recorded
};

/// The lock at an address; made at the first call. A lock that another one replaces at the same address is
/// taken for the same. Null only when there is no memory.
Lock* lockAt(const void* address) noexcept;
/// The lock at an address that `lockAt` has made; null where it has not. Takes no memory.
Lock* knownLockAt(const void* address) noexcept;

/// Records that the calling thread acquired the lock: call while holding it. The holder of a nestable lock
/// may acquire it again.
void recordAcquired(Lock* lock, bool isNestable, Paradigm paradigm = Paradigm::OpenMp) noexcept;
/// Notes an acquisition that nobody has had to wait for: nothing is recorded, unless somebody comes to
/// wait for its release.
void noteAcquired(Lock& lock, bool isNestable) noexcept;
/// Whether the release of the lock by its holder is to be recorded; an acquisition that was only noted is,
/// then, from now on.
bool needsRelease(Lock& lock, Paradigm paradigm) noexcept;
/// The calling thread looked whether the lock is free, and it is not: who has it records its release, unless
/// that has begun. Null does nothing.
void noteTestedInVain(Lock* lock) noexcept;
/// The lock is released, and nothing is recorded of it.
void noteReleased(Lock& lock) noexcept;

/// Whether locks that the calling thread does not wait for may become one record.
bool locksAreThinned() noexcept;
/// Says that the calling thread waits for the lock, for who looks at the program meanwhile.
Awaited awaitedLock(const Lock& lock) noexcept;
/// `awaitedLock` where the kernel's number of the thread that has it is known from elsewhere; 0: nobody is
/// known to.
Awaited awaitedLock(const Lock& lock, std::uint32_t holder) noexcept;

/// While one exists, the calling thread waits for the lock.
class Waiting {
  public:
    explicit Waiting(Lock* lock) noexcept : lock_(lock) {
        if (lock_ != nullptr) lock_->waiters.fetch_add(1, std::memory_order_relaxed);
    }
    ~Waiting() {
        if (lock_ != nullptr) lock_->waiters.fetch_sub(1, std::memory_order_relaxed);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    Lock* lock_;
};

/// Records that the calling thread is about to release the lock: call while still holding it.
void recordReleased(Lock* lock, Paradigm paradigm = Paradigm::OpenMp) noexcept;

/// Locks that are set and unset from the same two places, one pair directly after the other, and never waited
/// for. A program may do that millions of times. All pairs but the first become two records of the kind of
/// polls (`polls.h`), one for each place, with number and time:
///
///     recorded    ┤S├──┤U├──┤S├─┤U├───┤S├──┤U├      three pairs, o o o outside, h h h while held
///     trace       ┤S├──┤U├──────────┤S S├────┤U U├  the first one; then outside, set, held, unset,
///                                                   each as long as all of its kind together
///
/// Each call path keeps its time in that way, and the time between belongs where it did. Which pair was when
/// is not known any more, nor the order of their acquisitions: nobody waited for them.
///
/// Each is recorded for itself where counters are read, where what happens is added up, and where the user
/// asked for it.

/// A call that set a lock without waiting, since `markTime`, and ends now. True where it was added to those
/// before; else it is recorded like any other call, and then `noteSet` is called.
bool addSet(RegionRef region, PathRef path) noexcept;
void noteSet(RegionRef region, PathRef path) noexcept;

/// Whether a call from there would be the one that follows the last set.
bool isNextUnset(RegionRef region, PathRef path) noexcept;
/// The call of `isNextUnset`, since `markTime`, ends now. False where something else was recorded in between.
bool addUnset() noexcept;

/// A call that unsets a lock and is recorded for itself, from before its enter to behind its leave.
class RecordedUnset {
  public:
    RecordedUnset(RegionRef region, PathRef path) noexcept;
    ~RecordedUnset();
    RecordedUnset(const RecordedUnset&) = delete;
    RecordedUnset& operator=(const RecordedUnset&) = delete;

  private:
    std::uint64_t place_;
    const std::uint64_t* behindSet_ = nullptr;  ///< null where it does not follow one directly
};

/// Critical sections of one place that nobody waits for, one directly after the other. All but the first one
/// become one record with their number and time:
///
///     recorded    ┤C├B┤C├──┤C├B┤C├───┤C├BB┤C├      three sections with their blocks
///     trace       ┤C├B┤C├────────┤CC├BBB┤CC├       the first one; then one that has the time of the others
///
/// Each call path keeps its time in that way, and the time between belongs where it did. Which section was
/// when is not known any more, nor the order of their acquisitions: nobody waited for them.
///
/// Where something is recorded in a section, it is entered and left like any other region.

/// The calling thread has entered the section, without waiting, since `markTime`, and its block begins now.
/// True where it is added to those before; else it is recorded like any other region.
bool openSection(const Section& section) noexcept;

/// Whether the thread is in one that was opened, and has recorded nothing since.
bool isSectionOpen() noexcept;
/// Its block ended at the time of `markTime`; now it is left. False where something was recorded since.
bool closeSection() noexcept;

/// Leaves a section that was recorded like any other region: the next one may be added to it.
void leaveSection(const Section& section) noexcept;

}  // namespace holos::tracing

/// Where threads wait for what others do, and where nobody has what they wait for: a barrier, a semaphore, a
/// lock for reading and writing, a word of memory (futex), the turn in an ordered construct, the signal at a
/// condition variable. Who ends the waiting of others records a release, who has waited an acquisition, both
/// with numbers of one row for each such place: a wait ended with the last release before it. These records
/// have the paradigm of the system, as programs that read traces take those of threads for locks, which one
/// thread has at a time.
namespace holos::tracing {

enum class WaitPlace : std::uint8_t { Barrier = 1, Semaphore, SharedLock, Word, Turn, Condition };

/// What the recorder knows of such a place; made at the first call. Null only when there is no memory.
Lock* waitPlaceAt(const void* address, WaitPlace kind) noexcept;
/// What `waitPlaceAt` has made; else null. May be called in signal handlers.
Lock* knownWaitPlaceAt(const void* address, WaitPlace kind) noexcept;
/// `knownWaitPlaceAt` where somebody waits; else null.
Lock* awaitedPlaceAt(const void* address, WaitPlace kind) noexcept;

/// The calling thread is about to do what others wait for.
void recordWake(Lock& place) noexcept;
/// The number of an acquisition that ends with the last release so far.
std::uint32_t wokenOrder(const Lock& place) noexcept;
/// The calling thread waited, and goes on.
void recordWoken(const Lock& place) noexcept;

/// A turn of the calling thread, which waits for the end of the one before.
struct Turn {
    std::uint32_t place = 0;
    std::uint32_t number = 0;  ///< 0: none
};
/// Call while having it.
Turn recordTurn(Lock& place) noexcept;
void recordEnd(Turn turn) noexcept;

/// From now on `members` threads meet at the barrier.
void beginBarrier(Lock& barrier, std::uint32_t members) noexcept;
/// One thread's part in a meeting at a barrier. It counts, whether anything is recorded of it or not.
class Arrival {
  public:
    /// `barrier` null: nothing is known of it.
    explicit Arrival(Lock* barrier) noexcept;
    /// How many threads the barrier still waits for, as far as is known; 0 for the last one.
    std::uint32_t missing() const noexcept { return last_ - own_; }
    void record() const noexcept;
    /// All have come.
    void recordEnd() const noexcept;

  private:
    Lock* barrier_;
    std::uint32_t own_ = 0;   ///< number of its release
    std::uint32_t last_ = 0;  ///< of that of the last thread
};

}  // namespace holos::tracing
