/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiler of its own: a handler of SIGPROF looks where the program was. It succeeds when that is mostly
   the program itself. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { kSamples = 100 };

extern char __executable_start;
extern char etext;

static volatile int samples;
static volatile int inside;
static volatile double sink;

static void sample(int number, siginfo_t* info, void* context) {
    const ucontext_t* const at = context;
#if defined(__x86_64__)
    const uintptr_t place = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
    const uintptr_t place = (uintptr_t)at->uc_mcontext.pc;
#endif
    (void)number;
    (void)info;
    ++samples;
    if (place >= (uintptr_t)&__executable_start && place < (uintptr_t)&etext) ++inside;
}

int main(void) {
    struct sigaction action;
    const struct itimerval timer = {{0, 4000}, {0, 4000}};
    memset(&action, 0, sizeof action);
    action.sa_sigaction = sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGPROF, &action, 0);
    setitimer(ITIMER_PROF, &timer, 0);
    while (samples < kSamples) sink += 1;
    return inside < kSamples / 2;
}
