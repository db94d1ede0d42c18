// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/functions/call_stack.h"

namespace holos::tracing::functions {

/// The instrumented functions by a place in their code: their start, or where the call at their start returns
/// to. No lock once a function is known.
///
/// Tiny functions that are called very often make most of a trace and most of its cost, and tell little.
/// After its first calls a function is therefore judged once: when they took less than a microsecond
/// (`Settings::throttleBelow`) on average, later calls are not recorded, which the finished trace reports.
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

/// Start and end of calls. These are the most frequent events of all: their usual way (`quickly`) calls
/// nothing and checks each thing once; what is not usual starts anew on the other way.
///
/// Functions that are instrumented after inlining begin before they have a frame: what is known of their
/// place on the stack is where their caller's ends, and no two that are open have the same. Those that are
/// instrumented before share a frame with what is inlined into them.
inline bool isRecording() noexcept {
    return core::thisThread.state == 0 && core::recordingIsOn.load(std::memory_order_relaxed);
}

/// Ends the innermost call of the thread, whose own end was not told unless it is the one that ends now.
void endInnermost() noexcept;
void endCallsBelow(const void* frame) noexcept;

/// `address`: what it is known by; `begin`: its first instruction.
void beginCall(const void* address, const void* begin, const void* frame) noexcept;

/// Set when calls were deeper than `CallStack` holds, which is said once.
extern std::atomic<bool> tooDeepIsSaid;

/// Whether a signal handler interrupted the recorder, so that what it calls is lost.
inline bool isInRecorder() noexcept {
    return core::thisThread.state == core::Thread::kBusy &&
           core::recordingIsOn.load(std::memory_order_relaxed);
}

/// False when it is not the usual begin, and then nothing was done. The call is known before its event is
/// recorded: a signal handler that never comes back (`siglongjmp`) may leave an end without a begin, which
/// the trace does without, but no function that never ends.
inline bool beginQuickly(const void* address, const void* frame) noexcept {
    if (callStack.isFull()) [[unlikely]] {
        if (callStack.room == 0 || !tooDeepIsSaid.load(std::memory_order_relaxed)) return false;
        ++callStack.depth;
        return true;
    }
    Function* function = nullptr;
    if (isRecording()) [[likely]] {
        Function* const known = knownFunction(address);
        if (known == nullptr) [[unlikely]]
            return false;
        if (known->isRecorded.load(std::memory_order_relaxed)) function = known;
    } else if (isInRecorder()) {
        return false;
    }
    callStack.push({address, frame, function, core::thisThread.lastTime});
    if (function == nullptr) return true;
    if (!core::recordQuickly<RecordKind::Enter>(function->region)) [[unlikely]] {
        --callStack.depth;
        return false;
    }
    callStack.calls[callStack.depth - 1].begin = core::thisThread.lastTime;
    return true;
}

/// The innermost call ends. False when it is not the usual end, and then nothing was done.
inline bool endQuickly() noexcept {
    const CallStack::Call& call = callStack.calls[callStack.depth - 1];
    Function* const function = call.function;
    if (function != nullptr && isRecording()) {
        if (isDue(*function)) [[unlikely]]
            return false;
        if (!core::recordQuickly<RecordKind::Leave>(function->region)) [[unlikely]]
            return false;
    }
    --callStack.depth;
    if (function != nullptr) addCall(*function, core::thisThread.lastTime - call.begin);
    return true;
}

}  // namespace holos::tracing::functions
