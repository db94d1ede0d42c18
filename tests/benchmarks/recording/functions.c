/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of a call of a tiny function, which `holos cc` compiled: the cheapest of many batches.
   Prints nanoseconds. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

enum { kBatches = 100, kCalls = 10000 };

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

__attribute__((noinline)) static int tiny(int x) {
    __asm__ volatile("");
    return x + 1;
}

int main(void) {
    double best = 1e18;
    int batch, i, sum = 0;
    for (batch = 0; batch < kBatches; ++batch) {
        const double begin = nanoseconds();
        double time;
        for (i = 0; i < kCalls; ++i) sum = tiny(sum);
        time = (nanoseconds() - begin) / kCalls;
        if (time < best) best = time;
    }
    printf("%.1f\n", best);
    return sum != kBatches * kCalls;
}
