// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// Calls that look whether something is there, and return at once when it is not. A program may make millions
/// of them while it waits. Those that find nothing, one directly after the other from the same place, become
/// one record with their number and their time, which is brought up to date by each of them
/// (`RecordKind::Polls`); the first one has an enter and a leave as any other call. Time between them stays
/// that of their caller.
///
/// Each is recorded for itself where counters are read, as their values belong to each call, and where
/// the user asked for it.
#pragma GCC visibility push(default)  // for the MPI adapters
namespace holos::tracing {

/// A poll that was entered: its region and call path. 0: nothing is recorded of it.
using Poll = std::uint64_t;

/// Enters the region of a call that may find nothing, a function that the program calls, as `enterFrom` does.
Poll enterPollFrom(RegionRef, const void* frame) noexcept;

/// The poll found nothing. True where it was added to those before: it is left then, now, and there is no
/// more to record of it. Otherwise it is left like any other call, and by `leaveInVain`.
bool addPoll(Poll) noexcept;
/// Leaves a poll that found nothing and was not added to others, at the time of `leaveAtMark`.
void leaveInVain(Poll) noexcept;

/// A call since `markTime` found nothing, and ends now: a poll that is told afterwards. True where it was
/// added to those before.
bool passedInVain(RegionRef, PathRef) noexcept;

}  // namespace holos::tracing
#pragma GCC visibility pop
