// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>

#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/system/sleeper.h"

// The functions that are known to put threads to sleep, or to let others have their processor. Forms that
// check the size of a buffer
// (_FORTIFY_SOURCE), and those for large files, go by the name of the function that the program calls.
#define HOLOS_SLEEPERS(ONE)                      \
    /* data of files, pipes and sockets */       \
    ONE(read, read, Data)                        \
    ONE(__read_chk, read, Data)                  \
    ONE(pread, pread, Data)                      \
    ONE(pread64, pread, Data)                    \
    ONE(__pread_chk, pread, Data)                \
    ONE(__pread64_chk, pread, Data)              \
    ONE(readv, readv, Data)                      \
    ONE(preadv, preadv, Data)                    \
    ONE(preadv64, preadv, Data)                  \
    ONE(preadv2, preadv2, Data)                  \
    ONE(preadv64v2, preadv2, Data)               \
    ONE(write, write, Data)                      \
    ONE(pwrite, pwrite, Data)                    \
    ONE(pwrite64, pwrite, Data)                  \
    ONE(writev, writev, Data)                    \
    ONE(pwritev, pwritev, Data)                  \
    ONE(pwritev64, pwritev, Data)                \
    ONE(pwritev2, pwritev2, Data)                \
    ONE(pwritev64v2, pwritev2, Data)             \
    ONE(sendfile, sendfile, Data)                \
    ONE(sendfile64, sendfile, Data)              \
    ONE(splice, splice, Data)                    \
    ONE(fsync, fsync, Data)                      \
    ONE(fdatasync, fdatasync, Data)              \
    /* connections */                            \
    ONE(recv, recv, Data)                        \
    ONE(__recv_chk, recv, Data)                  \
    ONE(recvfrom, recvfrom, Data)                \
    ONE(__recvfrom_chk, recvfrom, Data)          \
    ONE(recvmsg, recvmsg, Data)                  \
    ONE(recvmmsg, recvmmsg, Data)                \
    ONE(send, send, Data)                        \
    ONE(sendto, sendto, Data)                    \
    ONE(sendmsg, sendmsg, Data)                  \
    ONE(sendmmsg, sendmmsg, Data)                \
    ONE(accept, accept, Sleep)                   \
    ONE(accept4, accept4, Sleep)                 \
    ONE(connect, connect, Sleep)                 \
    /* one of several descriptors */             \
    ONE(poll, poll, Sleep)                       \
    ONE(__poll_chk, poll, Sleep)                 \
    ONE(ppoll, ppoll, Sleep)                     \
    ONE(__ppoll_chk, ppoll, Sleep)               \
    ONE(select, select, Sleep)                   \
    ONE(pselect, pselect, Sleep)                 \
    ONE(epoll_wait, epoll_wait, Sleep)           \
    ONE(epoll_pwait, epoll_pwait, Sleep)         \
    ONE(epoll_pwait2, epoll_pwait2, Sleep)       \
    /* time */                                   \
    ONE(sleep, sleep, Sleep)                     \
    ONE(usleep, usleep, Sleep)                   \
    ONE(nanosleep, nanosleep, Sleep)             \
    ONE(clock_nanosleep, clock_nanosleep, Sleep) \
    ONE(thrd_sleep, thrd_sleep, Sleep)           \
    /* nothing: others may have the processor */ \
    ONE(sched_yield, sched_yield, Yield)         \
    ONE(thrd_yield, thrd_yield, Yield)           \
    /* other processes */                        \
    ONE(msgrcv, msgrcv, Data)                    \
    ONE(msgsnd, msgsnd, Data)                    \
    ONE(mq_receive, mq_receive, Data)            \
    ONE(mq_timedreceive, mq_timedreceive, Data)  \
    ONE(mq_send, mq_send, Data)                  \
    ONE(mq_timedsend, mq_timedsend, Data)        \
    ONE(semop, semop, Sleep)                     \
    ONE(semtimedop, semtimedop, Sleep)           \
    ONE(flock, flock, Sleep)                     \
    ONE(lockf, lockf, Sleep)                     \
    ONE(lockf64, lockf, Sleep)                   \
    ONE(fcntl, fcntl, Data)                      \
    ONE(fcntl64, fcntl, Data)                    \
    /* signals */                                \
    ONE(pause, pause, Sleep)                     \
    ONE(sigsuspend, sigsuspend, Sleep)           \
    ONE(sigwait, sigwait, Sleep)                 \
    ONE(sigwaitinfo, sigwaitinfo, Sleep)         \
    ONE(sigtimedwait, sigtimedwait, Sleep)

using holos::tracing::system::Purpose;
using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

// The compiler's name of each function differs from the linker's: headers declare the latter with other
// types.
#define HOLOS_DEFINE(symbol, shown, purpose)                                         \
    static constinit Sleeper sleeper_##symbol(#symbol, #shown, Purpose::purpose);    \
    extern "C" __attribute__((visibility("default")))                                \
    Word call_##symbol(Word, Word, Word, Word, Word, Word) __asm__(#symbol);         \
    Word call_##symbol(Word a, Word b, Word c, Word d, Word e, Word f) {             \
        return sleeper_##symbol.call(__builtin_return_address(0), a, b, c, d, e, f); \
    }
HOLOS_SLEEPERS(HOLOS_DEFINE)

/// Before the recorder begins.
__attribute__((constructor(101))) static void findSleepers() {
#define HOLOS_FIND(symbol, shown, purpose) sleeper_##symbol.find();
    HOLOS_SLEEPERS(HOLOS_FIND)
    holos::tracing::system::noteFirstFiles();
}

// System calls that a program makes itself, by the C library's `syscall`: those that may put the thread to
// sleep go by the name of the function that the C library has for them. All others, among which are some that
// return twice or on another stack, are passed on by a jump: they cannot tell that the recorder was there.
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
    ONE(sched_yield, Yield)     \
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
    // NOLINTNEXTLINE(performance-no-int-to-ptr): system calls take addresses as numbers
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
