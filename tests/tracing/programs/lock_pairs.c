/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock that nobody waits for is set and unset 500 times: from one function; from two that a third one
 * calls, which holds it for a while; and with something else recorded while it is held, each tenth time. */
#include <holos/holos.h>
#include <omp.h>
#include <time.h>

enum { kTimes = 500 };
static omp_lock_t lock;

__attribute__((noinline)) static void inOnePlace(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
    }
}

__attribute__((noinline)) static void acquire(void) {
    omp_set_lock(&lock);
    __asm__ volatile("");
}
__attribute__((noinline)) static void release(void) {
    omp_unset_lock(&lock);
    __asm__ volatile("");
}
__attribute__((noinline)) static void inTwo(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
        acquire();
        release();
    }
}

__attribute__((noinline)) static void holds(void) {
    const struct timespec time = {0, 1000000};
    nanosleep(&time, 0);
}
__attribute__((noinline)) static void broken(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
        omp_set_lock(&lock);
        if (i % 10 == 0) {
            HOLOS_REGION_BEGIN(held, "holds");
            holds();
            HOLOS_REGION_END(held);
        }
        omp_unset_lock(&lock);
    }
}

int main(void) {
    omp_init_lock(&lock);
    inOnePlace();
    inTwo();
    broken();
    omp_destroy_lock(&lock);
    return 0;
}
