/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one user region, begin and end, as Holos or (with SCOREP_USER_ENABLE) Score-P has it: the
   cheapest of many batches. Prints nanoseconds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#if defined(SCOREP_USER_ENABLE)
#include <scorep/SCOREP_User.h>
#define BEGIN(handle, name) SCOREP_USER_REGION_BEGIN(handle, name, SCOREP_USER_REGION_TYPE_COMMON)
#define END(handle) SCOREP_USER_REGION_END(handle)
SCOREP_USER_REGION_DEFINE(tiny)
#elif defined(PLAIN)
#define BEGIN(handle, name)
#define END(handle)
#else
#include <holos/holos.h>
#define BEGIN(handle, name) HOLOS_REGION_BEGIN(handle, name)
#define END(handle) HOLOS_REGION_END(handle)
#endif

enum { kBatches = 100, kRegions = 10000 };

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
            BEGIN(tiny, "tiny");
            __asm__ volatile("");
            END(tiny);
        }
        time = (nanoseconds() - begin) / kRegions;
        if (time < best) best = time;
    }
    printf("%.1f\n", best);
    return 0;
}
