// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/functions/call_stack.h"
#include "tracing/recorder/functions/function_table.h"

namespace holos::tracing::functions {

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
