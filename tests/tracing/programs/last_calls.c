/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions whose last call is one that is recorded: an optimiser makes a jump of it. */
#include <pthread.h>
#include <stddef.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int count = 0;

static void addAndMeet(void) {
#pragma omp atomic
    ++count;
#pragma omp barrier
}

static void makeTaskAndWait(void) {
#pragma omp task
    ++count;
#pragma omp taskwait
}

static void* wakeAll(void* sleepers) {
    typedef void* WakeAll(pthread_cond_t*); /* what it returns is 0 */
    return ((WakeAll*)pthread_cond_broadcast)(sleepers);
}

int main(void) {
#pragma omp parallel num_threads(2)
    addAndMeet();
#pragma omp parallel num_threads(2)
    makeTaskAndWait();
    pthread_t thread;
    pthread_create(&thread, NULL, wakeAll, &condition);
    return pthread_join(thread, NULL);
}
