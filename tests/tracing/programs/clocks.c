/* SPDX-License-Identifier: BSD-3-Clause */
/* Any number of processes, whose clocks are compared once more in between. With an argument they meet as
 * often as that says, and do not ask for a comparison. */
#include <holos/holos.h>
#include <mpi.h>
#include <stdlib.h>

static void meet(int times, int rank) {
    int i, one = 1, sum = 0;
    for (i = 0; i < times; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) HOLOS_PAUSE(); /* what one process does not record counts as well */
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) HOLOS_RESUME();
        MPI_Barrier(MPI_COMM_SELF);
    }
}

int main(int argc, char** argv) {
    int rank;
    holos_synchronize_clocks(); /* too early: nothing happens */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        meet(atoi(argv[1]), rank);
    else
        holos_synchronize_clocks();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    holos_synchronize_clocks();
    return 0;
}
