/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one message (MPI_Send and MPI_Recv) of a process to itself: the cheapest of many batches,
   so that other load on the machine does not count. Prints nanoseconds. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { kBatches = 400, kMessages = 100 };

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(int argc, char** argv) {
    char out = 0, in;
    double best = 1e18;
    int batch, i;
    MPI_Init(&argc, &argv);
    for (batch = 0; batch < kBatches; ++batch) {
        const double begin = nanoseconds();
        double time;
        for (i = 0; i < kMessages; ++i) MPI_Send(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        for (i = 0; i < kMessages; ++i) MPI_Recv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        time = (nanoseconds() - begin) / kMessages;
        if (time < best) best = time;
    }
    printf("%.1f\n", best);
    MPI_Finalize();
    return 0;
}
