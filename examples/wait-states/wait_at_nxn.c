// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 comes late to an operation in which everybody needs everybody's data; every other rank waits for it.
//
//   rank 0  ├──── delay ────┤ Allreduce
//   others  Allreduce ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv, "Wait at N x N: every rank but 0 waits in MPI_Allreduce for as long as the delay.");
    int rank = 0;
    int value = 1;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) delay(milliseconds);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
