/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is there before the phase in which it works. */
#include <holos/holos.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go, done;

static void step(void) {
    HOLOS_REGION_BEGIN(region, "step");
    HOLOS_REGION_END(region);
}

static void* work(void* unused) {
    sem_wait(&go);
    step();
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&go, 0, 0);
    sem_init(&done, 0, 0);
    if (pthread_create(&thread, NULL, work, NULL) != 0) return 1;
    step();
    HOLOS_REGION_BEGIN(phase, "phase");
    sem_post(&go);
    sem_wait(&done);
    HOLOS_REGION_END(phase);
    return pthread_join(thread, NULL);
}
