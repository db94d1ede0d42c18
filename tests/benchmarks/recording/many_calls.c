/* SPDX-License-Identifier: BSD-3-Clause */
/* As many calls of MPI as the first word says, half of them sends of a process to itself and half receives,
 * at two places; with a second word, then kills itself. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    char out = 0, in;
    long i, pairs;
    MPI_Init(&argc, &argv);
    pairs = argc > 1 ? atol(argv[1]) / 2 : 0;
    for (i = 0; i < pairs; ++i) {
        MPI_Send(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (argc > 2) raise(SIGKILL);
    MPI_Finalize();
    return 0;
}
