// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/locks.h"

/// Where threads wait for what others do, and where nobody has what they wait for: a barrier, a semaphore, a
/// lock for reading and writing, a word of memory (futex), the turn in an ordered construct. Who ends the
/// waiting of others records a release, who has waited an acquisition, both with numbers of one row for each
/// such place: a wait ended with the last release before it. These records have the paradigm of the system,
/// as programs that read traces take those of threads for locks, which one thread has at a time.
namespace holos::tracing {

enum class WaitPlace : std::uint8_t { Barrier = 1, Semaphore, SharedLock, Word, Turn };

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
