// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tracing/recorder/functions/throttle.h"

/// The instrumented functions by a place in their code: their start, or where the call at their start returns
/// to. No lock once a function is known.
namespace holos::tracing::functions {

inline constexpr std::uint64_t kEventsOfCall = 2;  ///< enter and leave

/// A slot's other members are written before `address`, which then never changes.
extern std::array<Function, kMostFunctions> functions;

inline std::size_t homeOf(const void* address) noexcept {
    return (reinterpret_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U) >> (64 - kFunctionBits);
}

/// The place of a function, or the free one where it belongs; null when the table is full.
inline Function* placeOf(const void* address) noexcept {
    std::size_t at = homeOf(address);
    for (std::size_t tried = 0; tried < kMostFunctions; ++tried, at = (at + 1) % kMostFunctions) {
        const void* there = functions[at].address.load(std::memory_order_acquire);
        if (there == address || there == nullptr) return &functions[at];
    }
    return nullptr;
}

/// Null when it was not defined yet.
inline Function* knownFunction(const void* address) noexcept {
    Function* const function = placeOf(address);
    if (function == nullptr || function->address.load(std::memory_order_relaxed) != address) return nullptr;
    return function;
}

/// The function that begins at `begin`, defined when it is not known yet; null when there are too many.
Function* functionAt(const void* address, const void* begin) noexcept;

}  // namespace holos::tracing::functions
