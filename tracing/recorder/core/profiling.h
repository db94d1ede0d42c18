// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/record.h"

/// Where events go: they are written one after the other, added up in the location's table
/// (`tracing/recorder/profile`), or both.
namespace holos::tracing::core {

struct Location;

/// The clock is the processor's, and events are written alone, or added up alone: a short way for that.
enum class ShortWay : std::uint8_t { None, Write, Add };

/// Changes while the program runs where a trace has some instances of a phase (`recorded_part.h`), and where
/// the disk becomes full (`storage.h`).
struct Sinks {
    std::atomic<bool> areWritten{true};
    std::atomic<bool> areAdded{false};
    std::atomic<ShortWay> shortWay{ShortWay::None};
};
extern Sinks sinks;

inline bool eventsAreWritten() noexcept {
    return sinks.areWritten.load(std::memory_order_relaxed);
}
inline bool eventsAreAdded() noexcept {
    return sinks.areAdded.load(std::memory_order_relaxed);
}

/// Reads what is wanted (`Settings`). Called once, when the clock is chosen and before locations are made.
void chooseSinks() noexcept;

/// From now on events are written, or not.
void writeEvents(bool areWanted) noexcept;
/// The clock is another one: the way of events changes with it.
void chooseWay() noexcept;
/// No more are written, whatever `writeEvents` is told.
void stopWriting() noexcept;
/// From now on they are added up and no longer written: what was open before is not known to tables.
void addInstead() noexcept;

/// Gives the location its table, where one is wanted; false where there is no memory for it.
bool makeTable(Location& location) noexcept;

/// Adds up one event, in a table that is made when there is none yet; `words` are those of its record.
void addEvent(Location& location, RecordKind kind, std::uint64_t ticks, const std::uint64_t* words) noexcept;
/// A reading of the counters for the event that follows.
void addCounters(Location& location, const std::uint64_t* values) noexcept;

/// Where a team was forked: in a node of the master's table, and the calls that lead to its region.
struct ForkPlace {
    std::uint32_t master;  ///< location
    std::uint32_t node;
    std::uint32_t path;
    std::uint64_t ticks;
};
/// The location forks a team next. Returns where.
ForkPlace beginFork(Location& master, std::uint32_t team, std::uint32_t path) noexcept;
/// Null where there is no such team. In `teams.cpp`.
ForkPlace* forkPlaceOf(std::uint32_t team) noexcept;
/// How many places a team has; 0 where there is no such team. In `teams.cpp`.
std::uint32_t teamSize(std::uint32_t team) noexcept;
/// The location of a place in a team; null where it has none. In `teams.cpp`.
Location* locationIn(std::uint32_t team, std::uint32_t number) noexcept;

/// A part of the file of events that tables are in.
struct TableChunk {
    std::uint64_t* memory;
    std::size_t bytes;
    std::uint64_t offset;
    TableChunk* older;
};
/// The newest one; null where there is none.
const TableChunk* newestTableChunk() noexcept;

}  // namespace holos::tracing::core
