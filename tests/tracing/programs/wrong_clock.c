/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, the clock that the recorder compares is wrong by WRONG_BY seconds. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
    const char* seconds = getenv("WRONG_BY");
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_MONOTONIC_RAW && seconds != NULL) now->tv_sec += atoi(seconds);
    return result;
}
