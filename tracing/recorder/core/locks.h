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
    std::atomic<std::uint32_t> steps{0};    ///< where threads wait for what others do (`wakes.h`)
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

/// Whether locks that the calling thread does not wait for may become one record (`lock_pairs.h`,
/// `critical_sections.h`).
bool locksAreThinned() noexcept;
/// That the calling thread waits for the lock, for who looks at the program meanwhile.
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

}  // namespace holos::tracing
