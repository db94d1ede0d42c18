// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the definitions file says of the process as a whole.
namespace holos::tracing::core {

/// Host, program and arguments, clock, rank.
void writeProcessFacts(const char* executable) noexcept;

/// A pair of clock values at this moment. Safe in a signal handler.
void writeClockSync() noexcept;

}  // namespace holos::tracing::core
