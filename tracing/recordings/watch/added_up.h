// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/watch/followed_events.h"
#include "tracing/recordings/watch/picture.h"

namespace holos::watch {

class RegionActivities;

/// What a thread that adds up has done so far, and where it is.
struct AddedUp {
    std::array<std::uint64_t, kActivities> times{};  ///< ticks
    std::vector<OpenRegion> open;
    /// What was left last since the innermost of them was entered, with the time of the last event.
    std::optional<OpenRegion> left;
    std::uint64_t since = 0;  ///< ticks from which on it was added up; 0: from its start on
    std::uint64_t last = 0;   ///< ticks of its last event
    bool isOff = false;       ///< nothing is recorded at present
    Amounts amounts;
    std::int64_t collectives = 0;         ///< blocking operations that it has completed, of all communicators
    std::vector<std::uint64_t> counters;  ///< their newest values; empty where none were read
};

/// From its cells, which may change while they are read: numbers are as of about the same moment. Nothing
/// where there is no event yet. `isPlace`: a place in a team of OpenMP, as `ThreadActivity` has it.
std::optional<AddedUp> addedUp(const archive::ProfileCells& cells, const archive::RecordedProcess& process,
                               const RegionActivities& regions, bool isPlace);

class RegionActivities;

/// What records say that stand for several calls, one directly after the other: polls, locks that are set and
/// unset, critical sections.
struct RepeatedCalls {
    std::uint64_t ended = 0;                         ///< ticks of the last end
    std::array<std::uint64_t, kActivities> times{};  ///< ticks in the calls
    std::uint64_t between = 0;                       ///< ticks since the start that were in none of them
    std::uint64_t number = 0;                        ///< of calls that are over
    std::optional<OpenRegion> left;                  ///< the region that was left last, with the time of that
    std::vector<OpenRegion> open;                    ///< another one that is not over yet
};

/// The calls that a record of polls, or sections, stands for. `since`: what was before is told already.
RepeatedCalls repeatedCalls(const archive::Record& record, std::uint64_t since,
                            const RegionActivities& regions);
/// The calls that one or two such records stand for.
RepeatedCalls repeatedCalls(const Unfinished& records, std::uint64_t since, const RegionActivities& regions);

}  // namespace holos::watch
