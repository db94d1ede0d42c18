/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that end within regions, one after the other: by pthread_exit, by cancellation, and by exit of the
 * program. */
#include <holos/holos.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t both;

/* Ends the thread within two regions. */
static void* leaveByExit(void* unused) {
    HOLOS_REGION_BEGIN(outer, "outer");
    HOLOS_REGION_BEGIN(inner, "inner");
    pthread_exit(unused);
}

static void* waitForCancellation(void* unused) {
    HOLOS_REGION_BEGIN(region, "cancelled");
    pthread_barrier_wait(&both);
    for (;;) pthread_testcancel();
    return unused;
}

/* A region of a thread that has left its function. */
static void destroy(void* unused) {
    (void)unused;
    HOLOS_REGION_BEGIN(region, "destructor");
    HOLOS_REGION_END(region);
}

static void* leaveAValue(void* key) {
    pthread_setspecific(*(pthread_key_t*)key, key);
    return NULL;
}

static void* endProgram(void* unused) {
    (void)unused;
    HOLOS_REGION_BEGIN(region, "last");
    exit(0);
}

int main(void) {
    pthread_key_t before, after;
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    pthread_key_create(&before, destroy);
    pthread_create(&thread, NULL, leaveByExit, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, waitForCancellation, NULL);
    pthread_barrier_wait(&both);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_key_create(&after, destroy);
    pthread_create(&thread, NULL, leaveAValue, &before);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, leaveAValue, &after);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, endProgram, NULL);
    pthread_join(thread, NULL);
    return 1;
}
