// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/open_call.h"

#include <ucontext.h>

#include <atomic>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"

/// Of `tracing/recorder/functions`: functions of the program below that frame have ended.
extern "C" void holos_unwound(const void* frame);

namespace holos::tracing {
namespace {

using core::OpenCall;
using core::thisThread;

void unpause() {
    thisThread.state = thisThread.state - core::Thread::kOnePause;
}

void drop() {
    const OpenCall call = std::exchange(thisThread.openCall, {});
    if (call.isPaused) unpause();
    if (call.region == 0) return;
    holos_unwound(call.frame);
    callFailed();
    leaveAtMark(call.region);
}

/// Of a call within another: where the program calls it, and not MPI itself, that is said, once.
void noteWithin([[maybe_unused]] const void* frame) noexcept {
#if defined(__x86_64__)
    static std::atomic<bool> isSaid{false};
    if (isSaid.load(std::memory_order_relaxed)) return;
    const void* const caller = static_cast<const void* const*>(frame)[1];
    if (code::isRuntime(caller) || isSaid.exchange(true)) return;
    trouble(
        "functions of the program that MPI calls, such as those of attributes, operations and error "
        "handlers, called MPI "
        "themselves: that is part of the call around it and not recorded");
#endif
}

inline bool begin(const void* frame) noexcept {
    if (thisThread.openCall.frame != nullptr) [[unlikely]] {
        if (frame < thisThread.openCall.frame) {
            noteWithin(frame);
            return false;
        }
        drop();
    }
    thisThread.openCall = {frame, 0, false};
    return true;
}

}  // namespace

bool beginOpenCall(const void* frame) noexcept {
    return begin(frame);
}

void setOpenRegion(RegionRef region) noexcept {
    thisThread.openCall.region = region;
}

Opened enterOpenCall(RegionRef region, const void* frame) noexcept {
    if (!begin(frame)) return Opened::PartOfAnother;
    const PathRef path = stacks::callPathFrom(frame);
    if (!core::record<RecordKind::Enter>(pair(region, path))) return Opened::Unrecorded;
    thisThread.openCall.region = region;
    return Opened::Recorded;
}

void pauseInOpenCall() noexcept {
    thisThread.openCall.isPaused = true;
    thisThread.state = thisThread.state + core::Thread::kOnePause;
}

bool endOpenCall(const void* frame) noexcept {
    if (thisThread.openCall.frame != frame) return false;
    if (std::exchange(thisThread.openCall, {}).isPaused) unpause();
    return true;
}

// Nothing follows the record, so that nothing is kept for it. A call that is recorded is not paused.
void leaveOpenCall(RegionRef region, const void* frame) noexcept {
    if (thisThread.openCall.frame == frame) thisThread.openCall = {};
    core::record<RecordKind::Leave>(region);
}

void leaveOpenCallAtMark(RegionRef region, const void* frame) noexcept {
    if (thisThread.openCall.frame == frame) thisThread.openCall = {};
    core::record<RecordKind::Leave, core::When::Last>(region);
}

bool isInOpenCall() noexcept {
    return thisThread.openCall.frame != nullptr;
}

void callFailed() noexcept {
    core::record<RecordKind::MpiFailed, core::When::Last>();
}

void core::dropOpenCallBelow(const void* frame) noexcept {
    if (thisThread.openCall.frame != nullptr && thisThread.openCall.frame < frame) drop();
}

}  // namespace holos::tracing

// Jumps out of functions and calls into MPI, as an error handler of the program may do them, by longjmp or by
// setcontext. <setjmp.h> is not included: it renames the functions where the C library is to check their use.

namespace {

using Jump = void(const std::uint64_t*, int);
using SetContext = int(const ucontext_t*);

constinit holos::tracing::interpose::Next<Jump> nextLong("longjmp");
constinit holos::tracing::interpose::Next<Jump> nextPlain("_longjmp");
constinit holos::tracing::interpose::Next<Jump> nextWithSignals("siglongjmp");
constinit holos::tracing::interpose::Next<Jump> nextChecked("__longjmp_chk");
constinit holos::tracing::interpose::Next<SetContext> nextSetContext("setcontext");

/// Jumps are made in signal handlers, too, where nothing may be looked up.
__attribute__((constructor(102))) void findJumps() {
    for (auto* next : {&nextLong, &nextPlain, &nextWithSignals, &nextChecked}) next->get();
    nextSetContext.get();
}

/// Where the stack is after the jump; null where that is not known.
const char* stackAfter([[maybe_unused]] const std::uint64_t* buffer) noexcept {
#if defined(__x86_64__) && defined(__GLIBC__)
    constexpr int kStackPointer = 6;
    constexpr int kRotated = 17;  // glibc keeps addresses rotated, and mixed with a number of the process
    std::uint64_t guard = 0;
    asm("mov %%fs:0x30, %0" : "=r"(guard));
    const std::uint64_t address = std::rotr(buffer[kStackPointer], kRotated) ^ guard;
    return reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
#else
    return nullptr;
#endif
}

/// Where the stack is when the program goes on there; null where that is not known.
const char* stackOf([[maybe_unused]] const ucontext_t& context) noexcept {
#if defined(__x86_64__)
    const auto address = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
    return reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
#elif defined(__aarch64__)
    return reinterpret_cast<const char*>(context.uc_mcontext.sp);  // NOLINT(performance-no-int-to-ptr)
#else
    return nullptr;
#endif
}

bool contains(const stack_t& stack, const void* address) noexcept {
    const auto* const begin = static_cast<const char*>(stack.ss_sp);
    return address >= begin && address < begin + stack.ss_size;
}

/// Whether the functions of the recorder that a signal interrupted are among those that end. A handler may
/// also jump within itself.
bool endsRecorder(const void* recorder, const char* stack) noexcept {
    stack_t own{};
    const bool mayAsk = holos::tracing::core::mayAskKernel();
    const bool isOnOwn = mayAsk && ::sigaltstack(nullptr, &own) == 0 && (own.ss_flags & SS_ONSTACK) != 0;
    if (isOnOwn && !contains(own, stack)) return true;
    if (isOnOwn && !contains(own, recorder)) return false;
    return stack > recorder;
}

/// A handler of the program interrupted the recorder and does not come back to it: what it was about is lost,
/// and it begins anew with the next event.
void leaveRecorder(const char* stack) noexcept {
    using holos::tracing::core::Thread;
    Thread& thread = holos::tracing::core::thisThread;
    if ((thread.state & Thread::kBusy) == 0 || !endsRecorder(thread.recorder, stack)) return;
    holos::tracing::stacks::abandonPaths();
    thread.state = thread.state & ~Thread::kBusy;
    holos::tracing::core::countLost();
}

/// All functions below that place end.
void leaveBelow(const char* stack) noexcept {
    constexpr int kSavedWords = 2 * sizeof(void*);  // where the frame of what is called from there is
    leaveRecorder(stack);
    holos::tracing::core::dropOpenCallBelow(stack);
    holos_unwound(stack - kSavedWords);
}

[[noreturn]] void jump(holos::tracing::interpose::Next<Jump>& next, const std::uint64_t* buffer, int value) {
    holos::tracing::core::noteJump();
    if (const char* const stack = stackAfter(buffer); stack != nullptr) leaveBelow(stack);
    next.get()(buffer, value);
    std::abort();
}

/// Whether the program cannot come back to what it does now: on another stack that goes on when somebody
/// changes to it again, also inside of the recorder.
bool endsWhatIsBelow(const char* stack) noexcept {
    using holos::tracing::core::Thread;
    const Thread& thread = holos::tracing::core::thisThread;
    const bool isBusy = (thread.state & Thread::kBusy) != 0;
    const void* const here = isBusy ? thread.recorder : holos::tracing::core::stackPointer();
    return stack > here && holos::tracing::core::mayAskKernel() &&
           holos::tracing::stacks::areOnOwnStack(here, stack);
}

}  // namespace

HOLOS_INTERPOSED __attribute__((noreturn)) void longjmp(const std::uint64_t* buffer, int value) {
    jump(nextLong, buffer, value);
}
HOLOS_INTERPOSED __attribute__((noreturn)) void _longjmp(const std::uint64_t* buffer, int value) {
    jump(nextPlain, buffer, value);
}
HOLOS_INTERPOSED __attribute__((noreturn)) void siglongjmp(const std::uint64_t* buffer, int value) {
    jump(nextWithSignals, buffer, value);
}
HOLOS_INTERPOSED __attribute__((noreturn)) void __longjmp_chk(const std::uint64_t* buffer, int value) {
    jump(nextChecked, buffer, value);
}
extern "C" __attribute__((visibility("default"))) int setcontext(const ucontext_t* context) {
    if (const char* const stack = stackOf(*context); endsWhatIsBelow(stack)) {
        holos::tracing::core::noteJump();
        leaveBelow(stack);
    }
    return nextSetContext.get()(context);
}
