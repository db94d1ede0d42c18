// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 is killed in the middle of a ring of messages: after `kRounds` of them nothing more is written,
// freed or finalized.
#include <mpi.h>
#include <signal.h>

enum { kRounds = 50 };

int main(int argc, char** argv) {
    int rank = 0;
    int size = 0;
    int value = 0;
    int other = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 1;; ++round) {
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 0, &other, 1, MPI_INT, (rank + size - 1) % size,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0 && round == kRounds) raise(SIGKILL);
    }
}
