/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of one thread that does nothing: creation and join. Prints nanoseconds. THREADS in all. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#ifndef THREADS
#define THREADS 100000
#endif

static void* nothing(void* unused) {
    return unused;
}

int main(void) {
    struct timespec begin;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < THREADS; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 1;
        pthread_join(thread, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.1f\n", ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / THREADS);
    return 0;
}
