/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread computes for 60 ms of processor time. The other one waits for it in each of three ways, and lets
   others have the processor again and again meanwhile: both may use one processor only. It has nothing to do,
   and lacks no processor. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WAYS = 3 };
static atomic_int made;

static double processorTime(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void* produce(void* unused) {
    for (int i = 0; i < WAYS; ++i) {
        const double begin = processorTime();
        while (processorTime() - begin < 0.02) {
        }
        atomic_fetch_add(&made, 1);
    }
    return unused;
}

__attribute__((noinline)) static void consume(void) {
    while (atomic_load(&made) < 1) sched_yield();
    while (atomic_load(&made) < 2) thrd_yield();
    while (atomic_load(&made) < 3) syscall(SYS_sched_yield);
}

int main(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    consume();
    return pthread_join(producer, NULL);
}
