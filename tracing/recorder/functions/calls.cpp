// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/functions/calls.h"

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/memory/heap.h"

namespace holos::tracing::functions {

constinit thread_local CallStack callStack __attribute__((tls_model("initial-exec"))){};
static constinit thread_local bool hasEnded __attribute__((tls_model("initial-exec"))) = false;
std::atomic<bool> tooDeepIsSaid{false};

bool makeRoomForCalls() noexcept {
    if (callStack.room != 0 || callStack.depth != 0 || hasEnded || !core::mayAskKernel()) return false;
    void* const memory = heap::allocate(CallStack::kMostCalls * sizeof(CallStack::Call));
    if (memory == nullptr) return false;
    core::watchEnd(core::thisThread);
    callStack.calls = static_cast<CallStack::Call*>(memory);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    callStack.room = CallStack::kMostCalls;
    return true;
}

void endCalls() noexcept {
    hasEnded = true;
    callStack.room = 0;
    callStack.depth = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    CallStack::Call* const calls = callStack.calls;
    callStack.calls = nullptr;
    if (calls != nullptr) heap::release(calls);
}

/// It leaves the stack when its event is there: a handler that never comes back would else leave it open.
void endInnermost() noexcept {
    const CallStack::Call& call = callStack.calls[callStack.depth - 1];
    Function* const function = call.function;
    const std::uint64_t begin = call.begin;
    const bool isRecorded = function != nullptr && isRecording();
    if (isRecorded) core::record<RecordKind::Leave>(function->region);
    --callStack.depth;
    if (isRecorded) countCall(*function, core::thisThread.lastTime - begin);
}

/// Its events are lost, unless it is a function that is left out.
static void countLostCall(const void* address) noexcept {
    const Function* const known = knownFunction(address);
    if (known == nullptr || known->isRecorded.load(std::memory_order_relaxed)) core::countLost(kEventsOfCall);
}

void endCallsBelow(const void* frame) noexcept {
    while (callStack.innermostIsGone(frame)) endInnermost();
}

void beginCall(const void* address, const void* begin, const void* frame) noexcept {
    const bool isFirst = callStack.room == 0 && callStack.depth == 0;
    if (callStack.isFull() && !makeRoomForCalls()) {
        ++callStack.depth;
        if (callStack.room != 0 && !tooDeepIsSaid.exchange(true))
            trouble("calls nested deeper than 256 functions are not recorded");
        return;
    }
    // The region of the function with which a thread begins was entered by what started the thread.
    const bool isEntered = isFirst && begin == core::thisThread.ownFunction;
    if (isInRecorder()) countLostCall(address);
    Function* function = isRecording() && !isEntered ? functionAt(address, begin) : nullptr;
    if (function != nullptr && !function->isRecorded.load(std::memory_order_relaxed)) function = nullptr;
    callStack.push({address, frame, function, core::thisThread.lastTime});
    if (function == nullptr) return;
    CallStack::Call& call = callStack.calls[callStack.depth - 1];
    if (!core::record<RecordKind::Enter>(function->region)) call.function = nullptr;
    call.begin = core::thisThread.lastTime;
}

}  // namespace holos::tracing::functions

extern "C" __attribute__((visibility("default"))) void holos_unwound(const void* frame) {
    holos::tracing::functions::endCallsBelow(frame);
}

/// An exception is caught by the function above that frame.
extern "C" __attribute__((visibility("default"))) void holos_caught(const void* frame) {
    holos::tracing::core::dropOpenCallBelow(frame);
    holos::tracing::functions::endCallsBelow(frame);
}

namespace holos::tracing::functions {
namespace {

void begin(const void* address, const void* frame) {
    if (!callStack.innermostIsGone(frame) && beginQuickly(address, frame)) [[likely]]
        return;
    endCallsBelow(frame);
    beginCall(address, address, frame);
}

[[gnu::noinline]] void endSlowly(const void* address, const void* frame) {
    if (callStack.endsUncounted(frame)) return;
    const std::uint32_t depth = callStack.depthBefore(address, frame);
    while (callStack.depth > depth) endInnermost();
}

void end(const void* address, const void* frame) {
    if (!callStack.innermostIs(address, frame) || !endQuickly()) [[unlikely]]
        endSlowly(address, frame);
}

}  // namespace

}  // namespace holos::tracing::functions

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_enter(void* address, void*) {
    holos::tracing::functions::begin(address, HOLOS_OWN_FRAME());
}

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_exit(void* address, void*) {
    holos::tracing::functions::end(address, HOLOS_OWN_FRAME());
}
