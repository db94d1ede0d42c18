// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "tracing/recorder/core/chunks.h"
#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/record.h"

namespace holos::tracing::profile {
class Table;
}

namespace holos::tracing::core {

inline constexpr std::size_t kMostCounters = 32;
inline constexpr std::uint32_t kNoProcessor = 0xFFFFFFFFu;

/// A place in the file that is used again, and the location's next one.
struct KeptPlace {
    ChunkPlace place;
    KeptPlace* next = nullptr;
    ChunkProof proof = {};  ///< of what was written there last
};

/// Locks that are set and unset from the same places (`locks.h`). Places are those of polls.
struct LockPairs {
    std::uint64_t* records = nullptr;          ///< of all but the first pair: of sets and behind it of unsets
    const std::uint64_t* behind = nullptr;     ///< where a record must begin for the next pair
    const std::uint64_t* behindSet = nullptr;  ///< and for the unset of a set that was recorded for itself
    std::uint64_t set = 0;
    std::uint64_t unset = 0;
    std::uint32_t turns = 0;  ///< `timesTurned` at the first one
    bool isHeld = false;      ///< the last set of `records` was not followed by its unset yet
};

/// Critical sections of one place (`locks.h`).
struct Sections {
    std::uint64_t* record = nullptr;        ///< of all but the first one
    const std::uint64_t* behind = nullptr;  ///< where a record must begin for the next one
    std::uint64_t region = 0;               ///< place of the section, as that of polls, and of its block
    std::uint64_t block = 0;
    std::uint32_t turns = 0;  ///< `timesTurned` at the first one
};

/// A location of the trace and the chunk of the file that is being written.
///
/// Thread safety: one thread at a time, the one that has it in `Thread::location`; others read what is
/// atomic.
struct Location {
    std::uint64_t* next = nullptr;  ///< where the next record goes
    std::uint64_t* end = nullptr;   ///< behind the chunk
    std::uint64_t* chunk = nullptr;
    std::size_t chunkBytes = 0;
    std::uint64_t chunkOffset = 0;            ///< in the file
    std::uint64_t chunks = 0;                 ///< that were begun
    bool growsSlowly = false;                 ///< its first chunks are short
    struct LocationTable* table = nullptr;    ///< what it adds up (`profiling.h`); null where it does not
    profile::Table* sums = nullptr;           ///< in that
    KeptPlace* placed = nullptr;              ///< of the chunk in the file, where chunks are used again
    std::atomic<struct Copy*> copy{nullptr};  ///< of the chunk, where one is made (`copying.h`)
    std::uint64_t flushBegin = 0;
    std::uint64_t flushEnd = 0;  ///< ticks of a change of chunks that is not recorded yet; else 0
    std::uint32_t ref = 0;
    LocationKind kind = LocationKind::Thread;
    std::uint32_t processor = kNoProcessor;  ///< that was recorded last; none at the start of a chunk
    bool hasMoved = false;                   ///< was found on another processor than before
    std::atomic<bool> occupied{false};       ///< a thread writes to it

    std::atomic<std::int32_t> threadId{0};  ///< the kernel's number of the first thread that wrote to it
    std::int64_t since = 0;                 ///< when that was, in nanoseconds of CLOCK_MONOTONIC
    std::atomic<bool> hadSeveral{false};    ///< another thread has written to it, too
    /// Nanoseconds that others had its processor because it let them, in calls that were recorded.
    std::atomic<std::int64_t> givenAway{0};
    Location* older = nullptr;  ///< the one that was made before

    /// Polls (`polls.h`): the record that the next one may be added to (for who copies it: also those of
    /// locks and sections), where a record must begin for that, and the place that polls.
    std::uint64_t* polls = nullptr;
    const std::uint64_t* behindPoll = nullptr;
    std::uint64_t pollsPlace = 0;
    std::uint32_t pollsTurns = 0;  ///< `timesTurned` at the last poll
    LockPairs lockPairs;
    Sections sections;

    /// Counts of this location are those of the writing thread plus the base (modulo 2^64).
    std::uint64_t counterBase[kMostCounters] = {};
    std::uint64_t counterLast[kMostCounters] = {};  ///< when the last thread left it

    /// The teams that this location forked, newest first (`teams.cpp`).
    std::atomic<struct Team*> teams{nullptr};

    bool hasRoom(std::size_t words) const noexcept { return static_cast<std::size_t>(end - next) >= words; }

    /// Room for one record, or null when the recording stopped.
    std::uint64_t* reserve(std::size_t words) noexcept {
        return hasRoom(words) || nextChunk() ? next : nullptr;
    }

    /// Makes the record at `place` visible: call after its other words are written.
    void commit(std::uint64_t* place, std::uint64_t headerWord, std::size_t words) noexcept {
        std::atomic_signal_fence(std::memory_order_release);
        *static_cast<volatile std::uint64_t*>(place) = headerWord;
        __atomic_store_n(&next, place + words, __ATOMIC_RELEASE);
    }

    /// What it costs is not charged to the thread's counters.
    bool nextChunk() noexcept;
    /// Gives back the memory of the chunk; the next record begins another one.
    void close() noexcept;

  private:
    bool mapNext() noexcept;
};

/// Where records begin that may still change; `next` where there are none. `next`: the location's.
const std::uint64_t* settledEnd(const Location& location, const std::uint64_t* next) noexcept;

/// Reads how much of each location is kept (`Settings::buffer`) and what happens to more
/// (`HOLOS_WHEN_FULL`: `stop`, or `newest`, which takes the place of the oldest). Called once, before events.
void limitLocations() noexcept;

/// The location that was made last, or null. Signal-safe.
Location* newestLocation() noexcept;

/// A new location, written to the definitions; null when there is no memory or recording has stopped.
Location* makeLocation(LocationKind kind, std::uint32_t master, std::uint32_t level, std::uint32_t number,
                       const char* name) noexcept;

}  // namespace holos::tracing::core
