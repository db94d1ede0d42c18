/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of a call of MPI from one of two places in turn, so many functions below `main` as the first
 * word says. Prints nanoseconds. */
#include "cheapest.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sum;
static int flag;

__attribute__((noinline)) static void first(void) {
    MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    ++sum;
}

__attribute__((noinline)) static void second(void) {
    MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    ++sum;
}

static void calls(int count) {
    int i;
    for (i = 0; i < count; i += 2) {
        first();
        second();
    }
}

__attribute__((noinline)) static double below(int depth) {
    enum { kBatches = 60, kCalls = 20000 };
    const double time = depth > 0 ? below(depth - 1) : cheapest(kBatches, kCalls, calls);
    ++sum; /* the call above is no jump */
    return time;
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    printf("%.1f\n", below(count > 1 ? atoi(words[1]) : 0));
    MPI_Finalize();
    return 0;
}
