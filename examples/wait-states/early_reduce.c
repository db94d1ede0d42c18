// SPDX-License-Identifier: BSD-3-Clause
// The root of a reduction is there before the others have anything to give; it waits for the last of them.
//
//   rank 0 (root)  Reduce ▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
//   others         ├──── delay ────┤ Reduce
#include <mpi.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds =
        delayFromArguments(argc, argv, "Early Reduce: rank 0 waits in MPI_Reduce for as long as the delay.");
    int rank = 0;
    int value = 1;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) delay(milliseconds);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
