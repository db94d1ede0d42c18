/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is waited for in each way, and that ends only after the first attempts. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t mayEnd;

static void* worker(void* unused) {
    sem_wait(&mayEnd);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec early = {0, 0}, late = {1LL << 33, 0};
    sem_init(&mayEnd, 0, 0);
    for (int way = 0; way < 3; ++way) {
        int error = pthread_create(&thread, NULL, worker, NULL);
        if (error != 0 || pthread_tryjoin_np(thread, NULL) != EBUSY) return 1;
        if (way == 0 && pthread_timedjoin_np(thread, NULL, &early) != ETIMEDOUT) return 1;
        sem_post(&mayEnd);
        if (way == 0) error = pthread_timedjoin_np(thread, NULL, &late);
        if (way == 1) error = pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &late);
        while (way == 2 && (error = pthread_tryjoin_np(thread, NULL)) == EBUSY) continue;
        if (error != 0) return 1;
    }
    return 0;
}
