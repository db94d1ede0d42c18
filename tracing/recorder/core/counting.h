// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recorder/core/thread.h"

namespace holos::tracing {
struct Lock;
}

namespace holos::tracing::core {

/// Counters of threads, as values of locations. A thread's counters run from its first event to its end; a
/// location's values go on where they stopped when another thread takes the place over.

/// Chooses the counters that the settings name and writes their definitions. What cannot be counted is
/// written down as trouble, and nothing is counted then. Called once, before events are on.
void chooseCounters() noexcept;

/// How many they are.
std::size_t countersOfProcess() noexcept;

/// By counter a bit: its values are states, of which the largest counts.
std::uint64_t countersThatAreStates() noexcept;

/// Starts the counters of the calling thread, when any were chosen and they do not run yet.
void startCounters(Thread& thread) noexcept;

/// Records their values although no region begins or ends: at the start and the end of the program and of its
/// threads, so that what is in no region counts for the program.
void readCounters(Thread& thread) noexcept;

/// What the counters of a thread were at a moment, for events that are recorded later.
struct ReadCounts {
    bool isRead;  ///< false where nothing is counted
    std::uint64_t values[kMostCounters];
};
void readCounts(Thread& thread, ReadCounts& counts) noexcept;
void recordCounts(const ReadCounts& counts, Location& location, std::uint64_t ticks) noexcept;

/// `passed` of events.h, with what was counted between its begin, when the counts were read, and now, and
/// with the place at which the thread waited until others ended that (`locks.h`). Each may be null.
void passed(RegionRef region, std::uint64_t begin, const ReadCounts* counts, const Lock* woken) noexcept;

/// Writes down which part of the time they were counted, where they take turns, and how they were read.
/// Allocates nothing.
void reportShares(const Thread& thread) noexcept;

/// Stops those of the thread where they are PAPI's, which the program wants to use itself. False where they
/// are not.
bool yieldPapi(Thread& thread) noexcept;

/// Closes them, at the thread's end.
void stopCounters(Thread& thread) noexcept;

/// Charges what was counted up to now to `from`, and what will be counted to `to`. Either may be null.
void moveCounters(Thread& thread, Location* from, Location* to) noexcept;

}  // namespace holos::tracing::core

/// Counters of the process and of the node, which a thread of the recorder reads now and then.
namespace holos::tracing::core {

/// Starts sampling the counters of `Settings::sampledCounters` at their interval, those
/// of the node only in one process of it, as far as the launcher tells. What cannot be counted is written
/// down as trouble, and nothing is sampled then. Called once, when the recording has begun.
void startSampling() noexcept;

/// Takes the last sample and stops, before the recording ends.
void stopSampling() noexcept;

}  // namespace holos::tracing::core
