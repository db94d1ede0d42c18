/* SPDX-License-Identifier: BSD-3-Clause */
/* hanging_threads HOW: threads that never end. Those who forget the program are helped by an alarm.
 *   mutexes  two threads have a mutex each, and want the other's
 *   barrier  a thread of OpenMP does not come to a barrier of its team */
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

static void missBarrier(void) {
    atomic_int number = 0;
#pragma omp parallel num_threads(3)
    {
        if (atomic_fetch_add(&number, 1) == 1)
            for (;;) pause();
#pragma omp barrier
    }
}

int main(int argc, char** argv) {
    alarm(300);
    if (argc > 1 && strcmp(argv[1], "mutexes") == 0) lockMutexes();
    if (argc > 1 && strcmp(argv[1], "barrier") == 0) missBarrier();
    return 0;
}
