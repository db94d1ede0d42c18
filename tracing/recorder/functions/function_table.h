// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recorder/core/events.h"

/// The instrumented functions by a place in their code: their start, or where the call at their start returns
/// to. No lock once a function is known.
///
/// Tiny functions that are called very often make most of a trace and most of its cost, and tell little.
/// After its first calls a function is therefore judged once: when they took less than a microsecond
/// (`Settings::throttleBelow`) on average, later calls are not recorded, which the finished trace reports.
namespace holos::tracing::functions {

inline constexpr unsigned kFunctionBits = 16;
inline constexpr std::size_t kMostFunctions = std::size_t{1} << kFunctionBits;

/// An instrumented function. Thread safety: safe.
struct Function {
    std::atomic<const void*> address{nullptr};
    RegionRef region = 0;
    std::atomic<bool> isRecorded{false};  ///< neither left out by a filter nor throttled
    std::atomic<bool> isJudged{false};
    /// Of the calls until then. Threads that count at the same time may lose some.
    std::atomic<std::uint32_t> calls{0};
    std::atomic<std::uint64_t> ticks{0};
};

void judge(Function& function) noexcept;
/// Calls after which a function is judged, from the settings when the library is loaded.
extern std::uint32_t callsToJudge;

/// Whether the function is judged at the end of its next call.
inline bool isDue(const Function& function) noexcept {
    return !function.isJudged.load(std::memory_order_relaxed) &&
           function.calls.load(std::memory_order_relaxed) + 1 >= callsToJudge;
}

/// One more call is done, which took so long and is not due.
inline void addCall(Function& function, std::uint64_t ticks) noexcept {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    if (function.isJudged.load(kRelaxed)) return;
    function.calls.store(function.calls.load(kRelaxed) + 1, kRelaxed);
    function.ticks.store(function.ticks.load(kRelaxed) + ticks, kRelaxed);
}

/// One more call is done, which took so long.
inline void countCall(Function& function, std::uint64_t ticks) noexcept {
    const bool isLast = isDue(function);
    addCall(function, ticks);
    if (isLast) judge(function);
}

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
