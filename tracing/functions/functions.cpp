// SPDX-License-Identifier: BSD-3-Clause
// What programs call that `holos cc` compiled: at the begin and at the end of each function.
#include <array>
#include <atomic>
#include <mutex>

#include "tracing/core/thread.h"
#include "tracing/functions/call_stack.h"
#include "tracing/functions/throttle.h"

namespace holos::tracing::functions {
namespace {

/// Functions by address. A slot's other members are written before `address`, which then never changes.
std::array<Function, kMostFunctions> functions;
std::mutex mutex;

std::size_t homeOf(const void* address) {
    return (reinterpret_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U) >> (64 - kFunctionBits);
}

/// The place of a function, or the free one where it belongs; null when the table is full.
Function* place(const void* address) {
    std::size_t at = homeOf(address);
    for (std::size_t tried = 0; tried < kMostFunctions; ++tried, at = (at + 1) % kMostFunctions) {
        const void* there = functions[at].address.load(std::memory_order_acquire);
        if (there == address || there == nullptr) return &functions[at];
    }
    return nullptr;
}

[[gnu::noinline, gnu::cold]] Function* define(const void* address) {
    const std::scoped_lock lock(mutex);
    Function* const function = place(address);
    if (function == nullptr || function->address.load(std::memory_order_relaxed) != nullptr) return function;
    function->region =
        defineRegionAt(address, {"function", nullptr, 0, 0, Paradigm::Compiler, Role::Function});
    function->isRecorded.store(function->region != 0, std::memory_order_relaxed);
    function->address.store(address, std::memory_order_release);
    return function;
}

Function* find(const void* address) {
    Function* const function = place(address);
    if (function != nullptr && function->address.load(std::memory_order_relaxed) == address) [[likely]]
        return function;
    return define(address);
}

[[gnu::noinline, gnu::cold]] void reportDeep() {
    static std::atomic<bool> isReported{false};
    if (!isReported.exchange(true)) trouble("calls nested deeper than 256 functions are not recorded");
}

bool isRecording() {
    return core::thisThread.state == 0 && core::recordingIsOn.load(std::memory_order_relaxed);
}

/// Ends the innermost call of the thread, whose own end was not told unless it is the one that ends now.
void endInnermost() {
    const CallStack::Call& call = callStack.calls[--callStack.depth];
    if (call.function == nullptr || !isRecording()) return;
    core::record<RecordKind::Leave>(call.function->region);
    countCall(*call.function, core::thisThread.lastTime - call.begin);
}

void endCallsBelow(const void* frame) {
    while (callStack.innermostIsGone(frame)) endInnermost();
}

/// The function as it is to be recorded; null when it is not.
Function* wanted(const void* address) {
    Function* const function = find(address);
    const bool isWanted = function != nullptr && function->isRecorded.load(std::memory_order_relaxed);
    return isWanted ? function : nullptr;
}

// These are the most frequent events of all. Their usual way through calls nothing and checks each thing
// once; what is not usual starts anew on the other way.

/// False when it is not the usual begin, and then nothing was done.
inline bool beginQuickly(const void* address, const void* frame) {
    if (callStack.isFull() || callStack.innermostIsGone(frame)) [[unlikely]]
        return false;
    Function& home = functions[homeOf(address)];
    if (home.address.load(std::memory_order_acquire) != address) [[unlikely]]
        return false;
    Function* function = nullptr;
    if (home.isRecorded.load(std::memory_order_relaxed)) {
        if (!core::recordQuickly<RecordKind::Enter>(home.region)) [[unlikely]]
            return false;
        function = &home;
    }
    callStack.calls[callStack.depth++] = {address, frame, function, core::thisThread.lastTime};
    return true;
}

[[gnu::noinline]] void begin(const void* address, const void* frame) {
    endCallsBelow(frame);
    if (callStack.isFull()) [[unlikely]] {
        ++callStack.depth;
        return reportDeep();
    }
    Function* function = isRecording() ? wanted(address) : nullptr;
    if (function != nullptr && !core::record<RecordKind::Enter>(function->region)) function = nullptr;
    callStack.calls[callStack.depth++] = {address, frame, function, core::thisThread.lastTime};
}

/// False when it is not the usual end, and then nothing was done.
inline bool endQuickly(const void* address, const void* frame) {
    if (!callStack.innermostIs(address, frame)) [[unlikely]]
        return false;
    const CallStack::Call& call = callStack.calls[callStack.depth - 1];
    Function* const function = call.function;
    if (function != nullptr && !core::recordQuickly<RecordKind::Leave>(function->region)) [[unlikely]]
        return false;
    --callStack.depth;
    if (function != nullptr) countCall(*function, core::thisThread.lastTime - call.begin);
    return true;
}

[[gnu::noinline]] void end(const void* address, const void* frame) {
    if (callStack.endsUncounted(frame)) return;
    const std::uint32_t depth = callStack.depthBefore(address, frame);
    while (callStack.depth > depth) endInnermost();
}

}  // namespace

constinit thread_local CallStack callStack __attribute__((tls_model("initial-exec"))){};

}  // namespace holos::tracing::functions

using namespace holos::tracing;
using namespace holos::tracing::functions;

extern "C" __attribute__((visibility("default"))) void holos_unwound(const void* frame) {
    endCallsBelow(frame);
}

/// An exception is caught by the function above that frame.
extern "C" __attribute__((visibility("default"))) void holos_caught(const void* frame) {
    core::dropOpenCallBelow(frame);
    endCallsBelow(frame);
}

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_enter(void* address, void*) {
    const void* const frame = HOLOS_OWN_FRAME();
    if (!beginQuickly(address, frame)) [[unlikely]]
        begin(address, frame);
}

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_exit(void* address, void*) {
    const void* const frame = HOLOS_OWN_FRAME();
    if (!endQuickly(address, frame)) [[unlikely]]
        end(address, frame);
}
