// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recorder/core/events.h"

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

}  // namespace holos::tracing::functions
