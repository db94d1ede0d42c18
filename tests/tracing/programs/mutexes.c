/* SPDX-License-Identifier: BSD-3-Clause */
/* A mutex that is free whenever a thread wants it, but for the last time. */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int isHeld = 0;

/* In the C library's memory of a mutex: somebody sleeps until it is released. */
static int hasSleeper(void) {
    return *(volatile int*)&mutex == 2;
}

static void* wantIt(void* unused) {
    while (!isHeld) sched_yield();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wantIt, NULL);
    for (int i = 0; i < 500; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        if (pthread_mutex_trylock(&mutex) != 0) return 1;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    isHeld = 1;
    while (!hasSleeper()) sched_yield();
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, NULL);
}
