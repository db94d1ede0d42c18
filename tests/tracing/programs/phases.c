/* SPDX-License-Identifier: BSD-3-Clause */
/* Two iterations; a second thread works from within the first one into the second. */
#include <holos/holos.h>
#include <pthread.h>
#include <sched.h>

static int step;

static void await(int wanted) {
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < wanted) sched_yield();
}
static void reach(int next) {
    __atomic_store_n(&step, next, __ATOMIC_RELEASE);
}

static void* work(void* unused) {
    HOLOS_REGION_BEGIN(region, "task");
    reach(1);
    await(2);
    HOLOS_REGION_END(region);
    return unused;
}

int main(void) {
    pthread_t thread;
    int i;
    for (i = 0; i < 2; ++i) {
        HOLOS_PHASE_BEGIN(iteration, "iteration");
        if (i == 0) {
            pthread_create(&thread, NULL, work, NULL);
            await(1);
        } else {
            reach(2);
            pthread_join(thread, NULL);
        }
        HOLOS_PHASE_END(iteration);
    }
    return 0;
}
