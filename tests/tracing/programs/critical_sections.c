/* SPDX-License-Identifier: BSD-3-Clause */
/* Critical sections that nobody waits for, 500 times each: one after the other; of two names in turns; one in
 * another; with something recorded in each tenth; held for a while. And one that another thread waits for. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kTimes = 500 };
static volatile int sum, isHeld, waiting;

__attribute__((noinline)) static void alone(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
#pragma omp critical
        ++sum;
    }
}

__attribute__((noinline)) static void inTurns(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
#pragma omp critical(one)
        ++sum;
#pragma omp critical(other)
        ++sum;
    }
}

__attribute__((noinline)) static void nested(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
#pragma omp critical(one)
        {
#pragma omp critical(other)
            ++sum;
        }
    }
}

static void sleepShortly(void) {
    const struct timespec time = {0, 1000000};
    nanosleep(&time, 0);
}
__attribute__((noinline)) static void broken(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
#pragma omp critical
        if (i % 10 == 0) {
            HOLOS_REGION_BEGIN(held, "holds");
            sleepShortly();
            HOLOS_REGION_END(held);
        }
    }
}

static void work(void) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 100000);
}
__attribute__((noinline)) static void held(void) {
    int i;
    for (i = 0; i < kTimes; ++i) {
#pragma omp critical
        work();
    }
}

/* Returns once a thread of this process sleeps, or has used some hundredths of a second of processor time
 * since: some runtimes wait like that. */
static void awaitWaitOf(int id) {
    long first = -1, used = 0, user = 0, system = 0;
    char path[64], text[512], state = 'R';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
    while (state != 'S' && (first < 0 || used < first + 4)) {
        FILE* const file = fopen(path, "r");
        if (file == NULL) abort();
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        const char* const end = strrchr(text, ')');
        if (end == NULL) abort();
        state = end[2];
        if (sscanf(end + 3, "%*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system) != 2) abort();
        used = user + system;
        if (first < 0) first = used;
        sched_yield();
    }
}

/* The last of ten is left when the other thread waits for it. */
__attribute__((noinline)) static void section(int isLast) {
#pragma omp critical
    {
        ++sum;
        if (isLast) {
            isHeld = 1;
            while (waiting == 0) sched_yield();
            awaitWaitOf(waiting);
        }
    }
}
static void contended(void) {
#pragma omp parallel num_threads(2)
    {
        int i;
        if (omp_get_thread_num() == 0) {
            for (i = 0; i < 10; ++i) section(i == 9);
        } else {
            while (!isHeld) sched_yield();
            waiting = (int)syscall(SYS_gettid);
            section(0);
        }
    }
}

int main(void) {
    alone();
    inTurns();
    nested();
    broken();
    held();
    contended();
    return 0;
}
