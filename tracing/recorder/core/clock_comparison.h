// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

/// Clocks of processes against each other. The adapter for MPI measures (`clockOffset` of events.h).
#pragma GCC visibility push(default)  // the MPI adapters are libraries of their own
namespace holos::tracing {

/// How `compareClocks` measures: a function in which all processes of MPI_COMM_WORLD take part; null: not at
/// all, as before MPI_Init.
void offerClockComparison(void (*compare)()) noexcept;
/// Measures the clock's offset once more; a region in the trace. One thread of each process takes part.
void compareClocks() noexcept;
/// Measures the clock's offset by a function of the caller's.
void compareClocks(void (*compare)()) noexcept;
/// A number that processes have in common which share one clock, as those of one machine do; 0: not known.
std::uint64_t machineNumber() noexcept;

}  // namespace holos::tracing
#pragma GCC visibility pop

namespace holos::tracing::core {

/// What processes have in common that share one clock: `HOLOS_MACHINE` where it is set, else the number that
/// the running kernel gave itself. Empty when there is neither.
std::string machineName();

}  // namespace holos::tracing::core
