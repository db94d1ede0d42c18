/* SPDX-License-Identifier: BSD-3-Clause */
/* A parallel region is the first event of a thread that the recorder does not see begin. */
#include <threads.h>

static volatile int x;

static int forksFirst(void* unused) {
    (void)unused;
#pragma omp parallel num_threads(2)
    ++x;
    return 0;
}

int main(void) {
    thrd_t thread;
    return thrd_create(&thread, forksFirst, NULL) != thrd_success || thrd_join(thread, NULL) != thrd_success;
}
