/* SPDX-License-Identifier: BSD-3-Clause */
/* Time that passes the same on a busy machine: sleep by the kernel's own call, which no recorder counts as
 * sleep. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The library's function would be recorded, so this asks the kernel itself. */
static __attribute__((noinline)) long wait_until(const struct timespec* end) {
    register long result __asm__("rax") = SYS_clock_nanosleep;
    register const struct timespec* rest __asm__("r10") = NULL;
    __asm__ volatile("syscall"
                     : "+r"(result)
                     : "D"(CLOCK_MONOTONIC), "S"(TIMER_ABSTIME), "d"(end), "r"(rest)
                     : "rcx", "r11", "memory");
    return result;
}

/* Milliseconds that count as computation. */
static __attribute__((noinline)) void compute(double milliseconds) {
    const long long kBillion = 1000000000LL;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long end = now.tv_sec * kBillion + now.tv_nsec + (long long)(milliseconds * 1e6);
    const struct timespec until = {end / kBillion, end % kBillion};
    while (wait_until(&until) != 0) continue;
}

static __attribute__((noinline)) void nap(double milliseconds) {
    const struct timespec time = {0, (long)(milliseconds * 1e6)};
    nanosleep(&time, NULL);
}

/* A function by itself, so that a summary can name it. */
#define PART static __attribute__((noinline)) void
