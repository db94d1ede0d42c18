/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that begins on the processor that is the first argument, and moves itself to the second. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void moveTo(const char* processor) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(atoi(processor), &mask);
    if (sched_setaffinity(0, sizeof mask, &mask) != 0) exit(3);
}

static void* work(void* to) {
    moveTo(to);
    return NULL;
}

int main(int count, char** words) {
    if (count != 3) return 2;
    moveTo(words[1]);
    pthread_t thread;
    pthread_create(&thread, NULL, work, words[2]);
    return pthread_join(thread, NULL);
}
