/* SPDX-License-Identifier: BSD-3-Clause */
/* A mutex of POSIX threads in a parallel region, for which one thread waits once: the first one has it until
 * the other one sleeps. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int isHeld = 0;

/* In the C library's memory of a mutex: somebody sleeps until it is released. */
static int hasSleeper(void) {
    return *(volatile int*)&mutex == 2;
}

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        pthread_mutex_lock(&mutex);
        isHeld = 1;
        while (!hasSleeper()) sched_yield();
        pthread_mutex_unlock(&mutex);
    } else {
        while (!isHeld) sched_yield();
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}
