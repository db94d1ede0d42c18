// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "tracing/recorder/core/events.h"

namespace holos::tracing::core {

/// What `holos record --filter` leaves out, as far as it is known while the program runs: functions and user
/// regions by their names. The files of functions are known only after the run.

/// Of a region that the program defines.
bool isFilteredOut(const RegionDefinition& region);

/// `isFilteredOut` for callers that define regions but once: false for those that the recording is limited
/// to, as their start and end count without them, and where there is no memory to tell.
bool isLeftOut(const RegionDefinition& region) noexcept;

/// Of a function: `offset` is that of its first instruction in the object file as it is loaded. True also for
/// the body of a construct of OpenMP, which is recorded as such.
bool isFilteredOut(const std::string& object, std::uint64_t offset);

/// From here on such bodies may be among the functions, as clang instruments them.
void expectBodiesOfConstructs() noexcept;

}  // namespace holos::tracing::core

#pragma GCC visibility push(default)  // for the MPI adapters

namespace holos::tracing::core {

/// Whether the filter names a call of MPI, OpenMP or threads. Whether the trace can do without it, the caller
/// knows: what others may wait for stays.
bool isCallFilteredOut(const char* name) noexcept;

}  // namespace holos::tracing::core

#pragma GCC visibility pop
