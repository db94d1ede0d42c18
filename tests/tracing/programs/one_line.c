/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that call another one twice in one line, or MPI. */
#include <mpi.h>

#define APART __attribute__((noinline, noclone))

enum { ROUNDS = 20 };

static double own, all;

/* Some compilers make it a part of `step`. */
static void sum(void) {
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    own += 1;
}

APART static void step(void) {
    sum(), sum();
    own += 1;
}

APART static void meet(void) {
    MPI_Barrier(MPI_COMM_SELF), MPI_Barrier(MPI_COMM_SELF);
    own += 1;
}

APART static void run(void) {
    for (int i = 0; i < ROUNDS; ++i) step(), meet();
    own += 1;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    run();
    MPI_Finalize();
    return 0;
}
