// SPDX-License-Identifier: BSD-3-Clause
// Jumps out of functions and calls into MPI, as an error handler of the program may do them, by longjmp or by
// setcontext. <setjmp.h> is not included: it renames the functions where the C library is to check their use.
#include <ucontext.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"

/// Of `tracing/recorder/functions`: functions of the program below that frame have ended.
extern "C" void holos_unwound(const void* frame);

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
