// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::core {

/// The part of the run that is recorded, where the settings ask for a part: certain ranks,
/// the first nanoseconds, or what lies in user regions of one name. Everywhere else things are defined, so
/// that all ranks still agree on communicators, but there are no events. Or everything is added up, and some
/// instances of a phase are written as well.

/// Turns the events on unless the program's start is not wanted, and starts the clock. Called once, when the
/// recording is open and the calling thread has its location.
void startSelected() noexcept;
/// Before the recording ends.
void stopSelected() noexcept;

/// The rank of this process, which no launcher told, is known from now on.
void rankIsKnown(unsigned rank) noexcept;
/// Whether the events of this process's rank are wanted; true while it is unknown.
bool rankIsWanted() noexcept;

/// How often it was decided whether events are wanted: between two moments with the same number nothing has
/// changed.
std::uint32_t timesTurned() noexcept;

/// It was decided again whether events are wanted.
void noteTurn() noexcept;

/// Whether a user region is one that the recording, or its trace, is limited to.
bool isWantedPhase(const char* name) noexcept;
void beginPhase() noexcept;
void endPhase() noexcept;

}  // namespace holos::tracing::core
