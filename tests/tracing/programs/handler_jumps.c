/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's handler leaves a computation for good, again and again; then `after` is called 1000 times. By
   default the timer is one of elapsed time, with an argument one of processor time. With BY_CONTEXT it leaves
   by setcontext instead of siglongjmp. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { kJumps = 200, kFewJumps = 40, kCalls = 1000 };

#ifdef BY_CONTEXT
static ucontext_t out;
#define remember() getcontext(&out)
#define go_there() setcontext(&out)
#else
static sigjmp_buf out;
#define remember() sigsetjmp(out, 1)
#define go_there() siglongjmp(out, 1)
#endif
static volatile int jumps;
static volatile double sink;

static void leave(int number) {
    (void)number;
    ++jumps;
    go_there();
}

__attribute__((noinline)) static void inner(int i) {
    sink += i;
}

__attribute__((noinline)) static void outer(int i) {
    inner(i);
    inner(i + 1);
    sink += 1;
}

__attribute__((noinline)) static void after(int i) {
    int k;
    for (k = 0; k < 20000; ++k) sink += i * k;
}

int main(int count, char** words) {
    const int clock = count > 1 ? ITIMER_PROF : ITIMER_REAL;
    struct sigaction action;
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    int i;
    (void)words;
    memset(&action, 0, sizeof action);
    action.sa_handler = leave;
    sigaction(count > 1 ? SIGPROF : SIGALRM, &action, 0);
    remember();
    if (jumps == 0) setitimer(clock, &timer, 0);
    while (jumps < (count > 1 ? kFewJumps : kJumps)) outer(1);
    memset(&timer, 0, sizeof timer);
    setitimer(clock, &timer, 0);
    for (i = 0; i < kCalls; ++i) after(i);
    return 0;
}
