/* SPDX-License-Identifier: BSD-3-Clause */
/* hanging_threads HOW: threads that never end. Those who forget the program are helped by an alarm.
 *   mutexes  two threads have a mutex each, and want the other's
 *   free     the first thread wants a mutex that another one took when it was free, and has waited for
 * nothing since barrier  a thread of OpenMP does not come to a barrier of its team locks    like mutexes,
 * with locks of OpenMP, each of which its thread has set and unset many times before sections the same with
 * critical sections paused   a thread stays in a critical section, of which nothing is recorded, and another
 * one wants to enter pausedLock  the same with a lock */
#include <holos/holos.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int locked;

static void* lockBoth(void* first) {
    const size_t own = (size_t)first;
    pthread_mutex_lock(&mutexes[own]);
    atomic_fetch_add(&locked, 1);
    while (atomic_load(&locked) < 2) usleep(100);
    pthread_mutex_lock(&mutexes[1 - own]);
    return NULL;
}

static void lockMutexes(void) {
    pthread_t threads[2];
    size_t i;
    for (i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, lockBoth, (void*)i);
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void* keepFirst(void* unused) {
    pthread_mutex_lock(&mutexes[0]);
    atomic_store(&locked, 1);
    for (;;) pause();
    return unused;
}

static void wantTaken(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, keepFirst, NULL);
    while (atomic_load(&locked) == 0) usleep(100);
    pthread_mutex_lock(&mutexes[0]);
}

static void missBarrier(void) {
    atomic_int number = 0;
#pragma omp parallel num_threads(3)
    {
        if (atomic_fetch_add(&number, 1) == 1)
            for (;;) pause();
#pragma omp barrier
    }
}

/* Both threads are here. */
static void meet(void) {
    atomic_fetch_add(&locked, 1);
    while (atomic_load(&locked) < 2) usleep(100);
}

enum { kTimes = 100 };

static void setBoth(void) {
    omp_lock_t locks[2];
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        const int own = omp_get_thread_num();
        int i;
        for (i = 0;; ++i) {
            omp_set_lock(&locks[own]);
            if (i == kTimes) break;
            omp_unset_lock(&locks[own]);
        }
        meet();
        omp_set_lock(&locks[1 - own]);
    }
}

static void oneInOther(int isLast) {
#pragma omp critical(one)
    if (isLast) {
        meet();
#pragma omp critical(other)
        meet();
    }
}
static void otherInOne(int isLast) {
#pragma omp critical(other)
    if (isLast) {
        meet();
#pragma omp critical(one)
        meet();
    }
}
static void enterBoth(void) {
#pragma omp parallel num_threads(2)
    {
        int i;
        for (i = 0; i <= kTimes; ++i) {
            if (omp_get_thread_num() == 0) oneInOther(i == kTimes);
            if (omp_get_thread_num() == 1) otherInOne(i == kTimes);
        }
    }
}

static void stayInside(void) {
#pragma omp critical
    {
        meet();
        for (;;) pause();
    }
}
static void enterAfter(void) {
#pragma omp critical
    meet();
}
static void waitForPaused(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            HOLOS_PAUSE();
            stayInside();
        }
        meet();
        enterAfter();
    }
}

static void waitForPausedSetter(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            HOLOS_PAUSE();
            omp_set_lock(&lock);
            meet();
            for (;;) pause();
        }
        meet();
        omp_set_lock(&lock);
    }
}

int main(int argc, char** argv) {
    alarm(300);
    if (argc > 1 && strcmp(argv[1], "mutexes") == 0) lockMutexes();
    if (argc > 1 && strcmp(argv[1], "free") == 0) wantTaken();
    if (argc > 1 && strcmp(argv[1], "barrier") == 0) missBarrier();
    if (argc > 1 && strcmp(argv[1], "locks") == 0) setBoth();
    if (argc > 1 && strcmp(argv[1], "sections") == 0) enterBoth();
    if (argc > 1 && strcmp(argv[1], "paused") == 0) waitForPaused();
    if (argc > 1 && strcmp(argv[1], "pausedLock") == 0) waitForPausedSetter();
    return 0;
}
