/* SPDX-License-Identifier: BSD-3-Clause */
/* What samples of the call stack do to a program. Without an argument, or with a number of rounds: short
   waits of many kinds with computation between, of which it counts those that a signal interrupted.
   "signals": a thread that blocks all signals and waits for them. "stack": computation on a stack of 4 KB,
   and how much was overwritten below it. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static const struct timespec kShort = {0, 1000};
static volatile double sink;
static int fds[2], events, semaphores;
static uint32_t word;

static void compute(int steps) {
    for (int i = 0; i < steps; ++i) sink += i;
}

static long sleeps(void) {
    return syscall(SYS_nanosleep, &kShort, NULL);
}
static long sleepsByClock(void) {
    return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &kShort, NULL);
}
static long polls(void) {
    struct pollfd wanted = {fds[0], POLLIN, 0};
    return ppoll(&wanted, 1, &kShort, NULL);
}
static long selects(void) {
    fd_set wanted;
    FD_ZERO(&wanted);
    FD_SET(fds[0], &wanted);
    return pselect(fds[0] + 1, &wanted, NULL, NULL, &kShort, NULL);
}
static long waitsForEvents(void) {
    struct epoll_event event;
    return epoll_pwait(events, &event, 1, 1, NULL);
}
static long waitsForSemaphore(void) {
    struct sembuf down = {0, -1, 0};
    return semtimedop(semaphores, &down, 1, &kShort);
}
static long waitsForSignal(void) {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    return sigtimedwait(&wanted, NULL, &kShort);
}
static long waitsForWord(void) {
    return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &kShort, NULL, 0);
}

static const struct {
    const char* name;
    long (*call)(void);
} kWaits[] = {{"nanosleep", sleeps},
              {"clock_nanosleep", sleepsByClock},
              {"ppoll", polls},
              {"pselect", selects},
              {"epoll_pwait", waitsForEvents},
              {"semtimedop", waitsForSemaphore},
              {"sigtimedwait", waitsForSignal},
              {"futex", waitsForWord}};

static int countInterrupted(long rounds) {
    events = epoll_create1(0);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    if (pipe(fds) != 0 || events < 0 || semaphores < 0) return 1;
    struct epoll_event readable = {.events = EPOLLIN};
    epoll_ctl(events, EPOLL_CTL_ADD, fds[0], &readable);
    for (size_t i = 0; i < sizeof kWaits / sizeof *kWaits; ++i) {
        long interrupted = 0;
        for (long round = 0; round < rounds; ++round) {
            compute(20000);
            errno = 0;
            if (kWaits[i].call() < 0 && errno == EINTR) ++interrupted;
        }
        printf("%s: %ld of %ld interrupted\n", kWaits[i].name, interrupted, rounds);
    }
    semctl(semaphores, 0, IPC_RMID);
    return 0;
}

static void countSignals(long rounds) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    long taken = 0;
    for (long round = 0; round < rounds; ++round) {
        compute(20000);
        if (sigtimedwait(&all, NULL, &kShort) > 0) ++taken;
    }
    printf("%ld signals that nobody sent\n", taken);
}

static ucontext_t caller, coroutine;

static void computeThere(void) {
    compute(200 * 1000 * 1000);
    swapcontext(&coroutine, &caller);
}

static void computeOnSmallStack(void) {
    enum { kStack = 4096, kBelow = 65536, kUntouched = 0x5a };
    static unsigned char memory[kBelow + kStack] __attribute__((aligned(64)));
    memset(memory, kUntouched, kBelow);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = memory + kBelow;
    coroutine.uc_stack.ss_size = kStack;
    makecontext(&coroutine, computeThere, 0);
    swapcontext(&caller, &coroutine);
    long first = 0;
    while (first < kBelow && memory[first] == kUntouched) ++first;
    printf("%ld bytes overwritten below a stack of %d bytes\n", (long)kBelow - first, (int)kStack);
}

int main(int count, char** arguments) {
    const char* const what = count > 1 ? arguments[1] : "300";
    if (strcmp(what, "signals") == 0)
        countSignals(10000);
    else if (strcmp(what, "stack") == 0)
        computeOnSmallStack();
    else
        return countInterrupted(atol(what));
    return 0;
}
