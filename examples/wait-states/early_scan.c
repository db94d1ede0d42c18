// SPDX-License-Identifier: BSD-3-Clause
// In a prefix sum a rank needs the data of the ranks below it; rank 0 is late, and every other rank waits for
// it.
//
//   rank 0  ├──── delay ────┤ Scan
//   others  Scan ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv, "Early Scan: every rank but 0 waits in MPI_Scan for as long as the delay.");
    int rank = 0;
    int value = 1;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) delay(milliseconds);
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
