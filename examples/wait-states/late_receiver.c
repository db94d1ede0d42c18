// SPDX-License-Identifier: BSD-3-Clause
// Rank 1 receives late; rank 0 cannot finish its synchronous send before.
//
//   rank 0  Ssend ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
//   rank 1  ├──── delay ────┤ Recv
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds =
        delayFromArguments(argc, argv, "Late Receiver: rank 0 waits in MPI_Ssend for as long as the delay.");
    int rank = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        delay(milliseconds);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
