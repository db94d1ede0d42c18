// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace holos::validation {

/// Chains of operations that do not wait for each other: as many as two units with a latency of five cycles
/// need.
inline constexpr std::size_t kChains = 10;

/// Doubles in the widest vector that the processor has, of those that are known here.
std::size_t vectorLanes();

/// In each of `kChains` vectors `rounds` times `x = x * factor + addend`, from 1 on. Returns the sum of all
/// elements at the end.
double multiplyAndAdd(std::uint64_t rounds, double factor, double addend);

/// `a = b + s * c`
void triad(std::span<double> a, std::span<const double> b, std::span<const double> c, double s);

}  // namespace holos::validation
