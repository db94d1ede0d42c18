// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 sends late; rank 1 waits in MPI_Recv all the while.
//
//   rank 0  ├──── delay ────┤ Send
//   rank 1  Recv ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds =
        delayFromArguments(argc, argv, "Late Sender: rank 1 waits in MPI_Recv for as long as the delay.");
    int rank = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        delay(milliseconds);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
