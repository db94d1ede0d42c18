/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI from several places, by way of functions that call each other, themselves and back. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static double values[16];
static volatile int zero = 0;

APART static double norm(void) {
    double own = values[0] * values[0], all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all + zero;
}

APART static double solve(int steps) {
    double own = steps, all = 0;
    for (int i = 0; i < steps; ++i) {
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        values[0] += all + norm();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all + zero;
}

APART static double recurse(int depth) {
    const double below = depth > 0 ? recurse(depth - 1) : 0;
    if (depth % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);
    return below + norm() + zero;
}

/* A frame whose size is not known before. */
APART static double with_array(int count) {
    volatile double own[count];
    own[count - 1] = norm();
    return own[count - 1] + solve(1);
}

APART static int compare(const void* a, const void* b) {
    norm();
    return *(const int*)a - *(const int*)b;
}

/* Called by MPI. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

APART static void with_operation(void) {
    MPI_Op sum;
    double own = 1, all = 0;
    MPI_Op_create(&add, 1, &sum);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, sum, MPI_COMM_WORLD);
    MPI_Op_free(&sum);
}

/* Passes its return on to MPI's function where it is optimised. */
APART static int pass_on(MPI_Comm communicator) {
    return MPI_Barrier(communicator);
}

APART static void run(void) {
    for (int i = 0; i < 3; ++i) solve(2 + i);
    values[1] = with_array(3) + with_array(40) + recurse(5);
    int pair[2] = {2, 1};
    qsort(pair, 2, sizeof *pair, &compare);
    with_operation();
    values[2] = norm();
    values[3] = pass_on(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int pair[2] = {2, 1};
    qsort(pair, 2, sizeof *pair, &compare);
    run();
    values[3] = solve(2);
    MPI_Finalize();
    printf("%g\n", values[0]);
    return 0;
}
