/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads compute for 0.2 s of processor time each, in parts, and have one processor together. Parts are
 * regions, or, with any argument, larger ones that end with a moment of sleep; with two arguments there is
 * one part, and the sleep is the last call of the thread, of which an optimiser makes a jump. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { kParts = 50, kNanoseconds = 4000000, kLargeParts = 5, kMicroseconds = 1000 };

static long long used(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void* compute(void* unused) {
    int i;
    for (i = 0; i < kParts; ++i) {
        const long long end = used() + kNanoseconds;
        HOLOS_REGION_BEGIN(part, "part");
        while (used() < end) continue;
        HOLOS_REGION_END(part);
    }
    return unused;
}

static void* compute_and_sleep(void* unused) {
    int i;
    for (i = 0; i < kLargeParts; ++i) {
        const long long end = used() + (long long)(kParts / kLargeParts) * kNanoseconds;
        while (used() < end) continue;
        usleep(kMicroseconds);
    }
    return unused;
}

static void* compute_and_sleep_last(void* unused) {
    typedef void* Sleep(useconds_t); /* what it returns is 0 */
    const long long end = used() + (long long)kParts * kNanoseconds;
    (void)unused;
    while (used() < end) continue;
    return ((Sleep*)usleep)(kMicroseconds);
}

int main(int count, char** arguments) {
    void* (*const start)(void*) = count > 2   ? compute_and_sleep_last
                                  : count > 1 ? compute_and_sleep
                                              : compute;
    (void)arguments;
    pthread_t threads[2];
    cpu_set_t usable, one;
    int i, processor = 0;
    sched_getaffinity(0, sizeof usable, &usable);
    while (!CPU_ISSET(processor, &usable)) ++processor;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, start, NULL);
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
