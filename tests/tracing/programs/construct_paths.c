/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs of OpenMP in functions of their own, below others; none is the last that its function does.
 * openmp_paths_test.cpp knows the lines. */
#include <omp.h>

#define APART __attribute__((noinline))

static volatile int x;
static omp_lock_t lock;

APART static void inCritical(void) {
#pragma omp critical
    ++x;
}

APART static void inLock(void) {
    omp_set_lock(&lock);
    ++x;
    omp_unset_lock(&lock);
}

APART static void inBarrier(void) {
#pragma omp barrier
    ++x;
}

APART static void inLoop(void) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 6; ++i) inCritical();
    ++x;
}

APART static void createTask(void) {
#pragma omp task
    {
        inLock();
        ++x;
    }
    ++x;
}

APART static void waitForTasks(void) {
#pragma omp taskwait
    ++x;
}

APART static void inSingle(void) {
#pragma omp single
    {
        createTask();
        waitForTasks();
    }
    ++x;
}

APART static void forks(void) {
#pragma omp parallel num_threads(2)
    {
        inLoop();
        inBarrier();
        inSingle();
        ++x;
    }
    ++x;
}

int main(void) {
    omp_init_lock(&lock);
    forks();
    omp_destroy_lock(&lock);
    return x == 0;
}
