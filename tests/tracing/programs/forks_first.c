/* SPDX-License-Identifier: BSD-3-Clause */
/* A parallel region is the first event of a thread that the recorder does not see begin. */
#define _GNU_SOURCE
#include "unseen_thread.h"

static volatile int x;

static int forksFirst(void* unused) {
    (void)unused;
#pragma omp parallel num_threads(2)
    ++x;
    return 0;
}

int main(void) {
    return !runUnseenThread(forksFirst);
}
