/* SPDX-License-Identifier: BSD-3-Clause */
/* Any number of processes, whose clocks are compared once more in between. */
#include <holos/holos.h>
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    holos_synchronize_clocks(); /* too early: nothing happens */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    holos_synchronize_clocks();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    holos_synchronize_clocks();
    return 0;
}
