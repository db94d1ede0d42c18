// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What the definitions file says of the process as a whole.
namespace holos::tracing::core {

/// Host, program and arguments, clock, rank.
void writeProcessFacts(const char* executable) noexcept;

/// A pair of clock values at this moment. Safe in a signal handler.
void writeClockSync() noexcept;

/// That no event is recorded from this moment on, because no more were wanted. Allocates nothing.
void writeStop() noexcept;

/// That the events of all threads are recorded from these ticks on, or no longer are. Allocates nothing.
void writeSwitch(std::uint64_t ticks, bool isOn) noexcept;

/// That no event of this process is wanted. Allocates nothing.
void writeNotWanted() noexcept;

/// That a counter was counted this part of the time in a thread. Allocates nothing.
void writeActiveShare(std::uint32_t counter, double share) noexcept;

}  // namespace holos::tracing::core
