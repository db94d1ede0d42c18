// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 comes late to a barrier; every other rank waits there.
//
//   rank 0  ├──── delay ────┤ Barrier
//   others  Barrier ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv, "Wait at Barrier: every rank but 0 waits in MPI_Barrier for as long as the delay.");
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) delay(milliseconds);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
