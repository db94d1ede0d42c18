// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/functions/calls.h"

#include <limits>
#include <mutex>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/own_lock.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::functions {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
constinit std::uint32_t callsToJudge = kNever;

namespace {

std::uint32_t readCallsToJudge() noexcept {
    const std::uint32_t calls = core::settings().throttle;
    return calls == 0 ? kNever : calls;
}

/// What is known when the library is loaded. What a tick is worth follows from both clocks then and now.
const struct Begin {
    Begin() noexcept { callsToJudge = readCallsToJudge(); }
    std::uint64_t ticks = clockTicks();
    std::int64_t nanoseconds = clockNow();
} atLoad;

double nanosecondsPerTick() noexcept {
    const auto ticks = static_cast<double>(clockTicks() - atLoad.ticks);
    return ticks > 0 ? static_cast<double>(clockNow() - atLoad.nanoseconds) / ticks : 1;
}

/// Calls that take less on average are tiny.
double tinyNanoseconds() noexcept {
    return core::settings().throttleBelow * 1000;
}

[[gnu::noinline]] void compare(Function& function) noexcept {
    const double mean =
        static_cast<double>(function.ticks.load()) * nanosecondsPerTick() / function.calls.load();
    if (mean >= tinyNanoseconds()) return;
    function.isRecorded.store(false, std::memory_order_relaxed);
    throttled(function.region, function.calls.load(), mean);
}

}  // namespace

void judge(Function& function) noexcept {
    if (function.isJudged.exchange(true)) return;
    const core::KeepFloatingPoint keep;
    compare(function);
}

std::array<Function, kMostFunctions> functions;

namespace {

std::mutex mutex;

[[gnu::noinline, gnu::cold]] Function* define(const void* address, const void* begin) {
    const core::HeldSignals held;
    const core::OwnLock lock(mutex);
    Function* const function = placeOf(address);
    if (function == nullptr || function->address.load(std::memory_order_relaxed) != nullptr) return function;
    function->region = defineRegionAt(begin, {"function", nullptr, 0, 0, Paradigm::Compiler, Role::Function});
    function->isRecorded.store(function->region != 0, std::memory_order_relaxed);
    function->address.store(address, std::memory_order_release);
    return function;
}

}  // namespace

Function* functionAt(const void* address, const void* begin) noexcept {
    Function* const known = knownFunction(address);
    if (known != nullptr) return known;
    if (core::mayAskKernel()) return define(address, begin);
    core::countLost(kEventsOfCall);
    return nullptr;
}

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
