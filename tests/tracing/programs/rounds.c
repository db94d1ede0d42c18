/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of computation and communication. `exchange` and `sum` are called once in each, `settle` stays for
 * all. */
#include <mpi.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

enum { ROUNDS = 4, MILLISECONDS = 5 };

static double own, all;

APART static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

APART static void compute(void) {
    for (const double end = seconds() + 1e-3 * MILLISECONDS; seconds() < end;) own += 1;
}

static void exchange(void) {
    double received = 0;
    MPI_Request requests[2];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&received, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&own, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    all += received;
}

/* Its last act is a call, which may take its place. */
APART static void sum(void) {
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

APART static void settle(void) {
    for (int i = 0; i < ROUNDS; ++i) {
        compute();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

APART static void run(void) {
    for (int i = 0; i < ROUNDS; ++i) {
        compute();
        exchange();
        compute();
        sum();
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    run();
    settle();
    MPI_Finalize();
    return 0;
}
