// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// Where the stack of the function that uses it begins. The address of its frame is as far below on x86-64 in
/// each function; elsewhere that depends on the function.
#if defined(__x86_64__)
#define HOLOS_OWN_FRAME() __builtin_frame_address(0)
#else
#define HOLOS_OWN_FRAME() __builtin_dwarf_cfa()
#endif

/// The calling thread's outermost call into MPI: what MPI calls of itself is not the program's doing.
///
/// A program may leave the call without its end: an error handler of its own jumps (longjmp) or throws. Then
/// it is known to be left by the jump, by the catch, or at the latest when a function calls whose frame lies
/// above: stacks grow downwards.
#pragma GCC visibility push(default)  // for the MPI adapters
namespace holos::tracing {

/// Begins the call and is true, unless it is part of one. `frame`: of the function that was called.
bool beginOpenCall(const void* frame) noexcept;
/// Its region was entered.
void setOpenRegion(RegionRef region) noexcept;
/// All of that in one step, for the function whose region it is.
enum class Opened : std::uint8_t { PartOfAnother, Unrecorded, Recorded };
Opened enterOpenCall(RegionRef region, const void* frame) noexcept;
/// Nothing is recorded in it.
void pauseInOpenCall() noexcept;
/// Ends the call that begins at that frame, after its region was left. False when it was left before.
bool endOpenCall(const void* frame) noexcept;
/// Leaves the region, now or at the time of `markTime`, and ends the call in one step.
void leaveOpenCall(RegionRef region, const void* frame) noexcept;
void leaveOpenCallAtMark(RegionRef region, const void* frame) noexcept;
bool isInOpenCall() noexcept;

/// The call failed: nothing that was recorded of it happened but its region.
void callFailed() noexcept;

}  // namespace holos::tracing
#pragma GCC visibility pop

namespace holos::tracing::core {

/// The stack was unwound to `frame`: a call below it has ended, at the time of the thread's last event.
void dropOpenCallBelow(const void* frame) noexcept;

}  // namespace holos::tracing::core
