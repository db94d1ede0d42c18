// SPDX-License-Identifier: BSD-3-Clause
// System calls that a program makes itself, by the C library's `syscall`: those that may put the thread to
// sleep go by the name of the function that the C library has for them. All others, among which are some that
// return twice or on another stack, are passed on by a jump: they cannot tell that the recorder was there.
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>

#include "tracing/recorder/core/wakes.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/system/sleeper.h"

#if defined(__x86_64__)

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449  // Linux 5.16
#endif

#define HOLOS_SYSTEM_CALLS(ONE) \
    ONE(futex, Sleep)           \
    ONE(futex_waitv, Sleep)     \
    ONE(read, Data)             \
    ONE(pread64, Data)          \
    ONE(readv, Data)            \
    ONE(write, Data)            \
    ONE(pwrite64, Data)         \
    ONE(writev, Data)           \
    ONE(fsync, Data)            \
    ONE(fdatasync, Data)        \
    ONE(recvfrom, Data)         \
    ONE(recvmsg, Data)          \
    ONE(recvmmsg, Data)         \
    ONE(sendto, Data)           \
    ONE(sendmsg, Data)          \
    ONE(accept, Sleep)          \
    ONE(accept4, Sleep)         \
    ONE(connect, Sleep)         \
    ONE(poll, Sleep)            \
    ONE(ppoll, Sleep)           \
    ONE(select, Sleep)          \
    ONE(pselect6, Sleep)        \
    ONE(epoll_wait, Sleep)      \
    ONE(epoll_pwait, Sleep)     \
    ONE(epoll_pwait2, Sleep)    \
    ONE(io_getevents, Sleep)    \
    ONE(io_uring_enter, Data)   \
    ONE(nanosleep, Sleep)       \
    ONE(clock_nanosleep, Sleep) \
    ONE(wait4, Sleep)           \
    ONE(waitid, Sleep)          \
    ONE(msgrcv, Data)           \
    ONE(semop, Sleep)           \
    ONE(semtimedop, Sleep)      \
    ONE(mq_timedreceive, Data)  \
    ONE(flock, Sleep)           \
    ONE(pause, Sleep)           \
    ONE(rt_sigsuspend, Sleep)   \
    ONE(rt_sigtimedwait, Sleep)

namespace holos::tracing::system {
namespace {

#define HOLOS_SLEEPER(name, purpose) Sleeper("syscall", #name, Purpose::purpose),
constinit Sleeper sleepers[] = {HOLOS_SYSTEM_CALLS(HOLOS_SLEEPER)};

constexpr std::size_t kMostNumbers = 512;  ///< as in the code below
using Places = std::array<unsigned char, kMostNumbers>;

/// In place of a place: calls by which a program may forbid itself others.
constexpr unsigned char kConfining = 255;

consteval Places placesOfSleepers() {
    Places places{};
    places[SYS_prctl] = places[SYS_seccomp] = kConfining;
    unsigned char place = 0;
#define HOLOS_PLACE(name, purpose) places[SYS_##name] = ++place;
    HOLOS_SYSTEM_CALLS(HOLOS_PLACE)
    return places;
}

constinit interpose::NextFunction nextSyscall("syscall");

Word passOn(const void* caller, Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
    using Function = Word(Word, Word, Word, Word, Word, Word, Word);
    if (auto* const function = reinterpret_cast<Function*>(nextSyscall.behind(caller)); function != nullptr)
        return function(number, a, b, c, d, e, f);
    errno = ENOSYS;
    return ~Word{0};
}

Word confine(const void* caller, Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
    const interpose::Confining confining(static_cast<long>(number), {a, b, c, d, e}, caller);
    const Word result = passOn(caller, number, a, b, c, d, e, f);
    confining.end(result);
    return result;
}

constexpr unsigned char kFutex = 1;  ///< the first of those above

/// A wait for a word of memory to change, which another thread ends by the same call: with C++20, of
/// `std::atomic::wait`, `std::barrier`, `std::latch` and `std::counting_semaphore`, for one.
Word futex(const void* caller, Word number, Word word, Word operation, Word c, Word d, Word e, Word f) {
    Sleeper& sleeper = sleepers[kFutex - 1];
    const void* const address = reinterpret_cast<const void*>(word);
    switch (static_cast<int>(operation) & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET: {
            Lock* const place = recording() ? waitPlaceAt(address, WaitPlace::Word) : nullptr;
            const Waiting waiting(place);
            return sleeper.callAt(place, caller, number, word, operation, c, d, e, f);
        }
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET:
            if (Lock* const place = awaitedPlaceAt(address, WaitPlace::Word))
                return sleeper.callWaking(*place, caller, number, word, operation, c, d, e, f);
            [[fallthrough]];
        default:
            return sleeper.call(caller, number, word, operation, c, d, e, f);
    }
}

}  // namespace

/// By the number of a system call: where it is among those above, from 1; 0 where it is only passed on.
extern "C" __attribute__((visibility("hidden"), used)) constinit const Places holosSleepingCalls =
    placesOfSleepers();

/// The function behind the recorder's; null until the recorder's constructors have run.
extern "C" {
__attribute__((visibility("hidden"), used)) void* holosNextSyscall = nullptr;
}

extern "C" __attribute__((visibility("hidden"), used)) Word holosSystemCall(Word number, Word a, Word b,
                                                                            Word c, Word d, Word e, Word f) {
    const void* const caller = __builtin_return_address(0);
    const unsigned place = number < kMostNumbers ? holosSleepingCalls[number] : 0;
    if (place == kFutex) return futex(caller, number, a, b, c, d, e, f);
    if (place == kConfining) return confine(caller, number, a, b, c, d, e, f);
    if (place != 0) return sleepers[place - 1].call(caller, number, a, b, c, d, e, f);
    return passOn(caller, number, a, b, c, d, e, f);
}

}  // namespace holos::tracing::system

__asm__(R"(
    .text
    .globl syscall
    .type syscall, @function
    .p2align 4
syscall:
    .cfi_startproc
    endbr64
    movq holosNextSyscall(%rip), %rax
    testq %rax, %rax
    jz 2f
    cmpq $512, %rdi
    jae 1f
    leaq holosSleepingCalls(%rip), %r11
    cmpb $0, (%r11,%rdi)
    jne 2f
1:  jmp *%rax
2:  jmp holosSystemCall
    .cfi_endproc
    .size syscall, . - syscall
)");

/// Before the recorder begins.
__attribute__((constructor(101))) static void findSyscall() {
    using namespace holos::tracing::system;
    for (Sleeper& sleeper : sleepers) sleeper.find();
    holosNextSyscall = ::dlsym(RTLD_NEXT, "syscall");
}

#endif
