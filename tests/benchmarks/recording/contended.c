/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one lock and unlock of a mutex that another thread has, so that this one sleeps. Prints
   nanoseconds. The argument is how many threads there are BESIDES, which do nothing (0). */
#include "cheapest.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
static volatile int isHeld, isAwaited, isOver;
static double spent;

static void await(volatile int* flag, int value) {
    while (*flag != value && !isOver) sched_yield();
}

static void* holds(void* unused) {
    while (!isOver) {
        pthread_mutex_lock(&mutex);
        isHeld = 1;
        await(&isAwaited, 1);
        for (volatile int busy = 0; busy < 20000; ++busy) {
        }
        isAwaited = 0;
        pthread_mutex_unlock(&mutex);
        await(&isHeld, 0);
    }
    return unused;
}

static void waits(void) {
    double begin;
    await(&isHeld, 1);
    begin = nanoseconds();
    isAwaited = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    spent += nanoseconds() - begin;
    isHeld = 0;
}

static void* waitsForTheEnd(void* unused) {
    pthread_mutex_lock(&end);
    pthread_mutex_unlock(&end);
    return unused;
}

int main(void) {
    static pthread_t threads[BESIDES + 1];
    double best = 1e18;
    pthread_mutex_lock(&end);
    pthread_create(&threads[BESIDES], NULL, holds, NULL);
    for (int i = 0; i < BESIDES; ++i) pthread_create(&threads[i], NULL, waitsForTheEnd, NULL);
    for (int batch = 0; batch < 40; ++batch) {
        spent = 0;
        for (int i = 0; i < 100; ++i) waits();
        if (spent / 100 < best) best = spent / 100;
    }
    printf("%.1f\n", best);
    isOver = 1;
    pthread_mutex_unlock(&end);
    for (int i = 0; i <= BESIDES; ++i) pthread_join(threads[i], NULL);
    return 0;
}
