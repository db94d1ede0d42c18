/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends a message to the next one and gets one from the one before; the tag is the number of ranks.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, size, &got, 1, MPI_INT, (rank + size - 1) % size, size,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return got != (rank + size - 1) % size;
}
