/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with one fault, by name, in the function of that name, in four POSIX threads: posix FAULT
 * [STEPS]. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "planted.h"

enum { THREADS = 4 };

static pthread_spinlock_t lock;

PART spinning(int step, int thread) {
    (void)step;
    (void)thread;
    compute(14);
    pthread_spin_lock(&lock);
    compute(8);
    pthread_spin_unlock(&lock);
}

static atomic_int ready;

/* Milliseconds of processor time: the only thread that works must not look asleep. */
static __attribute__((noinline)) void work_for(double milliseconds) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const double end = 1e3 * now.tv_sec + 1e-6 * now.tv_nsec + milliseconds;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (1e3 * now.tv_sec + 1e-6 * now.tv_nsec < end);
}

/* Thread 1 works; the others let everybody else have their processors until it is ready. */
PART yielding(int step, int thread) {
    if (thread == 1) {
        work_for(20);
        atomic_store(&ready, step + 1);
    } else {
        while (atomic_load(&ready) <= step) sched_yield();
    }
}

static const struct {
    const char* name;
    void (*run)(int step, int thread);
} kFaults[] = {{"spinning", spinning}, {"yielding", yielding}};

static void (*run)(int step, int thread);
static int steps = 30;

static void* work(void* thread) {
    for (int step = 0; step < steps; ++step) run(step, (int)(size_t)thread);
    return NULL;
}

int main(int count, char** arguments) {
    if (count > 2) steps = atoi(arguments[2]);
    for (size_t i = 0; i < sizeof kFaults / sizeof *kFaults; ++i)
        if (count > 1 && strcmp(kFaults[i].name, arguments[1]) == 0) run = kFaults[i].run;
    if (run == NULL) return 2;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[THREADS];
    for (size_t thread = 1; thread < THREADS; ++thread)
        pthread_create(&threads[thread], NULL, work, (void*)thread);
    work(NULL);
    for (size_t thread = 1; thread < THREADS; ++thread) pthread_join(threads[thread], NULL);
}
