// SPDX-License-Identifier: BSD-3-Clause
// The root of a broadcast is late; every other rank waits for its data.
//
//   rank 0 (root)  ├──── delay ────┤ Bcast
//   others         Bcast ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv, "Late Broadcast: every rank but 0 waits in MPI_Bcast for as long as the delay.");
    int rank = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) delay(milliseconds);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
