/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a process to itself, and computation between them, for as many seconds as the first word says.
 * Prints for each piece of about two milliseconds when it ended, in seconds since the machine's start, and
 * the processor time that it took, in nanoseconds. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile double sum;

static void compute(void) {
    int i;
    for (i = 0; i < 5000; ++i) sum += 1.0 / (i + 1);
}

int main(int argc, char** argv) {
    char out = 0, in;
    int i;
    double end, before, now;
    MPI_Init(&argc, &argv);
    end = seconds(CLOCK_BOOTTIME) + (argc > 1 ? atof(argv[1]) : 1);
    before = seconds(CLOCK_PROCESS_CPUTIME_ID);
    while (seconds(CLOCK_BOOTTIME) < end) {
        for (i = 0; i < 100; ++i) {
            MPI_Send(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute();
        }
        now = seconds(CLOCK_PROCESS_CPUTIME_ID);
        printf("%.6f %.0f\n", seconds(CLOCK_BOOTTIME), 1e9 * (now - before));
        before = seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    MPI_Finalize();
    return 0;
}
