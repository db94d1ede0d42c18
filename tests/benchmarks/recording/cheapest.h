/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs here measure with. */
#define _GNU_SOURCE
#include <time.h>

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Nanoseconds of processor time for one of the things of which `work` does as many as it is told: the
   cheapest of many batches, so that other load on the machine does not count. */
static double cheapest(int batches, int each, void (*work)(int)) {
    double best = 1e18;
    int batch;
    for (batch = 0; batch < batches; ++batch) {
        const double begin = nanoseconds();
        double time;
        work(each);
        time = (nanoseconds() - begin) / each;
        if (time < best) best = time;
    }
    return best;
}
