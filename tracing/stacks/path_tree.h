// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::stacks {

/// A call path of this process: the calls that led somewhere, each by the address that it returns to, or by
/// what stands for a Python function (`python/python_call.h`). Equal
/// calls have equal numbers, whichever thread made them.
using PathNumber = std::uint32_t;

inline constexpr PathNumber kNoPath = 0;
/// In front of paths whose outer calls could not be found.
inline constexpr PathNumber kUnknownCallers = 1;
/// In front of paths that have more calls than are kept.
inline constexpr PathNumber kMoreCallers = 2;
inline constexpr PathNumber kFirstPath = 3;

/// The path that goes on from `caller` with a call that returns to this address: a new one is among the
/// definitions before anybody gets its number. Takes no lock; safe from several threads, and in a signal
/// handler that did not interrupt it. Where there is no room left, it is `caller`.
PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept;

}  // namespace holos::tracing::stacks
