/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one lock and unlock of a mutex that nobody else wants, in a program with threads. Prints
   nanoseconds. 10 million of them. */
#include "cheapest.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void pairs(int count) {
    for (int i = 0; i < count; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void* nothing(void* unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    printf("%.1f\n", cheapest(100, 100000, pairs));
    return 0;
}
