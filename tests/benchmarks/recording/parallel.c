/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time that the master spends on an empty parallel region: the cheapest of many batches. Prints
   nanoseconds. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

enum { kBatches = 400, kRegions = 50 };

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(void) {
    double best = 1e18;
    int batch, i;
    for (batch = 0; batch < kBatches; ++batch) {
        const double begin = nanoseconds();
        double time;
        for (i = 0; i < kRegions; ++i) {
#pragma omp parallel
            __asm__ volatile("");
        }
        time = (nanoseconds() - begin) / kRegions;
        if (time < best) best = time;
    }
    printf("%.1f\n", best);
    return 0;
}
