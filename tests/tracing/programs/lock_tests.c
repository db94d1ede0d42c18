/* SPDX-License-Identifier: BSD-3-Clause */
/* Twice somebody else has what a thread asks for 200 times in vain, and then until it has it: a lock of
 * OpenMP, and a mutex. Who has it gives it back when told so. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>

enum { kTests = 200 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock;
static volatile int isHeld, mayEnd;

static void waitFor(volatile int* flag) {
    while (!*flag) sched_yield();
}

static int hold(void) {
    isHeld = 1;
    waitFor(&mayEnd);
    return 0;
}

static int testLock(void) {
    return omp_test_lock(&lock);
}

static int tryMutex(void) {
    return pthread_mutex_trylock(&mutex) == 0;
}

static int askFor(int (*ask)(void)) {
    int i, found = 0;
    waitFor(&isHeld);
    for (i = 0; i < kTests; ++i) found += ask();
    mayEnd = 1;
    while (!ask()) sched_yield();
    isHeld = mayEnd = 0;
    return found;
}

static void* askForMutex(void* unused) {
    if (askFor(tryMutex) != 0) return &mutex;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static int ofThreads(void) {
    void* failed;
    pthread_t thread;
    if (pthread_create(&thread, 0, askForMutex, 0) != 0) return 1;
    pthread_mutex_lock(&mutex);
    hold();
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, &failed);
    return failed != 0;
}

static int ofOpenMp(void) {
    int found = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&lock);
        hold();
        omp_unset_lock(&lock);
    } else {
        found = askFor(testLock);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return found;
}

int main(void) {
    return ofThreads() + ofOpenMp();
}
